#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "sim/engine/simulator.hpp"
#include "sim/machine/machine.hpp"
#include "sim/os/cpu.hpp"
#include "sim/os/parameters.hpp"
#include "sim/os/thread.hpp"

namespace hotline::os {

/// Sees what a CPU does, as RCU must: told as it happens, at no simulated cost.
class CpuWatcher {
 public:
  virtual ~CpuWatcher() = default;
  /// The CPU has left one thread and turns to another; null is the idle thread. Both are the same
  /// if it was asked to look for a better one and found none.
  virtual void switched(CpuId, Thread* /*from*/, Thread* /*to*/) {}
  /// The tick; `current` is null on a CPU that idles (which ticks only while it is asked to).
  virtual void ticked(CpuId, Thread* /*current*/) {}
};

/// What a CPU does between two operations of the thread it runs: the longer part of an interrupt's
/// handler, or a softirq.
class InterruptWork {
 public:
  virtual ~InterruptWork() = default;
  /// `context` stands for the CPU, with whose caches it operates. It must not block.
  virtual engine::Task<> run(Thread& context) = 0;
};

/// Runs when an inter-processor interrupt has reached its CPU.
class IpiHandler {
 public:
  virtual ~IpiHandler() = default;
  virtual void handle_ipi(CpuId cpu) = 0;
};

/// The operating system's part that decides which thread has which CPU: run queues by CPU,
/// time slices, real-time priorities, placement at wake-up, migration, ticks, idle states, IPIs,
/// and the hypervisor below. It never searches for waiters: blocking and waking are O(1) but for
/// the choice of a CPU.
class Scheduler {
 public:
  Scheduler(machine::Machine& machine, Parameters parameters);
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;
  ~Scheduler() = default;

  const Parameters& parameters() const { return parameters_; }
  engine::Simulator& simulator() { return simulator_; }
  machine::Machine& machine() { return machine_; }

  /// Takes over a new thread: it runs at once if its CPU is free, and queues otherwise. Its program
  /// must first await Thread::started(). It may run on the CPUs `allowed`; empty: on all.
  void adopt(Thread& thread, Priority priority = {}, std::vector<CpuId> allowed = {});
  /// The thread's program is over.
  void end(Thread& thread);
  /// Wakes a blocked thread, at no cost to anyone: from a timer or an interrupt of `on`.
  void wake(Thread& thread, CpuId on);
  void set_priority(Thread& thread, Priority priority);
  /// Interrupts `to`, which runs the handler when the interrupt has arrived.
  void send_ipi(CpuId to, IpiHandler& handler);
  /// Has the CPU do `work` in an interrupt: at once if it idles, else as soon as what it runs can
  /// be interrupted. Work that is raised again before it has begun is done once.
  void raise(CpuId cpu, InterruptWork& work);
  /// Has the CPU look for a better thread as soon as its own can be preempted.
  void reschedule(CpuId cpu);
  /// A thread of the kernel's own: blocked until it is first woken. Its program must first await
  /// Thread::started(). `allowed` as in adopt().
  Thread& add_kernel_thread(std::string name, CpuId cpu, Priority priority,
                            std::vector<CpuId> allowed = {});
  /// How many of those there are.
  std::size_t kernel_threads() const;
  void watch(CpuWatcher& watcher) { watchers_.push_back(&watcher); }

  /// The thread that has the CPU; null if it idles.
  const Thread* current(CpuId cpu) const { return cpus_[cpu.value].current; }
  bool idle(CpuId cpu) const { return cpus_[cpu.value].idle(); }
  /// Keeps the CPU's tick going even while it idles, or lets it stop then.
  bool need_resched(CpuId cpu) const { return cpus_[cpu.value].need_resched; }
  void request_tick(CpuId cpu, bool wanted);
  /// Until the time of the CPU's `count`-th tick from now, which is its timers' clock: whether or
  /// not it ticks. Needs hz.
  Duration until_tick(CpuId cpu, std::uint64_t count) const;
  Duration tick_period() const;
  SimTime now() const { return simulator_.now(); }

 private:
  friend class Thread;
  friend struct Block;
  friend struct Yield;

  struct Ipi : engine::Event {
    Scheduler* scheduler = nullptr;
    Cpu* cpu = nullptr;
    IpiHandler* handler = nullptr;
  };

  Cpu& cpu(CpuId id) { return cpus_[id.value]; }
  template <void (Scheduler::*do_it)(Cpu&)>
  static void connect(Cpu& cpu, Cpu::Signal& signal);

  // From one thread to the next (switch.cpp).
  void block(Thread& thread);
  void yield(Thread& thread, GiveWay way);
  void preempt(Cpu& cpu);
  void switch_out(Cpu& cpu, ThreadState into);
  void left(Cpu& cpu);
  void announce(const Thread& thread);
  void switch_in(Cpu& cpu, Thread* from);
  void run_next(Cpu& cpu);
  void wake_up(Cpu& cpu);
  void charge(Cpu& cpu);
  void tell_watchers(Cpu& cpu, Thread* from, Thread* to);
  void release_optimists(const Thread& gone);

  // Interrupts, ticks and the hypervisor (interrupt.cpp).
  void interrupt(Cpu& cpu);
  void resolve(Cpu& cpu);
  void paid(Cpu& cpu);
  void arm(Cpu& cpu);
  void tick(Cpu& cpu);
  bool slice_is_over(const Cpu& cpu) const;
  void ipi_arrived(Ipi& ipi);
  void serve(Cpu& cpu);
  engine::Task<> work_off(Cpu& cpu);
  static bool takes_interrupts(const Cpu& cpu);
  void steal(Cpu& cpu);
  void give_back(Cpu& cpu);
  Duration until_next(Duration period, Duration phase) const;

  // Who runs where (wake.cpp).
  void enqueue(Cpu& cpu, Thread& thread);
  void dequeue(Thread& thread);
  void wake_on(Cpu& cpu, Thread& thread, CpuId waker);
  Cpu& choose(Thread& thread);
  Cpu* idle_near(const Thread& thread, const Cpu& from);
  Cpu& least_important(const Thread& thread, Cpu& last);
  Thread* pull(Cpu& cpu);
  void push(Cpu& cpu);
  bool near(const Cpu& a, const Cpu& b) const;
  bool should_preempt(const Cpu& cpu, const Thread& thread) const;
  Duration exit_latency(const Cpu& cpu) const;

  machine::Machine& machine_;
  engine::Simulator& simulator_;
  Parameters parameters_;
  std::deque<Cpu> cpus_;
  std::vector<CpuWatcher*> watchers_;
  std::vector<Thread*> optimists_;  // may be spinning for an owner that runs
  std::vector<std::unique_ptr<Thread>> kernel_threads_;
  std::deque<Ipi> ipis_;
  std::vector<Ipi*> free_ipis_;
  std::size_t queued_ = 0;  // threads in all run queues
};

}  // namespace hotline::os
