#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/time.hpp"

namespace hotline::measure {

/// A distribution of durations in buckets whose width grows with the value (the idea of HDR
/// histograms): exact below 256 ps, then 128 buckets an octave. Count, sum, least and greatest are
/// exact; a quantile is off by at most kRelativeError.
class Histogram {
 public:
  /// Half a bucket's width over the bucket's smallest value: 1/256, or 0.4 %.
  static constexpr double kRelativeError = 1.0 / 256.0;

  void add(engine::Duration value);
  /// Adds everything that `other` has counted.
  void merge(const Histogram& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The exact sum of all values.
  [[nodiscard]] engine::Duration sum() const { return sum_; }
  /// The exact mean, rounded down to a picosecond; zero if nothing was counted.
  [[nodiscard]] engine::Duration mean() const;
  /// The exact least value; zero if nothing was counted.
  [[nodiscard]] engine::Duration min() const { return count_ == 0 ? engine::Duration() : min_; }
  /// The exact greatest value; zero if nothing was counted.
  [[nodiscard]] engine::Duration max() const { return max_; }
  /// The smallest value that at least a fraction `q` (0 to 1) of all values do not exceed, to
  /// kRelativeError; zero if nothing was counted.
  [[nodiscard]] engine::Duration quantile(double q) const;

  /// How many values lay from `from` to below `to`.
  struct Bucket {
    engine::Duration from, to;
    std::uint64_t count = 0;
  };
  /// The distribution in four buckets an octave, from the least up; empty ones are left out.
  [[nodiscard]] std::vector<Bucket> quarter_octaves() const;

 private:
  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  engine::Duration sum_;
  engine::Duration min_ = engine::Duration::max();
  engine::Duration max_;
};

}  // namespace hotline::measure
