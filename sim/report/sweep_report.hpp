#pragma once

#include <string>

#include "sim/experiment/sweep.hpp"
#include "sim/report/chart.hpp"
#include "sim/report/document.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// A sweep as text: work per second of every variant at every point with ratios, then where the
/// time goes.
[[nodiscard]] std::string sweep_text(const experiment::Sweep& sweep, const Style& style);

/// The same for machines to read. Refers to names of the sweep, which must live as long.
[[nodiscard]] Document sweep_document(const experiment::Sweep& sweep);

/// Throws OutputError if no axis has several numbers.
void check_can_plot(const std::vector<experiment::Axis>& axes);

/// Work per second over the numeric axis with the most values: a curve for each combination of all
/// others. Throws OutputError if there is no such axis.
[[nodiscard]] Chart sweep_chart(const experiment::Sweep& sweep);

}  // namespace hotline::report
