#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/time.hpp"

namespace hotline::os {

using engine::Duration;

/// When a thread in the kernel gives up its CPU to one that should run instead. User code can be
/// preempted always.
enum class Preemption : std::uint8_t {
  kNone,       ///< only where it blocks, yields or returns to user mode
  kVoluntary,  ///< and at cond_resched()
  kFull,       ///< everywhere but where preemption is disabled (holding a spinlock)
  kRealTime,   ///< as full, in a kernel whose spinlocks are sleeping ones: a workload's choice
};

/// The spellings of Preemption in workloads, in the order of the enumerators.
inline constexpr std::string_view kPreemptionNames[] = {"none", "voluntary", "full", "rt"};

/// How deep an idle CPU sleeps: it is in the last state whose residency it has idled for.
struct IdleState {
  std::string name;
  Duration residency;     ///< idle for so long before this state is entered
  Duration exit_latency;  ///< from the interrupt to the first instruction
};

/// A hypervisor that takes the CPUs of its guest away, each at a phase of its own.
struct Steal {
  Duration period;
  std::uint32_t permille = 0;  ///< of each period in which a vCPU does not run
};

/// What the operating system does and what it costs. The default is the ideal one: every thread has
/// a CPU of its own, and sleeping and waking cost nothing.
struct Parameters {
  /// Ticks a second; 0: no tick, so that no thread is preempted at the end of its slice.
  std::uint32_t hz = 0;
  /// Ticks of different CPUs are apart (skew_tick=1); else all CPUs tick at once.
  bool skew_tick = false;
  Preemption preemption = Preemption::kNone;
  // CFS of Linux 2.6.23 to 6.5 (kernel/sched/fair.c): the slice of a thread is latency divided by
  // the number of runnable threads of the CPU, but at least the minimum.
  Duration latency;
  Duration minimum_slice;
  /// A woken thread preempts one that has had so much more time.
  Duration wakeup_granularity;
  Duration context_switch;
  Duration migration;    ///< in addition, when a thread runs on another CPU than before
  Duration wake;         ///< what waking costs the waker
  Duration ipi;          ///< from sending to the first instruction of the handler
  Duration ipi_handler;  ///< what an inter-processor interrupt takes from the thread it interrupts
  Duration tick_handler;
  Duration system_call;  ///< into the kernel and back
  Duration sched_yield;  ///< in addition, of the call that finds nobody to yield to
  Duration futex_wait;   ///< in addition, until it looks at the word
  Duration futex_wake;   ///< in addition, until it looks for waiters
  std::vector<IdleState> idle_states;
  std::optional<Steal> steal;
};

/// The defaults of a workload with an `os` section: Linux on a server. Sources are in
/// docs/os.md; what has none is `inferred` there with its range.
Parameters linux_defaults();

}  // namespace hotline::os
