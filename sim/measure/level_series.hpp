#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/engine/time.hpp"

namespace hotline::measure {

/// A value over time, kept at the ends of at most 1,024 equal intervals whose length doubles as
/// time goes on: how far work had got, or how long a list was.
class LevelSeries {
 public:
  explicit LevelSeries(std::int64_t initial = 0) : initial_(initial), last_(initial) {}

  /// From `since_start` of the window on, which is not earlier than the last time.
  void set(engine::Duration since_start, std::int64_t value);
  void add(engine::Duration since_start, std::int64_t amount) { set(since_start, last_ + amount); }

  [[nodiscard]] std::int64_t last() const { return last_; }
  /// The value at a time, to a thousandth of the time for which the series goes.
  [[nodiscard]] std::int64_t at(engine::Duration since_start) const;

 private:
  static constexpr std::size_t kIntervals = 1024;

  void halve();

  std::int64_t initial_;
  std::int64_t last_;
  std::size_t current_ = 0;  // the interval that goes on; those before it are known
  std::array<std::int64_t, kIntervals> at_end_{};
  engine::Duration interval_ = engine::Duration::from_ps(1000);
};

/// Work in both halves of a window.
struct Halves {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  friend bool operator==(const Halves&, const Halves&) = default;
};

/// How work per time changed from the first half of a window to the second, as a fraction: 0 if it
/// did not, -1 if work ceased. Changes that chance alone would explain (three standard errors of
/// two Poisson counts) are 0.
[[nodiscard]] double drift(Halves halves);

}  // namespace hotline::measure
