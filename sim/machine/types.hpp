#pragma once

#include <compare>
#include <cstdint>

#include "sim/engine/time.hpp"

namespace hotline::machine {

using engine::Duration;
using engine::SimTime;

/// A dense index that cannot be mixed up with an index of another kind.
template <class Tag>
struct Id {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(Id, Id) = default;
};

using CpuId = Id<struct CpuTag>;          ///< a hardware thread
using CoreId = Id<struct CoreTag>;        ///< what has a private cache; SMT siblings share one
using ClusterId = Id<struct ClusterTag>;  ///< cores behind one shared cache (a CCX, a CCL)
using SocketId = Id<struct SocketTag>;
using NodeId = Id<struct NodeTag>;    ///< a NUMA node: memory, and the homes of its lines
using AgentId = Id<struct AgentTag>;  ///< what keeps track of the lines of one domain
using LineId = Id<struct LineTag>;

/// A simulated byte address; lines are numbered `address / line size`.
using Address = std::uint64_t;
/// The contents of a word of up to eight bytes, zero-extended.
using Value = std::uint64_t;
using Bytes = std::uint64_t;

/// A naturally aligned word of 1, 2, 4 or 8 bytes inside one line.
struct Word {
  LineId line;
  std::uint8_t offset = 0;  ///< bytes from the start of the line
  std::uint8_t size = 8;    ///< bytes
  friend constexpr auto operator<=>(const Word&, const Word&) = default;
};

/// Thousandths of a core's clock cycle; becomes time only with a clock.
struct Cycles {
  std::uint64_t milli = 0;
  friend constexpr auto operator<=>(Cycles, Cycles) = default;
};

/// A latency as a machine file states it: a fixed time, plus cycles of the core that pays it.
struct Latency {
  Duration time;
  Cycles cycles;
  friend constexpr bool operator==(const Latency&, const Latency&) = default;
};

}  // namespace hotline::machine
