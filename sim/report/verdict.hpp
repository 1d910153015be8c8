#pragma once

#include <string>

#include "sim/experiment/comparison.hpp"

namespace hotline::report {

/// A contrast in a sentence without its full stop: "after is 3.7 to 4.1 times faster, 95 %", "after
/// is 12 to 15 % slower, 95 %", "after: no difference shown; 1 % would need about 40 more
/// replications".
[[nodiscard]] std::string verdict_text(const experiment::Contrast& contrast);

/// "3.57 [3.53, 3.61]".
[[nodiscard]] std::string ratio_text(const measure::Interval& ratio);

}  // namespace hotline::report
