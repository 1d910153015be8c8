#pragma once

#include <cstddef>
#include <span>

namespace hotline::measure {

/// Where a run's transient ends.
struct Transient {
  std::size_t observations = 0;  ///< to leave out at the beginning
  /// False if the rule wants to leave out half or more: then the run was too short to tell.
  bool has_ended = true;
};

/// Finds it by MSER-m (White, Simulation 69, 1997; m = 5: White, Cobb, Spratt, WSC 2000): means of
/// `batch` observations each are taken, and as many of the first ones are left out as make the
/// standard error of the mean of the others least. docs/statistics.md says why this rule.
[[nodiscard]] Transient find_transient(std::span<const double> series, std::size_t batch = 5);

}  // namespace hotline::measure
