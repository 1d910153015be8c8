#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/experiment/comparison.hpp"
#include "sim/report/document.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// Each published figure beside the simulated one, with sources and where the simulation stands.
[[nodiscard]] std::string published_text(const std::vector<experiment::Check>& checks);

/// The same as a table.
[[nodiscard]] measure::Table published_table(const std::vector<experiment::Check>& checks);

/// One table over several workloads: published and simulated figure and the error. Figures for mere
/// information are left out. With `within`, errors beyond that share are called out.
[[nodiscard]] std::string survey_text(const std::vector<experiment::Comparison>& workloads,
                                      std::optional<double> within, const Style& style);

/// The same for machines to read.
[[nodiscard]] Document survey_document(const std::vector<experiment::Comparison>& workloads);

/// How many predictions lie farther from what was published than `within`, as a share. What the
/// workload was calibrated on does not count.
[[nodiscard]] std::size_t beyond(const std::vector<experiment::Comparison>& workloads,
                                 double within);

}  // namespace hotline::report
