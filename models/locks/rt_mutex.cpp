// source  Linux 6.12 kernel/locking/rtmutex.c and spinlock_rt.c: struct rt_mutex, and what a
//         spinlock_t is in a kernel with PREEMPT_RT (Molnar, Gleixner 2006).
// idea    One word holds the owner and whether others wait. Waiters stand by priority in a tree
//         behind a spinlock, and lend their priority to the owner, to the owner of what that one
//         waits for, and so on. A release frees the word and wakes the first waiter, which still
//         has to take it, under the spinlock.
// spins   The first waiter on the owner word, as long as the owner runs; all others sleep.
// differs from Linux in that the first waiter spins on when a more important one comes, that the
//         shape of the tree is only what a search in it would touch, and that a chain of owners is
//         walked lock by lock without starting again when it has changed.

#include "models/locks/rt_mutex.hpp"

#include "models/parts/rt_lock.hpp"
#include "models/parts/rt_section.hpp"

namespace hotline::models {

namespace {

class RtMutex final : public LockModel {
 public:
  explicit RtMutex(Site& site) : lock_(site, RtLock::Flavour::kMutex) {}

  Task<> acquire(Thread& self) override {
    co_await self.cond_resched();
    co_await lock_.acquire(self);
  }
  Task<bool> try_acquire(Thread& self) override { return lock_.try_acquire(self); }
  Task<> release(Thread& self) override { return lock_.release(self); }

 private:
  RtLock lock_;
};

class RtSpinlock final : public LockModel {
 public:
  explicit RtSpinlock(Site& site) : lock_(site, RtLock::Flavour::kSpinlock), section_(site) {}

  Task<> acquire(Thread& self) override {
    co_await lock_.acquire(self);
    co_await section_.begin(self);
  }
  Task<bool> try_acquire(Thread& self) override {
    const bool taken = co_await lock_.try_acquire(self);
    if (taken) co_await section_.begin(self);
    co_return taken;
  }
  Task<> release(Thread& self) override {
    RtSection::about_to_end(self);
    co_await lock_.release(self);
    co_await section_.end(self);
  }

 private:
  RtLock lock_;
  RtSection section_;
};

}  // namespace

std::unique_ptr<Model> rt_mutex(Site& site, ParamReader&) {
  return std::make_unique<RtMutex>(site);
}

std::unique_ptr<Model> rt_spin_lock(Site& site, ParamReader&) {
  return std::make_unique<RtSpinlock>(site);
}

}  // namespace hotline::models
