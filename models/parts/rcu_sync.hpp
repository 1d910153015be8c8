#pragma once

#include "models/make.hpp"
#include "models/parts/kernel_rcu.hpp"
#include "models/parts/raw_spinlock.hpp"
#include "models/parts/tasks.hpp"
#include "models/parts/wait_list.hpp"

namespace hotline::models {

/// Linux 6.12 kernel/rcu/sync.c: tells readers whether there are updaters. The first updater waits
/// a grace period, so that all readers know of it then; others that come while readers know already
/// go on at once. A grace period after the last one readers may forget.
class RcuSync {
 public:
  /// Takes up the next 28 bytes of the site.
  RcuSync(Site& site, Tasks& tasks, KernelRcu& rcu);

  /// For readers, inside a section.
  Task<bool> is_idle(Thread& self);
  /// Returns when all readers see that it is not idle.
  Task<> enter(Thread& self);
  Task<> exit(Thread& self);

 private:
  class Passed;

  Task<> acquire(Thread& self);
  Task<> release(Thread& self);
  Task<> wait_until_passed(Thread& self);
  Task<> call(Thread& self);
  Task<> grace_period_passed(Thread& self);

  Tasks& tasks_;
  KernelRcu& rcu_;
  Word state_;
  Word count_;
  RawSpinlock lock_;
  WaitList waiters_;
};

}  // namespace hotline::models
