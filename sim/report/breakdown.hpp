#pragma once

#include <string>
#include <vector>

#include "sim/experiment/outcome.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// One stacked bar of 50 characters for all and for each of the `most` longest functions, a letter
/// a kind of time, and its percentages; plain ASCII, in colours where `style` has them.
[[nodiscard]] std::string breakdown_text(const experiment::Outcome& outcome, std::size_t most,
                                         const Style& style);

/// One bar a variant, of outcomes of one point.
[[nodiscard]] std::string breakdown_text(const std::vector<experiment::Outcome>& outcomes,
                                         const Style& style);

}  // namespace hotline::report
