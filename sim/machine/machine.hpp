#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/simulator.hpp"
#include "sim/machine/line_statistics.hpp"
#include "sim/machine/port.hpp"
#include "sim/machine/probe.hpp"
#include "sim/machine/topology.hpp"
#include "sim/machine/types.hpp"

namespace hotline::machine {

class Coherence;

struct Options {
  /// Serve the waiters of a changed line together, and compute what is certain ahead. Off: each
  /// step of each waiter is an event of its own, the reference that gives the same times.
  bool batching = true;
};

/// What the whole machine has done, for rates and for checks.
struct Counts {
  std::uint64_t operations = 0;  ///< memory operations performed
  std::uint64_t misses = 0;      ///< operations that had to wait for a line
  std::uint64_t reads = 0;       ///< requests for a Shared copy (GetS)
  std::uint64_t ownerships = 0;  ///< requests for ownership, upgrades included (GetM)
  std::uint64_t upgrades = 0;    ///< of these, by a core that had a Shared copy
  std::uint64_t far_atomics = 0;
  std::uint64_t invalidations = 0;
  Duration miss_time;  ///< from leaving the core to performed, over all misses
};

/// A simulated machine: memory, caches and the hardware threads' ports. Lives in one run of one
/// simulator.
class Machine {
 public:
  Machine(engine::Simulator& simulator, const Topology& topology, Options options = {});
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  const Topology& topology() const;
  engine::Simulator& simulator();

  /// Reserves `bytes` of zeroed memory homed on `home`, on lines (and adjacent-line pairs) of its
  /// own. The label names it in reports. Throws std::invalid_argument for a node without memory.
  Address allocate(Bytes bytes, NodeId home, std::string_view label);
  /// The word of `size` bytes (1, 2, 4, 8) at an address. Throws std::invalid_argument unless it is
  /// naturally aligned and inside allocated memory.
  Word word(Address address, unsigned size) const;
  std::uint32_t lines() const;
  Bytes line_bytes() const;

  /// Writes or reads a word outside simulated time (set-up, checks).
  void poke(Word word, Value value);
  Value peek(Word word) const;

  Port& port(CpuId cpu);

  /// Watches the machine from now on; null for nobody. The probe must outlive the run.
  void set_probe(Probe* probe);

  const Counts& counts() const;
  /// Statistics of one line since the start or the last reset; null for a line that never missed.
  const LineStatistics* statistics(LineId line) const;
  /// Lines whose data went from one NUMA node to another, by from * nodes + to, since the start or
  /// the last reset.
  const std::vector<std::uint64_t>& traffic() const;
  /// The label of the allocation that the line belongs to, and the line's first byte within it.
  struct Owner {
    std::string_view label;
    Bytes offset = 0;
  };
  Owner owner(LineId line) const;
  /// Forgets counts and statistics, keeps all states: the end of the warm-up.
  void reset_statistics();

  /// The state of a core's copy: 'I', 'S', 'E', 'M', 'O', for tests and explanations.
  char state(CoreId core, LineId line) const;
  /// Checks that no line has two exclusive holders, or a holder beside foreign copies. Throws
  /// std::logic_error naming the line; for tests.
  void check_single_writer() const;

 private:
  std::unique_ptr<Coherence> coherence_;
};

}  // namespace hotline::machine
