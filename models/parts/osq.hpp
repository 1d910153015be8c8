#pragma once

#include <memory>
#include <vector>

#include "models/make.hpp"

namespace hotline::models {

/// The queue of the threads that spin for the holder of a sleeping lock, so that only its head
/// does (Linux kernel/locking/osq_lock.c, after MCS): one node for each CPU, of which one queue at
/// a time can have the use, since a spinner is not preempted. Unlike in MCS a waiter can leave the
/// queue from the middle: when its CPU should run another thread, or its predecessor's CPU has been
/// taken away by a hypervisor.
class OptimisticSpinQueue {
 public:
  /// Takes up the next 32 bits of the site.
  explicit OptimisticSpinQueue(Site& site);

  /// With preemption disabled until release(). False if the thread left the queue instead.
  Task<bool> acquire(Thread& self);
  Task<> release(Thread& self);

 private:
  Task<bool> wait_behind(Thread& self, Value me, Value predecessor);
  Task<bool> leave(Thread& self, Value me, Value predecessor);
  Task<Value> detach_successor(Thread& self, Value me, Value new_tail);

  Word next(Value name) const { return nodes_->word(name - 1, 0); }
  Word previous(Value name) const { return nodes_->word(name - 1, 1); }
  Word locked(Value name) const { return nodes_->word(name - 1, 2); }

  Word tail_;
  std::shared_ptr<RecordStack> nodes_;
  std::vector<const Thread*> spinners_;  // by CPU
};

}  // namespace hotline::models
