#pragma once

#include <algorithm>
#include <array>
#include <coroutine>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/random.hpp"
#include "sim/engine/simulator.hpp"
#include "sim/engine/task.hpp"
#include "sim/machine/operation.hpp"
#include "sim/machine/port.hpp"
#include "sim/machine/types.hpp"
#include "sim/os/awaiters.hpp"
#include "sim/os/parameters.hpp"
#include "sim/os/priority.hpp"

namespace hotline::os {

using machine::Condition;
using machine::CpuId;
using machine::Duration;
using machine::SimTime;
using machine::Value;
using machine::Word;

using ThreadId = machine::Id<struct ThreadTag>;
using FunctionId = machine::Id<struct FunctionTag>;
/// Far from the numbers of a run's own threads: first those of interrupts by CPU, then the
/// kernel's.
inline constexpr std::uint32_t kFirstKernelThread = 0x8000'0000;

/// Where a thread's time goes; the six add up to all of it.
enum class Account : std::uint8_t {
  kWork,
  kLockWait,  ///< on its CPU
  kLineStall,
  kScheduling,  ///< ready to run, or being switched to
  kOther,       ///< asleep, or ended
  kLockSleep,   ///< asleep for a lock
};
inline constexpr std::size_t kAccounts = 6;
using TimeAccounts = std::array<Duration, kAccounts>;

/// How often a spin loop looks again.
enum class Pace : std::uint8_t {
  kTight,  ///< at once
  kPause,  ///< with the core's pause instruction between two looks (P12)
};

enum class ThreadState : std::uint8_t {
  kRunning,   ///< on its CPU, though a hypervisor may have stopped that
  kRunnable,  ///< in a run queue
  kBlocked,   ///< until it is woken
  kEnded,
};

/// A stall's class by where the line came from: 0 nowhere, 1 the domain's cache, 2 memory, and from
/// kFirstDistance on another core, by the class of distance.
inline constexpr std::size_t kFirstDistance = 3;
constexpr std::size_t stall_class(machine::Source source) {
  const auto kind = static_cast<std::size_t>(source.kind);
  return kind < kFirstDistance ? kind : kFirstDistance + source.distance;
}

class Scheduler;
struct Cpu;

/// A simulated thread. One operation at a time; every operation suspends through the event queue.
/// Operations return the value seen *before* the write.
///
/// A thread made alone lives on its hardware thread for good; Scheduler::adopt puts it under an
/// operating system, which may then move it between any two operations and within every wait.
class Thread final : machine::Paced {
 public:
  Thread(engine::Simulator& simulator, machine::Port& port, ThreadId id, std::string name);
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  ~Thread() = default;

  ThreadId id() const { return id_; }
  const std::string& name() const { return name_; }
  /// Where it runs, or ran last.
  CpuId cpu() const { return port_->cpu(); }
  machine::NodeId node() const { return port_->node(); }
  engine::Simulator& simulator() { return simulator_; }
  SimTime now() const { return simulator_.now(); }
  /// The thread's own random stream, for models that need chance (back-off, shuffling).
  engine::Random& random() { return random_; }

  Operation load(Word word) { return start(machine::Op::kLoad, word); }
  Operation store(Word word, Value value) { return start(machine::Op::kStore, word, value); }
  /// A locked add whose result is not used (x86 LOCK ADD, Arm STADD: may be executed far).
  Operation add(Word word, Value value) { return start(machine::Op::kAdd, word, value); }
  Operation fetch_add(Word word, Value value) { return start(machine::Op::kFetchAdd, word, value); }
  Operation fetch_and(Word word, Value value) { return start(machine::Op::kFetchAnd, word, value); }
  Operation fetch_or(Word word, Value value) { return start(machine::Op::kFetchOr, word, value); }
  Operation exchange(Word word, Value value) { return start(machine::Op::kExchange, word, value); }
  /// Stores `desired` if the word holds `expected`; the result is what it held.
  Operation compare_exchange(Word word, Value expected, Value desired) {
    return start(machine::Op::kCompareExchange, word, desired, expected);
  }
  /// Waits until the store buffer is empty.
  Operation fence() { return start(machine::Op::kFence, {}); }
  /// Asks for a copy of the word's line without waiting for it: so a model says that a core runs
  /// ahead of a load that it does not depend on.
  Operation prefetch(Word word) { return start(machine::Op::kPrefetchRead, word); }
  /// Asks for ownership of the word's line without waiting for it.
  Operation prefetch_write(Word word) { return start(machine::Op::kPrefetchWrite, word); }

