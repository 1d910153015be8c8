#pragma once

#include <cstddef>
#include <string>

#include "sim/experiment/comparison.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// For each variant at one point, in plain sentences: the line that costs most CPU time with its
/// transfers by distance, the function that waits most, and from which point on it bites.
[[nodiscard]] std::string in_short(const experiment::Comparison& comparison,
                                   const experiment::ComparedPoint& point);

/// Where one variant's time goes at every point: how a bottleneck grows, and what comes next.
[[nodiscard]] std::string growth_table(const experiment::Comparison& comparison,
                                       std::size_t variant, const Style& style);

}  // namespace hotline::report
