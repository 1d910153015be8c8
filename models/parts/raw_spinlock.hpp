#pragma once

#include "models/make.hpp"
#include "models/parts/queued_spinlock.hpp"

namespace hotline::models {

/// A spinlock inside another lock of the kernel: a qspinlock, held with preemption disabled.
class RawSpinlock {
 public:
  /// Takes up the next 32 bits of the site.
  explicit RawSpinlock(Site& site);

  Task<> acquire(Thread& self);
  Task<bool> try_acquire(Thread& self);
  Task<> release(Thread& self);

 private:
  QueuedSpinlock lock_;
};

}  // namespace hotline::models
