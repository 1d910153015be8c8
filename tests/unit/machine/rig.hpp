#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/engine/simulator.hpp"
#include "sim/engine/task.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/topology.hpp"
#include "sim/os/thread.hpp"
#include "tests/unit/machine/machines.hpp"

namespace hotline::tests {

using engine::Duration;
using engine::SimTime;
using engine::Task;
using machine::CoreId;
using machine::CpuId;
using machine::LineId;
using machine::NodeId;
using machine::Value;
using machine::Word;
using os::Pace;
using os::Thread;

/// One machine and a thread on each of the CPUs asked for. What a test spawns gets the threads and
/// words by reference or value; the rig outlives them.
class Rig {
 public:
  struct Setup {
    machine::Description machine;
    bool batching = true;
    engine::TieOrder ties = {};
    std::uint64_t seed = 1;
  };

  explicit Rig(Setup setup);
  explicit Rig(const machine::Description& description) : Rig(Setup{.machine = description}) {}
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  engine::Simulator& simulator() { return simulator_; }
  machine::Machine& machine() { return machine_; }
  const machine::Topology& topology() const { return topology_; }
  SimTime now() const { return simulator_.now(); }

  /// The thread on a CPU, made (and its port marked busy) at the first call.
  Thread& thread(std::uint32_t cpu);
  /// A word of `size` bytes at the start of a line of its own.
  Word word(std::uint32_t node = 0, unsigned size = 8);
  /// A word of the same line as `word`.
  Word beside(Word word, std::uint32_t offset, unsigned size = 8) const;

  void spawn(Task<> task) { simulator_.spawn(std::move(task)); }
  /// Runs until every task has ended; fails the test if one waits for ever, or if a line then has a
  /// writer beside other copies.
  void run();
  /// Runs for `length` of simulated time; tasks may be left.
  void run_for(Duration length);

 private:
  machine::Topology topology_;
  engine::Simulator simulator_;
  machine::Machine machine_;
  std::vector<std::unique_ptr<Thread>> threads_;  // by CPU
};

/// Runs one operation, computation or short program and returns how long it took.
template <class Awaitable>
Task<> timed(Rig& rig, Awaitable what, Duration& taken) {
  const SimTime began = rig.now();
  co_await what;
  taken = rig.now() - began;
}

/// How long one operation takes on an otherwise idle machine, from now.
template <class Awaitable>
Duration time_of(Rig& rig, Awaitable what) {
  Duration taken;
  rig.spawn(timed(rig, what, taken));
  rig.run();
  return taken;
}

/// Fetch-adds without pause until `end`; counts those that ended by then.
Task<> hammer(Thread& self, Word word, SimTime end, std::uint64_t& done);

}  // namespace hotline::tests