  /// Loads until the condition holds; after the first look it is re-read only when this core's copy
  /// has been invalidated. The result is the value that ended the wait.
  Operation spin_until(Word word, Condition condition, Pace pace = Pace::kPause);
  Operation spin_until(Word word, Value wanted, Pace pace = Pace::kPause) {
    return spin_until(word, machine::equals(wanted), pace);
  }
  Operation spin_while(Word word, Value unwanted, Pace pace = Pace::kPause) {
    return spin_until(word, machine::differs(unwanted), pace);
  }
  /// As spin_until, but ends as well as soon as another thread should run on this CPU
  /// (need_resched), or `watched`, if not null, leaves its CPU: so an optimistic spinner waits for
  /// an owner. The result is the value seen last, for which the condition may not hold.
  OptimisticSpin spin_optimistically(Word word, Condition condition,
                                     const Thread* watched = nullptr, Pace pace = Pace::kPause);

  /// As spin_until, but ends after `limit` as well, or when `watched`, if not null, leaves its CPU.
  OptimisticSpin spin_for(Word word, Condition condition, Duration limit,
                          const Thread* watched = nullptr, Pace pace = Pace::kPause);

  /// Computes for `length` (longer while an SMT sibling computes).
  Computation compute(Duration length) { return {this, length}; }
  /// Waits for `length` without computing: for memory that is not simulated.
  Computation stall(Duration length) { return {this, length, true}; }
  /// `count` pause instructions.
  Computation pause(std::uint64_t count = 1);

  // What the operating system does. All but need_resched() and on_cpu() need a scheduler.

  /// From now until block() a wake is not lost: block() then returns at once.
  void prepare_to_block();
  /// Takes prepare_to_block() back: there is no need to block after all.
  void stay_awake();
  /// Gives up the CPU until woken. Without prepare_to_block() only later wakes count.
  Block block() { return {this}; }
  /// Wakes another thread; nothing happens if it neither is blocked nor prepares to.
  engine::Task<> wake(Thread& other);
  /// Blocks for `length`, or until woken if `until_woken`; true if it was woken before.
  engine::Task<bool> block_for(Duration length);
  engine::Task<> sleep(Duration length);
  /// sched_yield(): lets another runnable thread of this CPU run first.
  Yield yield() { return {this}; }
  /// Gives up the CPU if another thread should have it, in kernels with voluntary preemption.
  Yield cond_resched();
  /// Gives up the CPU if another thread should have it, whatever the kernel: schedule() of a
  /// running thread.
  Yield reschedule();
  /// The first thing a program awaits: its CPU.
  Start started() { return {this}; }
  /// Whether another thread should run on this CPU now.
  bool need_resched() const;
  /// Whether the thread has its CPU at this moment (and a hypervisor has not taken that away).
  bool on_cpu() const;
  /// Between these, nested, the thread keeps its CPU; it must not block.
  void preempt_disable() { ++preempt_disabled_; }
  void preempt_enable();
  /// To be awaited where preemption has been enabled and may be disabled again before the next
  /// operation: there the thread gives way if it should have before.
  Checkpoint checkpoint() { return {this}; }
  /// Between these, nested, the thread's CPU does no interrupt work either.
  void interrupts_disable();
  void interrupts_enable();
  bool may_block() const { return preempt_disabled_ == 0; }
  /// Says that the thread now runs in the kernel, or in user mode.
  void set_in_kernel(bool in_kernel);
  /// Into the kernel (true) or back to user mode: each way is half the cost of a system call.
  engine::Task<> cross(bool into_kernel);
  bool in_kernel() const { return in_kernel_; }
  /// Takes the time of one of the operating system's costs.
  engine::Task<> spend(Duration Parameters::*cost);
  bool may_run_on(CpuId cpu) const;
  ThreadState state() const { return state_; }
  const Priority& priority() const { return priority_; }
  /// Gives it another priority, as priority inheritance does.
  void set_priority(Priority priority);
  /// Between these, nested, the thread stays on its CPU, though it can be preempted and block.
  void migrate_disable() { ++migrate_disabled_; }
  void migrate_enable() { --migrate_disabled_; }
  Scheduler* scheduler() const { return scheduler_; }
  /// Since when it has been in its state.
  SimTime state_since() const { return state_since_; }

