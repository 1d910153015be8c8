#include "models/parts/rt_lock.hpp"

namespace hotline::models {

namespace {

constexpr Value kFree = 0;
constexpr Value kWaiters = 1;

constexpr Value owner_of(Value word) { return word & ~Tasks::kFlags; }

}  // namespace

RtLock::RtLock(Site& site, Flavour flavour)
    : flavour_(flavour),
      inheritance_(site.common<PriorityInheritance>("priority inheritance")),
      wait_lock_(site),
      waiters_(site, wait_lock_),
      owner_(site.word("owner")) {}

Task<> RtLock::acquire(Thread& self) {
  const Value me = tasks().name(self);
  const Value before = co_await self.compare_exchange(owner_, kFree, me);
  if (before != kFree) {
    co_await wait_lock_.acquire(self);
    co_await acquire_with_wait_lock(self);
    co_await wait_lock_.release(self);
  }
}

Task<bool> RtLock::try_acquire(Thread& self) {
  const Value me = tasks().name(self);
  const Value before = co_await self.compare_exchange(owner_, kFree, me);
  if (owner_of(before) != kFree) co_return false;
  if (before == kFree) co_return true;
  co_await wait_lock_.acquire(self);
  const bool taken = co_await try_to_take(self, me, false);
  co_await clear_waiters_if_none(self);
  co_await wait_lock_.release(self);
  co_return taken;
}

Task<> RtLock::release(Thread& self) {
  const Value me = tasks().name(self);
  const Value before = co_await self.compare_exchange(owner_, me, kFree);
  if (before != me) co_await release_slowly(self, me);
}

Task<> RtLock::acquire_with_wait_lock(Thread& self) {
  const Value me = tasks().name(self);
  const bool taken = co_await try_to_take(self, me, false);
  if (!taken) co_await wait_until_taken(self, me);
  co_await clear_waiters_if_none(self);
}

Task<Thread*> RtLock::holder(Thread& self) {
  const Value seen = co_await self.load(owner_);
  const Value owner = owner_of(seen);
  co_return owner == kFree ? nullptr : &tasks().thread(owner);
}

/// Under wait_lock, as everything below that does not say otherwise.
Task<bool> RtLock::try_to_take(Thread& self, Value me, bool waits) {
  const Value seen = co_await self.fetch_or(owner_, kWaiters);  // no release goes by from now on
  if (owner_of(seen) != kFree) co_return false;
  if (!waiters_.empty() && waiters_.top() != me && !may_steal(self)) co_return false;
  if (waits) {
    inheritance_->stop_waiting(me);
    co_await waiters_.remove(self, me);
  }
  if (!waiters_.empty()) co_await inheritance_->take_over(self, waiters_, me);
  co_await self.exchange(owner_, me | kWaiters);
  co_return true;
}

/// A spinlock lets a thread that is not real-time pass by its equals.
bool RtLock::may_steal(const Thread& self) const {
  const os::Priority first = waiters_.top_priority();
  if (os::goes_before(self.priority(), first)) return true;
  return flavour_ == Flavour::kSpinlock && self.priority().real_time == 0 && first.real_time == 0;
}

Task<> RtLock::wait_until_taken(Thread& self, Value me) {
  const Value owner = co_await self.load(owner_);
  co_await waiters_.insert(self, me, self.priority());
  inheritance_->begin_waiting(me, waiters_);
  if (owner_of(owner) != kFree) {
    co_await inheritance_->lend(self, waiters_, owner_of(owner));
  }
  self.prepare_to_block();
  bool taken = co_await try_to_take(self, me, true);
  while (!taken) {
    const Value holder = co_await self.load(owner_);
    const bool is_first = waiters_.top() == me;
    co_await wait_lock_.release(self);
    bool look_again = false;
    if (is_first && owner_of(holder) != kFree) {
      look_again = co_await spin_while_runs(self, owner_of(holder));
    }
    if (!look_again) co_await self.block();
    co_await wait_lock_.acquire(self);
    self.prepare_to_block();
    taken = co_await try_to_take(self, me, true);
  }
  self.stay_awake();
}

/// Without wait_lock. False if the owner has left its CPU, or another thread should run here.
Task<bool> RtLock::spin_while_runs(Thread& self, Value owner) {
  co_await self.load(tasks().on_cpu(owner));
  const Value seen = co_await self.spin_optimistically(owner_, differs(owner, ~Tasks::kFlags),
                                                       &tasks().thread(owner));
  co_return owner_of(seen) != owner;
}

Task<> RtLock::clear_waiters_if_none(Thread& self) {
  if (!waiters_.empty()) co_return;
  const Value seen = co_await self.load(owner_);
  if ((seen & kWaiters) != 0) co_await self.store(owner_, owner_of(seen));
}

/// Without wait_lock.
Task<> RtLock::release_slowly(Thread& self, Value me) {
  co_await wait_lock_.acquire(self);
  while (waiters_.empty()) {  // somebody has looked and not stayed
    co_await self.store(owner_, me);
    co_await wait_lock_.release(self);
    const Value before = co_await self.compare_exchange(owner_, me, kFree);
    if (before == me) co_return;
    co_await wait_lock_.acquire(self);
  }
  const Value first = waiters_.top();
  self.preempt_disable();  // until the first waiter is awake, lent priority or not
  co_await inheritance_->give_back(self, waiters_, me);
  co_await self.store(owner_, kWaiters);
  co_await wait_lock_.release(self);
  co_await self.wake(tasks().thread(first));
  self.preempt_enable();
  co_await self.checkpoint();
}

}  // namespace hotline::models
