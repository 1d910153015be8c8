#include "sim/input/suggest.hpp"

#include <algorithm>
#include <cstddef>

namespace hotline::input {
namespace {

using Row = std::vector<std::size_t>;

/// Optimal string alignment distance.
std::size_t distance(std::string_view a, std::string_view b) {
  Row before_last(b.size() + 1);
  Row last(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    Row row(b.size() + 1);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::move(last);
    last = std::move(row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestWord = 100;
  if (word.size() > kLongestWord) return {};
  std::string best;
  // A third of the word may be wrong, but at least one letter.
  std::size_t allowed = std::max<std::size_t>(1, word.size() / 3);
  for (const std::string& candidate : candidates) {
    const std::size_t off = distance(word, candidate);
    if (off > allowed || (off == allowed && !best.empty())) continue;
    best = candidate;
    allowed = off;
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string near = nearest(word, candidates);
  if (!near.empty()) return "did you mean \"" + near + "\"?";
  std::string text = "expected one of ";
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    text += (i == 0 ? "" : ", ") + candidates[i];
  }
  return candidates.empty() ? "no name is known here" : text;
}

}  // namespace hotline::input
