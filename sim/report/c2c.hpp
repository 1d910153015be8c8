#pragma once

#include <string>
#include <vector>

#include "sim/experiment/parting.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// In the manner of `perf c2c report`: the hot lines, then for each at most `most` lines the
/// offsets with the functions that read and write there, hits in lines that another core had
/// modified (HITM) on the same node and on others, CPUs and nodes; what is false sharing, and what
/// parting the fields has brought in another simulation.
[[nodiscard]] std::string c2c_text(const experiment::Outcome& outcome,
                                   const std::vector<experiment::Parting>& partings,
                                   std::size_t most, const Style& style);

}  // namespace hotline::report
