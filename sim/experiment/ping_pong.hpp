#pragma once

#include "sim/machine/topology.hpp"

namespace hotline::experiment {

/// How the two threads of a ping-pong wait for their turn.
enum class Turn : std::uint8_t {
  kBlind,      ///< by the exchange itself: each failing one takes ownership (core-to-core-latency,
               ///< perfbook's blindcmpxchg)
  kLoadFirst,  ///< by loads; the exchange follows when the turn has come (perfbook's cmpxchg)
};

/// One way of a simulated ping-pong between two hardware threads on a word homed on `home`, as the
/// public tools measure it: the mean over `hand_overs`, and over a few lines, since their slices
/// differ. The request of the waiting side overlaps the other's tenure, so this is less than an
/// uncontended transfer (machine::transfer_path).
machine::Duration ping_pong(const machine::Topology& topology, machine::CpuId a, machine::CpuId b,
                            machine::NodeId home, Turn turn, std::uint32_t hand_overs = 60);

}  // namespace hotline::experiment
