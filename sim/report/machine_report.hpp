#pragma once

#include <string>
#include <vector>

#include "sim/machine/reader.hpp"
#include "sim/machine/topology.hpp"
#include "sim/machine/transfer.hpp"
#include "sim/report/heat_map.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// What a transfer between two cores of one distance class costs.
struct DistanceSummary {
  std::string distance;
  std::uint64_t pairs = 0;    ///< ordered pairs of hardware threads' cores on this machine
  std::uint64_t sampled = 0;  ///< of them, those that were looked at
  engine::Duration least, median, most;
};

/// One uncontended compare-and-exchange on a line that another core holds modified, by distance
/// class. A pair's cost is the mean over slices, and over homes on the giver's and the taker's
/// node, as a ping-pong has it. Big machines are sampled evenly.
[[nodiscard]] std::vector<DistanceSummary> distance_summary(const machine::Topology& topology);

/// The same for each pair of cores, for a picture; of machines with more than 256 cores every k-th.
[[nodiscard]] TransferMatrix transfer_matrix(const machine::Topology& topology);

/// Topology, figures and the transfer table; with `sources` also where each figure comes from.
[[nodiscard]] std::string machine_text(const machine::MachineFile& file, bool sources,
                                       const Style& style);

/// The machines there are.
[[nodiscard]] std::string machines_text(const std::vector<machine::MachineInfo>& machines,
                                        const Style& style);

/// One transfer as the sum of its legs, with running and final total.
[[nodiscard]] std::string transfer_text(const machine::Topology& topology, machine::CpuId from,
                                        machine::CpuId to, machine::NodeId home,
                                        const Style& style);

}  // namespace hotline::report
