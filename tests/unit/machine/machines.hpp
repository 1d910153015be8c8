#pragma once

#include <cstdint>

#include "sim/engine/time.hpp"
#include "sim/machine/description.hpp"

namespace hotline::tests {

/// Picoseconds and nanoseconds as lengths of time.
constexpr engine::Duration ps(std::uint64_t count) { return engine::Duration::from_ps(count); }
constexpr engine::Duration ns(std::uint64_t count) { return ps(count * 1000); }

/// The machines that the physics is shown on: one set of legs each, which fits all that was
/// measured there (the legs and what they fit: docs/physics.md).

/// 8-socket Xeon 8176 in two halves of four sockets of 28 cores; `sockets` from 1 to 8.
machine::Description xeon8176(std::uint32_t sockets);
/// i7-6700HQ, 4 cores.
machine::Description skylake_client();
/// Graviton2, 64 Neoverse N1 cores on one mesh; an add without result is executed far.
machine::Description graviton2();
/// Cores behind one crossbar with gem5's MESI_Two_Level.
machine::Description gem5_crossbar(std::uint32_t cores);

/// The machines that mechanisms are shown on; their legs are round figures, no two alike.

/// Sockets on a ring of 40 ns links, each with an agent; every hop as long as every other.
machine::Description even_sockets(std::uint32_t sockets, std::uint32_t cores_per_socket);
/// The same with hops from 3 to 9 ns.
machine::Description uneven_sockets(std::uint32_t sockets, std::uint32_t cores_per_socket);
/// Clusters with agents in sockets without: every transfer between clusters visits the home (P8).
machine::Description clusters_below_homes(std::uint32_t sockets, std::uint32_t clusters,
                                          std::uint32_t cores);
/// Clusters with agents in sockets with agents: two levels.
machine::Description clusters_below_sockets(std::uint32_t sockets, std::uint32_t clusters,
                                            std::uint32_t cores);
/// Cores directly below the homes: a bus, or sockets of one core.
machine::Description bare_cores(std::uint32_t sockets, std::uint32_t cores_per_socket);

}  // namespace hotline::tests
