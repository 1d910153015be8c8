#pragma once

#include <span>
#include <string>

#include "sim/experiment/comparison.hpp"
#include "sim/measure/table.hpp"

namespace hotline::report {

/// The table "ratios": variants against the baseline at one point, with verdicts in words.
[[nodiscard]] measure::Table ratio_table(std::span<const experiment::Contrast> contrasts,
                                         const std::string& baseline);

}  // namespace hotline::report
