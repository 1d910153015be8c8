#include <algorithm>
#include <memory>
#include <utility>

#include "sim/model/rcu.hpp"
#include "sim/workload/interpreter.hpp"

// Read-side sections, grace periods, and steps that are deferred behind one.
namespace hotline::workload {
namespace {

/// The steps of a call_rcu.
class DeferredSteps final : public model::RcuCallback {
 public:
  DeferredSteps(World& world, Interpreter::Deferred deferred)
      : world_(world), deferred_(std::move(deferred)) {}

  engine::Task<> invoke(os::Thread& self) override {
    steps_.emplace(world_, self, std::move(deferred_));
    return steps_->run();
  }

 private:
  World& world_;
  Interpreter::Deferred deferred_;
  std::optional<Interpreter> steps_;
};

}  // namespace

Interpreter::Interpreter(World& world, os::Thread& thread, Deferred deferred)
    : world_(world),
      thread_(thread),
      program_(deferred.caller.program_),
      slots_(std::move(deferred.variables)),
      random_(thread.simulator().stream("deferred " + std::to_string(deferred.caller.owner_.value),
                                        deferred.number)),
      passes_(deferred.caller.program_.every),
      caller_(&deferred.caller),
      owner_(deferred.caller.owner_),
      at_(deferred.at) {
  for (const Reference& reference : program_.references) fixed_.push_back(fix(reference));
}

engine::Task<> Interpreter::begin_section(const Instruction& step) {
  model::Rcu& domain = *part_of(step).rcu;
  const model::ReadToken token = co_await domain.read_lock(thread_);
  sections_.push_back({&domain, token});
}

engine::Task<> Interpreter::end_section() {
  const Section section = sections_.back();
  sections_.pop_back();
  return section.domain->read_unlock(thread_, section.token);
}

engine::Task<> Interpreter::synchronize(const Instruction& step) {
  model::Rcu& domain = *part_of(step).rcu;
  check_may_block("waits for a grace period");
  wait_began_ = thread_.now();
  for (const Section& section : sections_) {
    if (section.domain == &domain) fail("waits for a grace period that waits for this reader");
  }
  return step.flag ? domain.synchronize_expedited(thread_) : domain.synchronize(thread_);
}

engine::Task<> Interpreter::defer(const Instruction& step) {
  model::Rcu& domain = *part_of(step).rcu;
  auto steps = std::make_unique<DeferredSteps>(world_, Deferred{*this, at_, slots_, deferrals_++});
  at_ = step.target;
  return step.flag ? domain.call_to_free(thread_, std::move(steps))
                   : domain.call(thread_, std::move(steps));
}

void Interpreter::check_may_block(std::string_view does) const {
  const auto forbids = [](const Section& section) { return !section.domain->readers_may_block(); };
  if (std::any_of(sections_.begin(), sections_.end(), forbids)) {
    fail(std::string(does) + " inside a read-side section that may not block");
  }
  if (!thread_.may_block()) {
    fail(std::string(does) + " while it holds a spinlock in the kernel");
  }
}

}  // namespace hotline::workload