  /// Time by account since the thread began; what has not been booked yet is not in it.
  const TimeAccounts& accounts() const { return accounts_; }
  /// From now on stalls are booked as waiting for a lock (true) or as line stalls (false).
  void set_waiting_for_lock(bool waiting) { waiting_for_lock_ = waiting; }
  bool waiting_for_lock() const { return waiting_for_lock_; }
  void book(Account account, Duration length) {
    accounts_[static_cast<std::size_t>(account)] += length;
    if (!calls_.empty())
      by_function_[calls_.back().value][static_cast<std::size_t>(account)] += length;
  }
  /// Books the time since what is under way began, which goes on as if it had begun now: afterwards
  /// the accounts add up to the time since the thread began.
  void settle();

  /// The running functions, outermost first; operations and time are booked on the innermost.
  void enter(FunctionId function);
  void leave() { calls_.pop_back(); }
  const std::vector<FunctionId>& calls() const { return calls_; }
  /// Self time by function id; entries of functions never entered are zero or missing.
  const std::vector<TimeAccounts>& by_function() const { return by_function_; }
  /// What of its line stalls was spent on operations that are over, by where the line came from:
  /// first by function, 0 outside all and else the id plus 1, then by stall_class().
  const std::vector<std::vector<Duration>>& stalls() const { return stalls_; }

 private:
  friend struct Operation;
  friend struct OptimisticSpin;
  friend struct Computation;
  friend struct Block;
  friend struct Checkpoint;
  friend struct Yield;
  friend struct Start;
  friend class Scheduler;
  friend class RunQueue;

  /// What the thread does next when it has its CPU again.
  enum class Next : std::uint8_t { kResume, kOperate, kCompute };

  struct Alarm : engine::Event {
    Thread* thread = nullptr;
  };

  Operation start(machine::Op op, Word word, Value operand = 0, Value expected = 0) {
    access_ = {op, word, operand, expected};
    return {this};
  }
  void begin_operation(std::coroutine_handle<> waiting) {
    begin_stretch();
    if (access_.op == machine::Op::kSpin) {
      begin_spin(waiting);
    } else {
      port_->start(access_, waiting);
    }
  }
  Value end_operation() {
    const Duration elapsed = simulator_.now() - began_;
    const Duration worked = std::min(elapsed, port_->hit_time());
    book(Account::kWork, worked);
    if (elapsed != worked) book_stall(elapsed - worked);
    return port_->result();
  }
  void book_stall(Duration length);
  /// What ended last is booked: from now on, something else is under way.
  void begin_stretch() { began_ = simulator_.now(); }
  void begin_spin(std::coroutine_handle<> waiting);
  void begin_computation(Duration length, std::coroutine_handle<> waiting);
  void end_computation();
  Account under_way() const;
  void set_state(ThreadState state);

  // How the scheduler interrupts it (interrupt.cpp).
  bool preemptible() const;
  bool stop(bool gives_up_cpu);
  void change_pace(bool was_shared) override;
  void stop_computation();
  void end_optimism();
  void stop_hoping();
  void defer(Next next, std::coroutine_handle<> waiting);
  void defer_here();
  void go_on();

