#pragma once

#include <cstdint>
#include <memory>

#include "models/make.hpp"
#include "models/parts/priority_inheritance.hpp"

namespace hotline::models {

/// Linux's rt_mutex_base (kernel/locking/rtmutex.c), on which all its kin are built.
class RtLock {
 public:
  /// Whether a thread that is not real-time may pass by its equals.
  enum class Flavour : std::uint8_t { kMutex, kSpinlock };

  RtLock(Site& site, Flavour flavour);

  Task<> acquire(Thread& self);
  Task<bool> try_acquire(Thread& self);
  Task<> release(Thread& self);

  RawSpinlock& wait_lock() { return wait_lock_; }
  /// By a caller that has wait_lock and keeps it, but for the time that it waits.
  Task<> acquire_with_wait_lock(Thread& self);
  /// The thread that has it, or null; with wait_lock.
  Task<Thread*> holder(Thread& self);

 private:
  Task<bool> try_to_take(Thread& self, Value me, bool waits);
  bool may_steal(const Thread& self) const;
  Task<> wait_until_taken(Thread& self, Value me);
  Task<bool> spin_while_runs(Thread& self, Value owner);
  Task<> clear_waiters_if_none(Thread& self);
  Task<> release_slowly(Thread& self, Value me);
  Tasks& tasks() { return inheritance_->tasks(); }

  Flavour flavour_;
  std::shared_ptr<PriorityInheritance> inheritance_;
  RawSpinlock wait_lock_;
  PriorityQueue waiters_;
  Word owner_;
};

}  // namespace hotline::models
