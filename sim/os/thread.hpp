#pragma once

#include <array>
#include <coroutine>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/engine/random.hpp"
#include "sim/engine/simulator.hpp"
#include "sim/machine/operation.hpp"
#include "sim/machine/port.hpp"
#include "sim/machine/types.hpp"

namespace hotline::os {

using machine::Condition;
using machine::CpuId;
using machine::Duration;
using machine::SimTime;
using machine::Value;
using machine::Word;

using ThreadId = machine::Id<struct ThreadTag>;
using FunctionId = machine::Id<struct FunctionTag>;

/// Where a thread's time goes; the four add up to all of it.
enum class Account : std::uint8_t { kWork, kLockWait, kLineStall, kOther };
inline constexpr std::size_t kAccounts = 4;
using TimeAccounts = std::array<Duration, kAccounts>;

/// How often a spin loop looks again.
enum class Pace : std::uint8_t {
  kTight,  ///< at once
  kPause,  ///< with the core's pause instruction between two looks (P12)
};

class Thread;

/// Awaits one memory operation: resumes the thread when it is performed, with the value seen
/// before any write.
struct [[nodiscard]] Operation {
  Thread* thread;
  static bool await_ready() noexcept { return false; }
  inline void await_suspend(std::coroutine_handle<> waiting) const;
  inline Value await_resume() const;
};

/// Awaits the passing of a stretch of computing; no memory is touched.
struct [[nodiscard]] Computation {
  Thread* thread;
  Duration length;
  static bool await_ready() noexcept { return false; }
  inline void await_suspend(std::coroutine_handle<> waiting) const;
  inline void await_resume() const;
};

static_assert(std::is_trivially_destructible_v<Operation>);
static_assert(std::is_trivially_destructible_v<Computation>);

/// A simulated thread, bound to one hardware thread. One operation at a time; every operation
/// suspends through the event queue. Operations return the value seen *before* the write.
class Thread {
 public:
  Thread(engine::Simulator& simulator, machine::Port& port, ThreadId id, std::string name);
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  ~Thread() = default;

  ThreadId id() const { return id_; }
  const std::string& name() const { return name_; }
  CpuId cpu() const { return port_.cpu(); }
  machine::NodeId node() const { return port_.node(); }
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

  /// Computes for `length` (longer with a busy SMT sibling).
  Computation compute(Duration length) { return {this, length}; }
  /// `count` pause instructions.
  Computation pause(std::uint64_t count = 1);

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

  /// Begins a stretch of time in which the thread neither computes nor touches memory; settle()
  /// books it.
  void begin_stretch() { began_ = simulator_.now(); }
  /// Books the time since the operation, computation or stretch under way began, which goes on as
  /// if it had begun now: afterwards the accounts add up to the time since the thread began.
  void settle(Account account) {
    book(account, simulator_.now() - began_);
    began_ = simulator_.now();
  }

  /// The running functions, outermost first; operations and time are booked on the innermost.
  void enter(FunctionId function);
  void leave() { calls_.pop_back(); }
  const std::vector<FunctionId>& calls() const { return calls_; }
  /// Self time by function id; entries of functions never entered are zero or missing.
  const std::vector<TimeAccounts>& by_function() const { return by_function_; }

 private:
  friend struct Operation;
  friend struct Computation;

  Operation start(machine::Op op, Word word, Value operand = 0, Value expected = 0) {
    access_ = {op, word, operand, expected};
    return {this};
  }

  engine::Simulator& simulator_;
  machine::Port& port_;
  ThreadId id_;
  std::string name_;
  engine::Random random_;
  machine::Access access_;
  Condition condition_;
  Duration poll_;
  SimTime began_;
  bool waiting_for_lock_ = false;
  TimeAccounts accounts_{};
  std::vector<FunctionId> calls_;
  std::vector<TimeAccounts> by_function_;
};

inline void Operation::await_suspend(std::coroutine_handle<> waiting) const {
  thread->began_ = thread->simulator_.now();
  if (thread->access_.op == machine::Op::kSpin) {
    thread->port_.spin(thread->access_.word, thread->condition_, thread->poll_, waiting);
  } else {
    thread->port_.start(thread->access_, waiting);
  }
}

inline Value Operation::await_resume() const {
  const Duration elapsed = thread->simulator_.now() - thread->began_;
  const Duration worked = std::min(elapsed, thread->port_.hit_time());
  thread->book(Account::kWork, worked);
  if (elapsed != worked) {
    const bool lock = thread->waiting_for_lock_;
    thread->book(lock ? Account::kLockWait : Account::kLineStall, elapsed - worked);
  }
  return thread->port_.result();
}

inline void Computation::await_suspend(std::coroutine_handle<> waiting) const {
  thread->began_ = thread->simulator_.now();
  thread->simulator_.resume_after(thread->port_.stretched(length), waiting);
}

inline void Computation::await_resume() const {
  const bool lock = thread->waiting_for_lock_;
  thread->book(lock ? Account::kLockWait : Account::kWork,
               thread->simulator_.now() - thread->began_);
}

}  // namespace hotline::os
