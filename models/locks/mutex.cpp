// source  Linux 6.12 kernel/locking/mutex.c and osq_lock.c: struct mutex (Molnar 2006; optimistic
//         spinning Zijlstra 2009, Low 2014; hand-off Zijlstra 2016), without PREEMPT_RT.
// idea    One word holds the owner and three flags. Who finds it taken spins as long as the owner
//         runs on a CPU, one at a time behind a queue; else it sleeps in a list. A release wakes
//         the list's first, which still has to take the mutex; if another was faster, it asks for a
//         hand-over, and the next release gives it the mutex before it wakes it.
// spins   The queue's head on the owner word, the others on their own nodes. A sleeper that is
//         first in the list spins beside the queue once it has been woken.
// differs from Linux in that nobody writes the word in the owner's task that says whether it runs
//         (the scheduler would, when it switches), and in that spinners look at it only once: they
//         learn at once when the owner leaves its CPU.

#include "models/locks/mutex.hpp"

#include "models/parts/osq.hpp"
#include "models/parts/raw_spinlock.hpp"
#include "models/parts/tasks.hpp"
#include "models/parts/wait_list.hpp"

namespace hotline::models {

namespace {

constexpr Value kFree = 0;
constexpr Value kWaiters = 1;   // the release must wake somebody
constexpr Value kHandOver = 2;  // and must give the mutex to it
constexpr Value kPickUp = 4;    // which has yet to take what it was given

constexpr Value owner_of(Value word) { return word & ~Tasks::kFlags; }
constexpr Value flags_of(Value word) { return word & Tasks::kFlags; }

class Mutex final : public LockModel {
 public:
  Mutex(Site& site, ParamReader& params)
      : spins_(params.boolean("spin", true, "spin while the owner runs, before sleeping")),
        owner_(site.word("owner")),
        wait_lock_(site),
        osq_(site),
        waiters_(site, "mutex_waiter"),
        tasks_(site) {}

  Task<> acquire(Thread& self) override {
    co_await self.cond_resched();
    const Value me = tasks_.name(self);
    const Value before = co_await self.compare_exchange(owner_, kFree, me);
    if (before == kFree) co_return;
    self.preempt_disable();
    Value owner = co_await take_or_see_owner(self, me, false);
    if (owner != kFree) {
      const bool taken = co_await spin_while_owner_runs(self, me, false);
      if (!taken) co_await sleep_until_taken(self, me);
    }
    self.preempt_enable();
    co_await self.checkpoint();
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value owner = co_await take_or_see_owner(self, tasks_.name(self), false);
    co_return owner == kFree;
  }

  Task<> release(Thread& self) override {
    const Value me = tasks_.name(self);
    const Value before = co_await self.compare_exchange(owner_, me, kFree);
    if (before != me) co_await release_to_waiters(self);
  }

 private:
  /// Nobody if the mutex is now ours, else its owner; `hands_over` asks that owner for it.
  Task<Value> take_or_see_owner(Thread& self, Value me, bool hands_over) {
    Value seen = co_await self.load(owner_);
    for (;;) {
      const Value owner = owner_of(seen);
      Value wanted = flags_of(seen);
      if (owner == kFree) {
        wanted = me | (wanted & ~kHandOver);
      } else if (owner == me && (seen & kPickUp) != 0) {
        wanted = me | (wanted & ~kPickUp);
      } else if (hands_over && (seen & (kHandOver | kPickUp)) == 0) {
        wanted = seen | kHandOver;
      } else {
        co_return owner;
      }
      const Value before = co_await self.compare_exchange(owner_, seen, wanted);
      if (before == seen) co_return owner_of(wanted) == me ? kFree : owner;
      seen = before;
    }
  }

  /// True if it took the mutex. A sleeper that was woken goes past the queue.
  Task<bool> spin_while_owner_runs(Thread& self, Value me, bool was_woken) {
    if (!spins_) co_return false;
    bool taken = false;
    if (was_woken) {
      taken = co_await spin_at_head(self, me);
    } else {
      bool may_spin = co_await owner_runs(self);
      if (may_spin) may_spin = co_await osq_.acquire(self);
      if (may_spin) {
        taken = co_await spin_at_head(self, me);
        co_await osq_.release(self);
      }
    }
    // Rather now than right after it has the mutex.
    if (!taken && self.need_resched()) co_await schedule(self, false);
    co_return taken;
  }

