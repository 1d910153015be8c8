#pragma once

#include <string>

#include "sim/experiment/comparison.hpp"
#include "sim/report/document.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// A comparison as text: work per second of every variant at every point with ratios and intervals,
/// published figures beside the simulated ones, where the time goes at every point, and locks, hot
/// lines and functions at the point that the published figures are about (else the last one that is
/// no hypothetical).
[[nodiscard]] std::string compare_text(const experiment::Comparison& comparison,
                                       const Style& style);

/// The same for machines to read, with the tables of every variant at every point.
[[nodiscard]] Document compare_document(const experiment::Comparison& comparison);

}  // namespace hotline::report
