#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/simulator.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/topology.hpp"
#include "sim/os/thread.hpp"
#include "sim/workload/observer.hpp"
#include "sim/workload/scenario.hpp"

namespace hotline::os {
class CpuWatcher;
}

namespace hotline::workload {

struct RunOptions {
  std::uint64_t seed = 1;
  engine::TieOrder tie_order{};
  bool batching = true;                ///< false: the reference mode of the machine
  double duration_scale = 1.0;         ///< of warm-up and measurement, for quick looks
  std::optional<Duration> warm_up{};   ///< instead of the scenario's
  std::optional<Duration> duration{};  ///< instead of the scenario's
  Observer* observer = nullptr;
  machine::Probe* probe = nullptr;
  os::CpuWatcher* cpu_watcher = nullptr;  ///< told of switches between threads
};

/// A lock instance: of a lock object, or embedded in a struct.
struct LockInfo {
  std::string name;  ///< "queue[7].lock"
  std::string model;
  std::string group;         ///< the name without instance numbers, to sum up over: "queue.lock"
  bool has_readers = false;  ///< that share it
  machine::Address address = 0;  ///< of its first word
};

/// A counter instance and what it holds.
struct CounterInfo {
  std::string name;
  std::string model;
  std::string group;
};

/// A number that all threads share, and its value now.
struct SharedVariable {
  std::string name;
  std::uint32_t slot = 0;
  std::int64_t value = 0;
};

/// A word of simulated memory with the name that the workload gives it.
struct WordName {
  std::string object;  ///< without instance numbers: "ns", "queue"
  std::string name;    ///< "ns.msg_bytes.count", "queue[7].lock.tail"
  machine::Word word;
};

enum class Ending : std::uint8_t {
  kTimeUp,    ///< the measurement's duration is over
  kFinished,  ///< every program has ended
  kStuck,     ///< threads wait for what can never come, or no work was counted for too long
};

/// One simulation: simulator, machine, models and threads, built from a scenario and run once.
/// Uses no state outside itself, so that runs may go on in several host threads at once.
class Run {
 public:
  /// Builds everything. Throws input::InputError if the scenario cannot be built (fields that
  /// overlap, more threads than CPUs).
  Run(const Scenario& scenario, const RunOptions& options);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Warm-up, then measurement. Throws input::InputError if a program does what cannot be done
  /// (divides by zero, releases what it does not hold, loops without passing time).
  Ending run();

  const Scenario& scenario() const;
  const machine::Topology& topology() const;
  machine::Machine& machine();
  engine::Simulator& simulator();
  std::uint32_t threads() const;
  const os::Thread& thread(ThreadId id) const;
  const std::string& group_of(ThreadId id) const;
  /// The thread that has the CPU now; null if it idles.
  const os::Thread* running_on(machine::CpuId cpu) const;

  /// When the measured stretch began and ended; valid after run().
  SimTime measured_from() const;
  SimTime measured_to() const;

  const std::vector<LockInfo>& locks() const;
  const std::vector<CallSite>& call_sites() const;
  const std::vector<std::string>& works() const;
  /// Their names by function id; a function has one id for each way into it.
  const std::vector<std::string>& functions() const;
  /// Who calls it: a name, or nothing if the program itself does.
  std::string caller_of(os::FunctionId function) const;
  /// The numbers that all threads share.
  std::vector<SharedVariable> shared_variables() const;
  /// The functions that are running when that one runs, outermost first and itself last.
  std::vector<os::FunctionId> calls_of(os::FunctionId function) const;
  const std::vector<CounterInfo>& counters() const;
  /// What counter `index` would sum up to now.
  std::int64_t total(std::size_t index) const;

  /// All named words, by line and offset.
  const std::vector<WordName>& words() const;
  /// The words of one line joined for a table: "ns.msg_bytes, ns.msg_hdrs"; empty for a line that
  /// no object has.
  std::string describe_line(machine::LineId line) const;

  /// Where each thread's time since the start of the run has gone, up to the simulator's clock;
  /// each adds up to it exactly. What is under way is booked as if it ended now; the time after a
  /// program's end is `other`.
  os::TimeAccounts accounts(ThreadId id) const;
  /// The same at measured_from(), for differences; valid after run().
  const os::TimeAccounts& accounts_at_start(ThreadId id) const;

  /// Work counted by one thread inside the measured stretch.
  std::uint64_t work(WorkId work, ThreadId thread) const;
  /// And by all of them.
  std::uint64_t work(WorkId work) const;

  /// After Ending::kStuck: one line a thread that cannot go on, saying where it waits for what.
  std::vector<std::string> stuck() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace hotline::workload
