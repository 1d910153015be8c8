#include "sim/workload/interpreter.hpp"

// Waiting on condition variables.
namespace hotline::workload {

/// The mutex of a cond_wait: its release and acquisition count like those of any other step.
class Interpreter::WaitersMutex final : public model::Lock {
 public:
  WaitersMutex(Interpreter& waiter, const Instruction& step) : waiter_(waiter) {
    release_ = {.action = Action::kRelease, .reference = step.second};
    acquire_ = {.action = Action::kAcquire, .reference = step.second, .index = step.index};
  }

  engine::Task<> release(os::Thread& self) override {
    co_await waiter_.begin_release(release_).release(self);
    waiter_.end_release();
    waiter_.check_may_block("waits on a condition variable");
    waiter_.wait_began_ = self.now();
    waiter_.on_condition_ = true;
    co_await self.checkpoint();
  }

  engine::Task<> acquire(os::Thread& self) override {
    waiter_.on_condition_ = false;
    co_await waiter_.begin_acquire(acquire_).lock->acquire(self);
    waiter_.end_acquire(acquire_);
  }

  /// A waiter must have it back, so it does not try.
  engine::Task<bool> try_acquire(os::Thread&) override { co_return false; }

 private:
  Interpreter& waiter_;
  Instruction release_;
  Instruction acquire_;
};

engine::Task<> Interpreter::cond_wait(const Instruction& step) {
  WaitersMutex mutex(*this, step);
  model::ConditionVariable& condition = *part_of(step).condition;
  co_await condition.wait(thread_, mutex);
}

engine::Task<> Interpreter::cond_signal(const Instruction& step) {
  model::ConditionVariable& condition = *part_of(step).condition;
  return step.flag ? condition.broadcast(thread_) : condition.signal(thread_);
}

}  // namespace hotline::workload
