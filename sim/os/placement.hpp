#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/engine/random.hpp"
#include "sim/machine/topology.hpp"

namespace hotline::os {

/// In which order threads are pinned to the CPUs of a machine, one thread a CPU.
enum class Spread : std::uint8_t {
  kCompact,     ///< socket by socket: one thread on each core, then the SMT siblings
  kCompactSmt,  ///< socket by socket, core by core: a core's siblings together
  kScatter,     ///< a CPU of each socket in turn, cores before siblings
  kRandom,      ///< as draw() has it: in any order, cores before siblings
};

/// The spellings of Spread in workloads, in the order of the enumerators.
inline constexpr std::string_view kSpreadNames[] = {"compact", "compact-smt", "scatter", "random"};

/// Where a group of threads goes.
struct Placement {
  Spread spread = Spread::kCompact;
  std::vector<std::uint32_t> cpus;   ///< if not empty: exactly these, in this order
  std::vector<std::uint32_t> nodes;  ///< if not empty: only CPUs of these NUMA nodes, in this order
};

/// The CPUs of the machine in the order in which the placement hands them out. Throws
/// std::invalid_argument for a CPU or node that the machine has not, or one listed twice.
std::vector<machine::CpuId> placement_order(const machine::Topology& topology,
                                            const Placement& placement);

/// The CPUs of `threads` threads. Throws std::invalid_argument as above, and with a text for the
/// user if there are more threads than CPUs.
std::vector<machine::CpuId> place(const machine::Topology& topology, const Placement& placement,
                                  std::uint32_t threads);

/// Shuffles CPUs: first those that are their core's first hardware thread, in any order, then the
/// second ones, and so on.
void draw(std::vector<machine::CpuId>& cpus, const machine::Topology& topology,
          engine::Random& random);

}  // namespace hotline::os
