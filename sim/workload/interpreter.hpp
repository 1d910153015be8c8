#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/random.hpp"
#include "sim/engine/task.hpp"
#include "sim/machine/machine.hpp"
#include "sim/os/thread.hpp"
#include "sim/workload/diagnosis.hpp"
#include "sim/workload/memory_map.hpp"
#include "sim/workload/observer.hpp"
#include "sim/workload/program.hpp"
#include "sim/workload/rendezvous.hpp"

namespace hotline::workload {

/// What the threads of a run share.
struct World {
  const Scenario& scenario;
  machine::Machine& machine;
  MemoryMap& memory;
  Rendezvous& events;
  Observer* observer;  ///< may be null
  std::vector<os::Thread*> threads;
  std::size_t ended = 0;             ///< programs
  std::function<void()> all_ended;   ///< called when the last one has
  std::vector<std::int64_t> shared;  ///< variables, at their slots
};

/// Runs one thread's program. Control steps cost no simulated time and are run in a row; a step
/// that takes time suspends the thread.
class Interpreter {
 public:
  /// What belongs to this thread alone.
  struct Self {
    os::Thread& thread;
    const Program& program;
    std::uint32_t member = 0;  ///< number in its group
  };

  Interpreter(World& world, Self self);
  /// Runs steps of `caller` that were deferred, in the context of `thread`: from instruction `at`
  /// to the next end, with the variables that the caller had then. Its work counts as the caller's.
  struct Deferred {
    Interpreter& caller;
    std::size_t at;
    std::vector<std::int64_t> variables;
    std::uint64_t number;  ///< of the caller's deferrals
  };
  Interpreter(World& world, os::Thread& thread, Deferred deferred);

  /// The whole program. Throws input::InputError if a step cannot be done.
  engine::Task<> run();

  /// Books what is under way up to now, so that the thread's accounts add up to now.
  void settle() { thread_.settle(); }
  bool ended() const { return ended_; }
  SimTime ended_at() const { return ended_at_; }
  /// Where the thread stands, for a diagnosis of a run that has got stuck.
  Standstill standstill() const;
  /// Work counted so far, by kind.
  const std::vector<std::uint64_t>& work() const { return work_; }
  os::Thread& thread() const { return thread_; }

 private:
  struct Loop {
    std::uint64_t rounds_left = 0;
    std::int64_t outer_index = 0;
  };

  const Instruction& advance();
  bool control(const Instruction& instruction);
  void begin_loop(const Instruction& instruction);
  void next_round(const Instruction& instruction);
  void jump_back(std::uint32_t target);
  void choose(const Instruction& instruction);
  void every(const Instruction& instruction);
  void set(std::uint32_t variable, std::int64_t value);
  void count(const Instruction& instruction);
  void enter(const Instruction& instruction);
  void leave();

  os::Operation operation(const Instruction& instruction);
  os::Operation locked(const Instruction& instruction, machine::Word word);
  engine::Duration length(const Instruction& instruction);
  engine::Duration stretch(std::uint32_t expression);
  void check_lines(const Reference& reference, std::uint64_t lines) const;
  engine::Task<> touch(const Instruction& instruction);
  engine::Task<> scan(const Instruction& instruction);
  engine::Task<> add(const Instruction& instruction);
  engine::Task<std::int64_t> read(const Instruction& instruction);
  engine::Task<bool> get(const Instruction& instruction);
  engine::Task<bool> use(const Instruction& instruction);

  /// A lock that this thread has.
  struct Held {
    Part* part = nullptr;
    bool reads = false;
    model::ReadToken token;  ///< of a reader
  };

  Part& begin_acquire(const Instruction& instruction);
  void end_acquire(const Instruction& instruction, model::ReadToken token = {});
  model::Lock& begin_release(const Instruction& instruction);
  void give_up(const Held& held);
  void end_release(bool reads = false);
  bool keeps_cpu(const Part& part, bool reads) const;
  engine::Task<> acquire_read(const Instruction& instruction);
  engine::Task<> release_read(const Instruction& instruction);
  engine::Task<> read_again(const Instruction& instruction, Held held);
  class WaitersMutex;
  engine::Task<> cond_wait(const Instruction& instruction);
  engine::Task<> cond_signal(const Instruction& instruction);
  Held held_by(const Instruction& instruction);
  std::vector<Held>::iterator find_held(const Part& part);
  const std::string& name_of(const Part& part) const;

  engine::Task<> begin_section(const Instruction& instruction);
  engine::Task<> end_section();
  engine::Task<> synchronize(const Instruction& instruction);
  engine::Task<> defer(const Instruction& instruction);
  void check_may_block(std::string_view does) const;
  engine::Task<> wait(const Instruction& instruction);
  engine::Task<> signal(const Instruction& instruction);
  engine::Task<> block();
  engine::Task<> wake(const Instruction& instruction);
  engine::Duration until(const Instruction& instruction);
  void end();

  std::int64_t value(std::uint32_t expression) {
    try {
      return program_.expressions[expression].evaluate(slots_, random_, world_.shared);
    } catch (const ExpressionError& error) {
      fail(error.what());
    }
  }
  /// Of a quantity that cannot be negative; `what` names it in the message.
  std::uint64_t amount(std::uint32_t expression, std::string_view what);
  /// Where a reference leads that says nothing that must be computed.
  struct Fixed {
    machine::Word word;
    Part* part = nullptr;
    bool known = false;
  };

  Fixed fix(const Reference& reference);
  std::uint32_t instance_of(const Reference& reference);
  machine::Word word_at(std::uint32_t reference) {
    const Fixed& fixed = fixed_[reference];
    return fixed.known ? fixed.word : word_of(program_.references[reference]);
  }
  machine::Word word_of(const Reference& reference);
  Part& part_of(const Instruction& instruction);
  [[noreturn]] void fail(const std::string& message) const;

  World& world_;
  os::Thread& thread_;
  const Program& program_;
  std::vector<std::int64_t> slots_;
  engine::Random random_;
  std::vector<Loop> loops_;
  std::vector<Fixed> fixed_;           // by reference
  std::vector<std::uint64_t> passes_;  // of each kEvery, by instruction
  std::vector<Held> held_;
  /// A read-side section it is in.
  struct Section {
    model::Rcu* domain;
    model::ReadToken token;
  };
  std::vector<Section> sections_;  // innermost last
  Interpreter* caller_ = nullptr;  // whose steps were deferred
  ThreadId owner_;                 // the thread whose program it is
  std::uint64_t deferrals_ = 0;
  std::vector<std::uint64_t> work_;
  std::size_t at_ = 0;         // the instruction after the one under way
  Part* part_ = nullptr;       // that the step under way is about
  bool on_condition_ = false;  // sleeps in a cond_wait, and has given the mutex up
  bool found_busy_ = false;    // the lock under way had somebody to wait for
  std::uint64_t seen_entries_ = 0;
  SimTime wait_began_;  // the last step that may wait for other threads
  SimTime last_jump_;
  std::uint32_t idle_jumps_ = 0;
  bool ended_ = false;
  SimTime ended_at_;
};

}  // namespace hotline::workload
