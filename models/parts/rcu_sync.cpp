#include "models/parts/rcu_sync.hpp"

#include <memory>
#include <vector>

namespace hotline::models {

namespace {

// States, in this order: from kPassed on readers know.
constexpr Value kIdle = 0;
constexpr Value kEntering = 1;
constexpr Value kPassed = 2;
constexpr Value kLeaving = 3;
constexpr Value kLeavingAnew = 4;  // came back and left again while a grace period was under way

constexpr Value kNobody = 0;

}  // namespace

/// What is done after a grace period.
class RcuSync::Passed final : public model::RcuCallback {
 public:
  explicit Passed(RcuSync& sync) : sync_(sync) {}
  Task<> invoke(Thread& self) override { return sync_.grace_period_passed(self); }

 private:
  RcuSync& sync_;
};

RcuSync::RcuSync(Site& site, Tasks& tasks, KernelRcu& rcu)
    : tasks_(tasks),
      rcu_(rcu),
      state_(site.word("gp_state", 32)),
      count_(site.word("gp_count", 32)),
      lock_(site),
      waiters_(site, "gp_wait_entry", "waits") {}

Task<bool> RcuSync::is_idle(Thread& self) {
  const Value state = co_await self.load(state_);
  co_return state == kIdle;
}

Task<> RcuSync::enter(Thread& self) {
  co_await acquire(self);
  const Value state = co_await self.load(state_);
  if (state == kIdle) co_await self.store(state_, kEntering);
  const Value count = co_await self.load(count_);
  co_await self.store(count_, count + 1);
  if (state == kIdle) {
    co_await release(self);
    co_await rcu_.synchronize(self);
    co_await grace_period_passed(self);
  } else if (state >= kPassed) {
    co_await release(self);
  } else {
    co_await wait_until_passed(self);
  }
}

/// With the lock, which it gives back.
Task<> RcuSync::wait_until_passed(Thread& self) {
  const Value me = tasks_.name(self);
  co_await self.store(waiters_.more(me), 1);
  co_await waiters_.push_back(self, me);
  self.prepare_to_block();
  co_await release(self);
  for (;;) {
    const Value waits = co_await self.load(waiters_.more(me));
    if (waits == 0) break;
    co_await self.block();
    self.prepare_to_block();
  }
  self.stay_awake();
}

Task<> RcuSync::exit(Thread& self) {
  co_await acquire(self);
  const Value count = co_await self.load(count_);
  co_await self.store(count_, count - 1);
  if (count == 1) {
    const Value state = co_await self.load(state_);
    if (state == kPassed) {
      co_await self.store(state_, kLeaving);
      co_await call(self);
    } else if (state == kLeaving) {
      co_await self.store(state_, kLeavingAnew);
    }
  }
  co_await release(self);
}

Task<> RcuSync::call(Thread& self) { return rcu_.call(self, std::make_unique<Passed>(*this)); }

/// A grace period has passed since somebody entered, or since the last one left: for the first
/// updater in its own thread, else in a softirq.
Task<> RcuSync::grace_period_passed(Thread& self) {
  std::vector<Value> woken;
  co_await acquire(self);
  const Value count = co_await self.load(count_);
  if (count != 0) {
    co_await self.store(state_, kPassed);
    for (;;) {
      const Value first = co_await waiters_.front(self);
      if (first == kNobody) break;
      co_await waiters_.remove(self, first);
      co_await self.store(waiters_.more(first), 0);
      woken.push_back(first);
    }
  } else {
    const Value state = co_await self.load(state_);
    if (state == kLeavingAnew) {
      co_await self.store(state_, kLeaving);
      co_await call(self);
    } else {
      co_await self.store(state_, kIdle);
    }
  }
  co_await release(self);
  for (const Value each : woken) co_await self.wake(tasks_.thread(each));
}

// A softirq takes the lock as well.

Task<> RcuSync::acquire(Thread& self) {
  self.interrupts_disable();
  return lock_.acquire(self);
}

Task<> RcuSync::release(Thread& self) {
  co_await lock_.release(self);
  self.interrupts_enable();
}

}  // namespace hotline::models
