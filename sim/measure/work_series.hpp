#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/engine/time.hpp"

namespace hotline::measure {

/// Work over time in at most 64 equal intervals, whose length doubles as time goes on. Answers
/// whether a run was steady while it was measured; a rule that finds the end of a transient can
/// be built on the same intervals.
class WorkSeries {
 public:
  /// Work done at `since_start` of the window.
  void add(engine::Duration since_start, std::uint64_t amount);

  /// Work in both halves of a window of this length, to a 32nd of it.
  struct Halves {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    friend bool operator==(const Halves&, const Halves&) = default;
  };
  [[nodiscard]] Halves halves(engine::Duration length) const;

 private:
  static constexpr std::size_t kIntervals = 64;

  std::array<std::uint64_t, kIntervals> work_{};
  engine::Duration interval_ = engine::Duration::from_ps(1000);
};

/// How work per time changed from the first half of a window to the second, as a fraction: 0 if it
/// did not, -1 if work ceased. Changes that chance alone would explain (three standard errors of
/// two Poisson counts) are 0.
[[nodiscard]] double drift(WorkSeries::Halves halves);

}  // namespace hotline::measure
