#include "sim/experiment/crossover.hpp"

#include <algorithm>
#include <iterator>

namespace hotline::experiment {

namespace {

using Seen = std::map<std::uint64_t, Contrast>;

bool is_faster(const Contrast& contrast) { return contrast.ratio.mean > 1; }

bool is_clear(const Contrast& contrast) {
  return contrast.verdict() == Verdict::kFaster || contrast.verdict() == Verdict::kSlower;
}

void look_at(const std::vector<std::uint64_t>& values, const Measure& measure, Seen& seen) {
  const std::vector<Contrast> contrasts = measure(values);
  for (std::size_t i = 0; i < values.size(); ++i) seen.emplace(values[i], contrasts[i]);
}

/// The middles of all steps of more than one in which the variants swap places.
std::vector<std::uint64_t> middles(const Seen& seen) {
  std::vector<std::uint64_t> values;
  for (auto at = seen.begin(); std::next(at) != seen.end(); ++at) {
    const auto next = std::next(at);
    if (is_faster(at->second) == is_faster(next->second) || next->first - at->first < 2) continue;
    values.push_back(at->first + (next->first - at->first) / 2);
  }
  return values;
}

/// How far from a crossing the values that show no difference reach without a break.
void find_unclear(const Seen& seen, Seen::const_iterator before, Crossing& crossing) {
  crossing.unclear_from = crossing.first;
  crossing.unclear_to = crossing.last;
  for (auto at = before; !is_clear(at->second); --at) {
    crossing.unclear_from = at->first;
    if (at == seen.begin()) break;
  }
  for (auto at = std::next(before); at != seen.end() && !is_clear(at->second); ++at) {
    crossing.unclear_to = at->first;
  }
}

}  // namespace

std::vector<Crossing> find_crossings(std::uint64_t low, std::uint64_t high, const Measure& measure,
                                     Seen& seen) {
  std::vector<std::uint64_t> grid;
  for (std::uint64_t at = low; at < high; at *= 2) grid.push_back(at);
  grid.push_back(high);
  look_at(grid, measure, seen);
  for (auto next = middles(seen); !next.empty(); next = middles(seen)) look_at(next, measure, seen);
  std::vector<Crossing> crossings;
  for (auto at = seen.cbegin(); std::next(at) != seen.cend(); ++at) {
    const auto next = std::next(at);
    if (is_faster(at->second) == is_faster(next->second)) continue;
    Crossing crossing{at->first, next->first, is_faster(next->second), 0, 0};
    find_unclear(seen, at, crossing);
    crossings.push_back(crossing);
  }
  return crossings;
}

}  // namespace hotline::experiment
