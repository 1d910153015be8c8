#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/input/reader.hpp"
#include "sim/workload/formula.hpp"
#include "sim/workload/step_context.hpp"

namespace hotline::workload {

/// Reads steps and appends what they do to a program. In a dry reading it declares the language.
class StepReader {
 public:
  /// `group` names the threads whose program it is.
  StepReader(StepContext& context, ProgramBuilder& builder, std::string group)
      : context_(context), builder_(builder), group_(std::move(group)) {}

  /// A list of steps.
  void steps(const input::Value& value);
  /// One step that stands in a map of its own, without the steps that hold others: for traces.
  void step(const input::Value& value);

  // One function a row of the table of steps.
  void call(const input::Value& value);
  void compute(const input::Value& value);
  void stall(const input::Value& value);
  void acquire(const input::Value& value);
  void release(const input::Value& value);
  void with(const input::Value& value);
  void acquire_read(const input::Value& value);
  void release_read(const input::Value& value);
  void read_lock(const input::Value& value);
  void write_lock(const input::Value& value);
  void cond_wait(const input::Value& value);
  void cond_signal(const input::Value& value) { wake_waiters(value, false); }
  void cond_broadcast(const input::Value& value) { wake_waiters(value, true); }
  void add(const input::Value& value);
  void read(const input::Value& value) { read_counter(value, Action::kRead); }
  void sum(const input::Value& value) { read_counter(value, Action::kSum); }
  void get(const input::Value& value);
  void put(const input::Value& value) { use_reference(value, Action::kPut); }
  void kill(const input::Value& value) { use_reference(value, Action::kKill); }
  void query(const input::Value& value) { use_reference(value, Action::kQuery); }
  void touch(const input::Value& value);
  void scan(const input::Value& value);
  void load(const input::Value& value);
  void store(const input::Value& value) { operate(value, machine::Op::kStore); }
  void fetch_add(const input::Value& value);
  void fetch_and(const input::Value& value) { operate(value, machine::Op::kFetchAnd); }
  void fetch_or(const input::Value& value) { operate(value, machine::Op::kFetchOr); }
  void exchange(const input::Value& value) { operate(value, machine::Op::kExchange); }
  void compare_exchange(const input::Value& value);
  void fence(const input::Value& value) { bare(value, Action::kFence); }
  void spin(const input::Value& value);
  void loop(const input::Value& value);
  void repeat(const input::Value& value);
  void choose(const input::Value& value);
  void every(const input::Value& value);
  void branch(const input::Value& value);
  void set(const input::Value& value);
  void wait_for(const input::Value& value);
  void signal(const input::Value& value);
  void sleep(const input::Value& value);
  void prepare_to_block(const input::Value& value) { bare(value, Action::kPrepareToBlock); }
  void block(const input::Value& value) { bare(value, Action::kBlock); }
  void wake(const input::Value& value);
  void yield(const input::Value& value) { bare(value, Action::kYield); }
  void cond_resched(const input::Value& value) { bare(value, Action::kCondResched); }
  void system_call(const input::Value& value);
  void count(const input::Value& value);
  void rcu_read(const input::Value& value);
  void synchronize_rcu(const input::Value& value) { synchronize(value, false); }
  void synchronize_rcu_expedited(const input::Value& value) { synchronize(value, true); }
  void call_rcu(const input::Value& value) { defer(value, false); }
  void kfree_rcu(const input::Value& value) { defer(value, true); }

 private:
  const Scope& scope() const { return context_.scenario.names.scope; }
  std::uint32_t emit(Instruction instruction, const input::Value& value);
  void body(input::MapReader& map, std::string_view description);
  void call_named(const input::Value& value);
  void begin_function(std::string_view name, const input::Value& value);
  void end_function(const input::Value& value);
  /// The id of a function called from here.
  std::uint32_t call_path(std::string_view name);
  void acquire_as(const input::Value& value, Want want, Action action);
  std::uint32_t call_site(const input::Value& value, bool reads);
  void wake_waiters(const input::Value& value, bool all);
  [[nodiscard]] bool only_acquires(const std::string& function) const;
  /// CallSite::point of a step that stands here.
  [[nodiscard]] std::string blamed_caller() const;
  void release_as(const input::Value& value, Want want, Instruction release);
  void section(const input::Value& value, Want want, Action in, Action out);
  void read_counter(const input::Value& value, Action action);
  void use_reference(const input::Value& value, Action action);
  void operate(const input::Value& value, machine::Op op);
  /// A step without arguments, written {}.
  void bare(const input::Value& value, Action action);
  void check_touch(const input::Value& value, const Reference& place, machine::Op op) const;
  void distribution(const input::Value& value);
  void uniform(const input::Value& value);
  void counted_loop(const input::Value& value, Expression times, const input::Value& steps_value);
  /// Reads a place to point at, under a key or as the value itself.
  std::optional<std::uint32_t> target(const input::Value& value, Want want);
  std::optional<std::uint32_t> target(input::MapReader& map, std::string_view key, Want want,
                                      std::string_view description);
  void add_to(const input::Value& value, std::optional<std::uint32_t> to, Expression amount,
              bool local);
  std::uint32_t variable(input::MapReader& map, std::string_view key);
  std::uint32_t variable_named(const input::Value& value, std::string_view name);
  std::uint32_t event(const input::Value& value, std::string_view name, bool waits);
  void synchronize(const input::Value& value, bool expedited);
  void defer(const input::Value& value, bool only_frees);
  std::uint32_t domain(input::MapReader& map);
  std::uint32_t only_domain(const input::Value& value);
  void check_ticks(const input::Value& value, std::uint32_t domain) const;
  void check_deferred(const input::Value& value, std::string_view step) const;
  void check_keys(const input::Value& value);

  StepContext& context_;
  ProgramBuilder& builder_;
  std::string group_;
  std::vector<std::string> functions_;  // around the step, outermost first
  bool deferred_ = false;               // the steps are those of a callback
  std::vector<std::uint32_t> paths_;    // their ids
  bool full_ = false;                   // the program is too long; said already
};

/// A kind of step: the key, what it does, and who reads it.
struct StepRow {
  std::string_view name;
  std::string_view description;
  void (StepReader::*read)(const input::Value&);
};

}  // namespace hotline::workload
