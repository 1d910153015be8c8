// source  The "queued fifo" of the hierarchy measurements (docs/models/queued_fifo.md).
// idea    A mutex protects a flag and a queue of waiters, each of which sleeps on a condition
//         variable of its own. A release hands the lock to the queue's first and wakes it alone.
// spins   Nobody. Each hand-over costs one sleep and one wake-up, and nobody can overtake, so that
//         the lock stands idle while its new holder wakes up.
// differs in how the queue is kept: here as a list through the waiters' records.

#include "models/locks/queued_fifo.hpp"

#include <vector>

#include "models/locks/condition_variable.hpp"
#include "models/locks/futex_mutex.hpp"
#include "models/parts/tasks.hpp"
#include "models/parts/wait_list.hpp"

namespace hotline::models {

namespace {

constexpr Value kNobody = 0;

class QueuedFifoLock final : public LockModel {
 public:
  QueuedFifoLock(Site& site, ParamReader& params)
      : held_(site.word("held", 32)),
        queue_(site, "node", "served"),
        mutex_(futex_mutex(site.part("mutex", site.home()), params)),
        tasks_(site) {
    for (std::uint32_t thread = 0; thread < site.threads(); ++thread) {
      Site& node = site.part("node[" + std::to_string(thread) + "]", site.home());
      conditions_.push_back(models::condition_variable(node, params));
    }
  }

  Task<> acquire(Thread& self) override {
    co_await mutex().acquire(self);
    const Value held = co_await self.load(held_);
    if (held == 0) {
      co_await self.store(held_, 1);
    } else {
      co_await wait_in_queue(self, tasks_.name(self));
    }
    co_await mutex().release(self);
  }

  Task<bool> try_acquire(Thread& self) override {
    const bool may_look = co_await mutex().try_acquire(self);
    if (!may_look) co_return false;
    const Value held = co_await self.load(held_);
    if (held == 0) co_await self.store(held_, 1);
    co_await mutex().release(self);
    co_return held == 0;
  }

  Task<> release(Thread& self) override {
    co_await mutex().acquire(self);
    const Value first = co_await queue_.front(self);
    if (first == kNobody) {
      co_await self.store(held_, 0);
      co_await mutex().release(self);
      co_return;
    }
    co_await queue_.remove(self, first);
    co_await self.store(served(first), 1);
    co_await condition(first).signal(self);
    co_await mutex().release(self);
  }

 private:
  Task<> wait_in_queue(Thread& self, Value me) {
    co_await self.store(served(me), 0);
    co_await queue_.push_back(self, me);
    Value served_yet = 0;
    while (served_yet == 0) {
      co_await condition(me).wait(self, mutex());
      served_yet = co_await self.load(served(me));
    }
  }

  Lock& mutex() { return *mutex_->lock(); }
  Word served(Value waiter) const { return queue_.more(waiter); }
  model::ConditionVariable& condition(Value waiter) {
    return *conditions_[Tasks::index(waiter)]->condition_variable();
  }

  Word held_;
  WaitList queue_;
  std::unique_ptr<Model> mutex_;
  Tasks tasks_;
  std::vector<std::unique_ptr<Model>> conditions_;  // by thread
};

}  // namespace

std::unique_ptr<Model> queued_fifo(Site& site, ParamReader& params) {
  return make<QueuedFifoLock>(site, params);
}

}  // namespace hotline::models