  engine::Simulator& simulator_;
  machine::Port* port_;
  ThreadId id_;
  std::string name_;
  engine::Random random_;
  machine::Access access_;
  Condition condition_;
  Duration poll_;
  SimTime began_;
  std::coroutine_handle<> waiting_;  // of a spin loop, a computation, or while off the CPU
  bool waiting_for_lock_ = false;
  bool attention_ = false;  // the scheduler wants to be asked before the next operation
  bool computing_ = false;
  bool leaves_core_ = false;  // while computing: see Computation
  bool optimistic_ = false;   // the spin loop under way may end before its condition holds
  bool hurried_ = false;      // namely when another thread should run
  bool listed_ = false;       // among the scheduler's optimists
  bool in_kernel_ = false;
  bool preparing_ = false;  // to block
  bool woken_ = false;      // while preparing, or before it had left its CPU
  bool timed_out_ = false;
  Next next_ = Next::kResume;
  ThreadState state_ = ThreadState::kRunning;
  Priority priority_;
  std::uint32_t preempt_disabled_ = 0;
  std::uint32_t interrupts_disabled_ = 0;
  std::uint32_t migrate_disabled_ = 0;
  Scheduler* scheduler_ = nullptr;
  Cpu* home_ = nullptr;  // whose run queue it belongs to
  const Thread* watched_ = nullptr;
  Duration length_;  // of the computation, or what is left of one that was interrupted
  SimTime ends_;     // the computation under way
  engine::EventId computation_{};
  SimTime state_since_;
  std::int64_t virtual_time_ = 0;  // CFS: picoseconds by weight
  Duration ran_;                   // since it was last picked
  bool keeps_turn_ = false;        // was preempted, did not yield
  std::int64_t queued_ = 0;        // sequence number in its run queue
  std::vector<CpuId> allowed_;     // CPUs it may run on; empty: all
  std::optional<engine::EventId> alarm_id_;
  std::optional<SimTime> limit_;  // of the spin loop under way
  std::optional<engine::EventId> limit_id_;
  Alarm alarm_;    // ends block_for()
  Alarm stopped_;  // a spin loop was interrupted
  Alarm limited_;  // ends spin_for()
  TimeAccounts accounts_{};
  std::vector<FunctionId> calls_;
  std::vector<TimeAccounts> by_function_;
  std::vector<std::vector<Duration>> stalls_;
};

inline void Operation::await_suspend(std::coroutine_handle<> waiting) const {
  if (thread->attention_) [[unlikely]] {
    thread->begin_stretch();
    thread->defer(Thread::Next::kOperate, waiting);
    return;
  }
  thread->begin_operation(waiting);
}

inline bool Checkpoint::await_ready() const noexcept { return !thread->attention_; }

inline Value Operation::await_resume() const { return thread->end_operation(); }

inline Value OptimisticSpin::await_resume() const {
  thread->stop_hoping();
  return thread->end_operation();
}

inline void Computation::await_suspend(std::coroutine_handle<> waiting) const {
  thread->leaves_core_ = leaves_core;
  if (thread->attention_) [[unlikely]] {
    thread->begin_stretch();
    thread->length_ = length;
    thread->defer(Thread::Next::kCompute, waiting);
    return;
  }
  thread->begin_computation(length, waiting);
}

inline void Computation::await_resume() const { thread->end_computation(); }

inline void Thread::begin_computation(Duration length, std::coroutine_handle<> waiting) {
  begin_stretch();
  computing_ = true;
  if (!leaves_core_) port_->begin_computing(*this);
  const Duration takes = leaves_core_ ? length : port_->stretched(length);
  waiting_ = waiting;
  length_ = length;
  ends_ = began_ + takes;
  computation_ = simulator_.resume_after(takes, waiting);
}

inline void Thread::end_computation() {
  computing_ = false;
  if (!leaves_core_) port_->end_computing();
  book(waiting_for_lock_ ? Account::kLockWait : Account::kWork, simulator_.now() - began_);
}

}  // namespace hotline::os
