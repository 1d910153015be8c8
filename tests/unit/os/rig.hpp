#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/engine/simulator.hpp"
#include "sim/engine/task.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/topology.hpp"
#include "sim/os/scheduler.hpp"
#include "sim/os/thread.hpp"
#include "tests/unit/machine/machines.hpp"

namespace hotline::tests {

constexpr engine::Duration us(std::uint64_t count) {
  return engine::Duration::from_ps(count * 1'000'000);
}
constexpr engine::SimTime at_us(std::uint64_t count) { return engine::SimTime() + us(count); }

/// An operating system without any cost but a tick of 1 ms, so that expected times are round.
os::Parameters free_os();

/// A machine with cores of one hardware thread, and threads that its scheduler places.
class SchedulerRig {
 public:
  SchedulerRig(std::uint32_t cores, os::Parameters parameters, std::uint64_t seed = 1,
               engine::TieOrder ties = {});
  SchedulerRig(const SchedulerRig&) = delete;
  SchedulerRig& operator=(const SchedulerRig&) = delete;

  engine::Simulator& simulator() { return simulator_; }
  machine::Machine& machine() { return machine_; }
  os::Scheduler& scheduler() { return scheduler_; }
  engine::SimTime now() const { return simulator_.now(); }

  struct Where {
    std::uint32_t cpu = 0;
    os::Priority priority = {};
    bool pinned = true;
    bool in_kernel = false;
  };
  /// A new thread; its body is run by start().
  os::Thread& thread(Where where);
  os::Thread& thread(std::uint32_t cpu) { return thread(Where{.cpu = cpu}); }
  /// Runs `body` as the thread's program.
  void start(os::Thread& thread, engine::Task<> body);
  machine::Word word() { return machine_.word(machine_.allocate(64, {0}, "word"), 8); }

  /// Runs until all programs have ended; fails the test if that takes longer than `limit`.
  void run(engine::Duration limit = us(60'000'000));
  /// Fails the test unless every thread's accounts add up to the time since the start.
  void check_accounts();

 private:
  engine::Task<> program(os::Thread& thread, engine::Task<> body);

  machine::Topology topology_;
  engine::Simulator simulator_;
  machine::Machine machine_;
  os::Scheduler scheduler_;
  std::vector<std::unique_ptr<os::Thread>> threads_;
  std::vector<engine::SimTime> made_at_;
  std::size_t running_ = 0;
};

}  // namespace hotline::tests
