#pragma once

#include <string>
#include <vector>

#include "sim/machine/topology.hpp"

namespace hotline::machine {

class Legs;

/// "socket agent 1", "home on node 0": a keeper, an index into Legs::keepers(), for people.
std::string keeper_name(const Legs& legs, std::uint32_t keeper);

/// One named leg of a transfer.
struct TransferLeg {
  std::string what;  ///< "core 3 to agent of socket 0", ...
  Duration length;
};

/// One uncontended compare-and-exchange by `to` on a line that `from` holds modified, as the legs
/// that the coherence engine pays, in order; their sum is what a simulation takes. Two hardware
/// threads of one core share its copy, and pay the operation alone.
struct Transfer {
  std::vector<TransferLeg> legs;
  Duration total() const;
};

/// The legs of a transfer at the clock of a socket with two busy cores; `line` decides the slice.
Transfer transfer_path(const Topology& topology, CpuId from, CpuId to, NodeId home,
                       LineId line = {});

/// The mean over `lines` consecutive lines: slices differ.
Duration mean_transfer(const Topology& topology, CpuId from, CpuId to, NodeId home,
                       std::uint32_t lines = 64);

}  // namespace hotline::machine
