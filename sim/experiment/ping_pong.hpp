#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/engine/simulator.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/topology.hpp"

namespace hotline::experiment {

/// How the two threads of a ping-pong wait for their turn.
enum class Turn : std::uint8_t {
  kBlind,      ///< by the exchange itself: each failing one takes ownership (core-to-core-latency,
               ///< perfbook's blindcmpxchg)
  kLoadFirst,  ///< by loads; the exchange follows when the turn has come (perfbook's cmpxchg)
};

/// Ping-pongs between hardware threads of one machine, as the public tools measure them. The
/// request of the waiting side overlaps the other's tenure, so a hand-over takes less than an
/// uncontended transfer (machine::transfer_path).
class PingPong {
 public:
  explicit PingPong(const machine::Topology& topology) : machine_(simulator_, topology) {}

  /// One way between two different hardware threads on a word homed on `home`: the mean over
  /// `hand_overs` on each of `lines` lines, since their slices differ.
  machine::Duration one_way(machine::CpuId a, machine::CpuId b, machine::NodeId home,
                            Turn turn = Turn::kBlind, std::uint32_t lines = 4,
                            std::uint32_t hand_overs = 60);

 private:
  engine::Simulator simulator_;
  machine::Machine machine_;
};

/// Two hardware threads that play, and the node of their line's home.
struct Pairing {
  machine::CpuId a;
  machine::CpuId b;
  machine::NodeId home;
};

/// Up to forty pairs of cores of one distance class, spread over the machine; `distance` is the
/// beginning of the class's name. The line's home is the first core's node, or another node. Empty
/// if there is no such pair.
[[nodiscard]] std::vector<Pairing> class_pairs(const machine::Topology& topology,
                                               const std::string& distance, bool is_home_remote);

/// Their blind ping-pongs one after the other, ns one way.
[[nodiscard]] std::vector<double> one_ways(const machine::Topology& topology,
                                           std::span<const Pairing> pairs);

/// The median of the blind ping-pongs of class_pairs(), ns. Throws std::invalid_argument if there
/// is no such pair.
[[nodiscard]] double class_median(const machine::Topology& topology, const std::string& distance,
                                  bool is_home_remote);

}  // namespace hotline::experiment
