#include "sim/measure/work_series.hpp"

#include <cmath>

namespace hotline::measure {

using engine::Duration;

void WorkSeries::add(Duration since_start, std::uint64_t amount) {
  while (since_start / interval_ >= kIntervals) {
    for (std::size_t i = 0; i < kIntervals / 2; ++i) work_[i] = work_[2 * i] + work_[2 * i + 1];
    for (std::size_t i = kIntervals / 2; i < kIntervals; ++i) work_[i] = 0;
    interval_ = interval_ * 2;
  }
  work_[static_cast<std::size_t>(since_start / interval_)] += amount;
}

WorkSeries::Halves WorkSeries::halves(Duration length) const {
  Halves result;
  for (std::size_t i = 0; i < kIntervals; ++i) {
    const Duration middle = interval_ * i + interval_ / 2;
    (middle < length / 2 ? result.first : result.second) += work_[i];
  }
  return result;
}

double drift(WorkSeries::Halves halves) {
  const auto first = static_cast<double>(halves.first);
  const auto second = static_cast<double>(halves.second);
  if (first == 0) return second > 0 ? 1 : 0;
  constexpr double kStandardErrors = 3;
  const double by_chance = kStandardErrors * std::sqrt(first + second);
  return std::abs(second - first) <= by_chance ? 0 : second / first - 1;
}

}  // namespace hotline::measure