  Task<bool> owner_runs(Thread& self) {
    if (self.need_resched()) co_return false;
    const Value seen = co_await self.load(owner_);
    const Value owner = owner_of(seen);
    if (owner == kFree) co_return true;
    co_await self.load(tasks_.on_cpu(owner));
    co_return tasks_.thread(owner).on_cpu();
  }

  Task<bool> spin_at_head(Thread& self, Value me) {
    for (;;) {
      const Value owner = co_await take_or_see_owner(self, me, false);
      if (owner == kFree) co_return true;
      co_await self.load(tasks_.on_cpu(owner));
      const Value seen = co_await self.spin_optimistically(owner_, differs(owner, ~Tasks::kFlags),
                                                           &tasks_.thread(owner));
      if (owner_of(seen) == owner) co_return false;
    }
  }

  Task<> sleep_until_taken(Thread& self, Value me) {
    co_await wait_lock_.acquire(self);
    Value owner = co_await take_or_see_owner(self, me, false);
    if (owner != kFree) {
      co_await enqueue(self, me);
      self.prepare_to_block();
      owner = co_await take_or_see_owner(self, me, false);
      while (owner != kFree) {
        co_await wait_lock_.release(self);
        co_await schedule(self, true);
        self.prepare_to_block();
        const bool taken = co_await take_when_woken(self, me);
        co_await wait_lock_.acquire(self);
        if (taken) break;
        owner = co_await take_or_see_owner(self, me, false);
      }
      self.stay_awake();
      co_await dequeue(self, me);
    }
    co_await wait_lock_.release(self);
  }

  Task<bool> take_when_woken(Thread& self, Value me) {
    const Value first = co_await waiters_.front(self);
    const Value owner = co_await take_or_see_owner(self, me, first == me);
    if (owner == kFree) co_return true;
    if (first != me) co_return false;
    const bool taken = co_await spin_while_owner_runs(self, me, true);
    co_return taken;
  }

  /// Lets others run: until woken, or only if another should run now.
  static Task<> schedule(Thread& self, bool sleeps) {
    self.preempt_enable();
    if (sleeps) {
      co_await self.block();
    } else {
      self.stay_awake();
      co_await self.reschedule();
    }
    self.preempt_disable();
  }

  Task<> enqueue(Thread& self, Value me) {
    co_await waiters_.push_back(self, me);
    const Value first = co_await waiters_.front(self);
    if (first == me) co_await self.fetch_or(owner_, kWaiters);
  }

  Task<> dequeue(Thread& self, Value me) {
    co_await waiters_.remove(self, me);
    const Value first = co_await waiters_.front(self);
    if (first == kFree) co_await self.fetch_and(owner_, ~Tasks::kFlags);
  }

  Task<> release_to_waiters(Thread& self) {
    Value seen = co_await self.load(owner_);
    while ((seen & kHandOver) == 0) {
      const Value before = co_await self.compare_exchange(owner_, seen, flags_of(seen));
      if (before == seen) break;
      seen = before;
    }
    if ((seen & kWaiters) == 0) co_return;
    co_await wait_lock_.acquire(self);
    const Value first = co_await waiters_.front(self);
    if ((seen & kHandOver) != 0) co_await hand_over(self, first);
    co_await wait_lock_.release(self);
    if (first != kFree) co_await self.wake(tasks_.thread(first));
  }

  Task<> hand_over(Thread& self, Value heir) {
    Value seen = co_await self.load(owner_);
    for (;;) {
      const Value given = (seen & kWaiters) | (heir == kFree ? kFree : heir | kPickUp);
      const Value before = co_await self.compare_exchange(owner_, seen, given);
      if (before == seen) co_return;
      seen = before;
    }
  }

  bool spins_;
  Word owner_;
  RawSpinlock wait_lock_;
  OptimisticSpinQueue osq_;
  WaitList waiters_;
  Tasks tasks_;
};

}  // namespace

std::unique_ptr<Model> mutex(Site& site, ParamReader& params) { return make<Mutex>(site, params); }

}  // namespace hotline::models
