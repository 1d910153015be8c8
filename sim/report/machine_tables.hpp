#pragma once

#include "sim/experiment/outcome.hpp"
#include "sim/measure/table.hpp"

/// The machine of an outcome, for drawing it.
namespace hotline::report {

/// One row: how many sockets, nodes, clusters, cores and hardware threads.
[[nodiscard]] measure::Table machine_table(const experiment::Outcome& outcome);

/// One row a direction of each link between NUMA nodes, with the lines whose data it carried: what
/// went between two nodes went along the shortest route.
[[nodiscard]] measure::Table link_table(const experiment::Outcome& outcome);

}  // namespace hotline::report
