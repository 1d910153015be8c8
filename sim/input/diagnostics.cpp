#include "sim/input/diagnostics.hpp"

#include <algorithm>
#include <utility>

namespace hotline::input {
namespace {

constexpr std::size_t kMostKept = 1000;

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
  const Place& place = diagnostic.place;
  std::string text;
  if (!place.file.empty()) text += place.file + ":";
  if (place.position.line > 0) {
    text += std::to_string(place.position.line) + ":" + std::to_string(place.position.column) + ":";
  }
  if (!text.empty()) text += " ";
  text += diagnostic.severity == Severity::kError ? "error: " : "warning: ";
  if (!place.path.empty()) text += place.path + ": ";
  return text + diagnostic.message;
}

void Diagnostics::error(Place place, std::string message) {
  add({Severity::kError, std::move(place), std::move(message)});
}

void Diagnostics::warning(Place place, std::string message) {
  add({Severity::kWarning, std::move(place), std::move(message)});
}

void Diagnostics::add(Diagnostic diagnostic) {
  std::size_t& count = diagnostic.severity == Severity::kError ? errors_ : warnings_;
  if (all_.size() >= kMostKept) {
    ++count;
    return;
  }
  // A document read twice (once to look at it, once in full) must not repeat itself.
  const auto same = [&diagnostic](const Diagnostic& other) {
    return other.severity == diagnostic.severity && other.message == diagnostic.message &&
           other.place.file == diagnostic.place.file && other.place.path == diagnostic.place.path &&
           other.place.position == diagnostic.place.position;
  };
  if (std::any_of(all_.begin(), all_.end(), same)) return;
  ++count;
  all_.push_back(std::move(diagnostic));
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<std::string> files;
  for (const Diagnostic& diagnostic : all_) {
    if (std::find(files.begin(), files.end(), diagnostic.place.file) == files.end()) {
      files.push_back(diagnostic.place.file);
    }
  }
  const auto key = [&files](const Diagnostic& diagnostic) {
    const auto file = std::find(files.begin(), files.end(), diagnostic.place.file);
    return std::pair(file - files.begin(), diagnostic.place.position);
  };
  std::vector<Diagnostic> sorted = all_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&key](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  return sorted;
}

std::string Diagnostics::text() const {
  std::string text;
  for (const Diagnostic& diagnostic : sorted()) text += to_string(diagnostic) + "\n";
  const std::size_t left_out = errors_ + warnings_ - all_.size();
  if (left_out > 0) text += "and " + std::to_string(left_out) + " more\n";
  return text;
}

void Diagnostics::throw_if_errors() const {
  if (has_errors()) throw InputError(*this);
}

}  // namespace hotline::input
