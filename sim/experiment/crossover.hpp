#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "sim/experiment/comparison.hpp"

namespace hotline::experiment {

/// Where one variant stops and the other begins to be the faster one, by their mean rates.
struct Crossing {
  std::uint64_t last = 0;   ///< the last value that was tried before it
  std::uint64_t first = 0;  ///< the first one after it: last + 1
  bool faster_after =
      false;  ///< the variant, rather than the baseline, is the faster from there on
  /// Around the crossing, where the intervals show no difference.
  std::uint64_t unclear_from = 0;
  std::uint64_t unclear_to = 0;  ///< less than unclear_from: everywhere else it is clear
};

/// Contrasts at values of what is varied, in their order.
using Measure = std::function<std::vector<Contrast>(const std::vector<std::uint64_t>& values)>;

/// Looks at low, 2 low, 4 low, ... high, then halves each step in which the variants swap places
/// until two neighbouring values are left. Crossings that come in pairs within one doubling are not
/// seen. Leaves in `seen` what was measured.
[[nodiscard]] std::vector<Crossing> find_crossings(std::uint64_t low, std::uint64_t high,
                                                   const Measure& measure,
                                                   std::map<std::uint64_t, Contrast>& seen);

}  // namespace hotline::experiment
