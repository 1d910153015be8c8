#include "sim/measure/level_series.hpp"

#include <cmath>

namespace hotline::measure {

using engine::Duration;

void LevelSeries::set(Duration since_start, std::int64_t value) {
  while (since_start / interval_ >= kIntervals) halve();
  const auto now = static_cast<std::size_t>(since_start / interval_);
  while (current_ < now) at_end_[current_++] = last_;
  last_ = value;
}

/// Half as many intervals, each twice as long.
void LevelSeries::halve() {
  current_ /= 2;
  for (std::size_t i = 0; i < current_; ++i) at_end_[i] = at_end_[2 * i + 1];
  interval_ = interval_ * 2;
}

std::int64_t LevelSeries::at(Duration since_start) const {
  const std::uint64_t ended = (since_start + interval_ / 2) / interval_;
  if (ended == 0) return initial_;
  return ended <= current_ ? at_end_[static_cast<std::size_t>(ended - 1)] : last_;
}

double drift(Halves halves) {
  const auto first = static_cast<double>(halves.first);
  const auto second = static_cast<double>(halves.second);
  if (first == 0) return second > 0 ? 1 : 0;
  constexpr double kStandardErrors = 3;
  const double by_chance = kStandardErrors * std::sqrt(first + second);
  return std::abs(second - first) <= by_chance ? 0 : second / first - 1;
}

}  // namespace hotline::measure
