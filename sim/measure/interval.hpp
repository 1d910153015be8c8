#pragma once

#include <cstddef>
#include <span>

namespace hotline::measure {

/// An estimate with its 95 % confidence interval.
struct Interval {
  double mean = 0;
  double low = 0;
  double high = 0;
  std::size_t samples = 0;

  /// One sample says nothing about its own spread.
  [[nodiscard]] bool has_bounds() const { return samples >= 2; }
  /// Half the width; zero without bounds.
  [[nodiscard]] double half_width() const { return (high - low) / 2; }
  /// True if the bounds exist and `value` lies outside them.
  [[nodiscard]] bool excludes(double value) const {
    return has_bounds() && (value < low || value > high);
  }
};

/// So many standard errors on either side hold the middle 95 % of Student's t distribution.
[[nodiscard]] double t_quantile(std::size_t degrees_of_freedom);

/// The mean of independent replications with Student's t interval.
[[nodiscard]] Interval mean_interval(std::span<const double> samples);

/// The mean of after[i] - before[i], where pair i shares its random numbers. Both must be equally
/// long.
[[nodiscard]] Interval paired_difference(std::span<const double> before,
                                         std::span<const double> after);

/// The typical after[i] / before[i]: the interval is computed on logarithms and taken back, so that
/// it is never negative and says the same whichever side is divided by the other. (The delta method
/// gives neither.) All values must be positive; otherwise the result has no samples.
[[nodiscard]] Interval paired_ratio(std::span<const double> before, std::span<const double> after);

}  // namespace hotline::measure
