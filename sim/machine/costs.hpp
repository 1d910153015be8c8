#pragma once

#include <array>

#include "sim/machine/description.hpp"
#include "sim/machine/operation.hpp"

namespace hotline::machine {

/// The core's latencies at one clock.
struct Costs {
  Duration issue;
  Duration fill;
  Duration snoop;
  std::array<Duration, kOps> hit;  ///< an operation that hits, by kind
  Duration pause;
  Duration spin_exit;

  Duration of(Op op) const { return hit[static_cast<std::size_t>(op)]; }
  Duration load() const { return of(Op::kLoad); }
  Duration store() const { return of(Op::kStore); }
};

/// What a latency comes to at `megahertz`.
constexpr Duration resolve(const Latency& latency, std::uint64_t megahertz) {
  return latency.time + Duration::from_ps(latency.cycles.milli * 1000 / megahertz);
}

/// All of a core's latencies at `megahertz`.
Costs resolve(const CoreDescription& core, std::uint64_t megahertz);

/// The clock with so many cores of the socket busy.
std::uint64_t megahertz(const CoreDescription& core, std::uint32_t active_cores);

}  // namespace hotline::machine
