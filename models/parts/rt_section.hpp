#pragma once

#include "models/make.hpp"
#include "sim/model/rcu.hpp"

namespace hotline::models {

/// What a spinlock_t or rwlock_t of a kernel with PREEMPT_RT is beside a lock: its holder stays on
/// its CPU, though it can be preempted there, and is a reader of RCU, which elsewhere follows from
/// having preemption disabled. In runs of other kernels it is no reader.
class RtSection {
 public:
  explicit RtSection(const Site& site) : site_(site) {}

  /// When the lock has been taken.
  Task<> begin(Thread& self) const {
    if (model::Rcu* const rcu = domain()) co_await rcu->read_lock(self);
    self.migrate_disable();
  }
  /// Before it is released.
  static void about_to_end(Thread& self) { self.migrate_enable(); }
  /// When it has been released.
  Task<> end(Thread& self) const {
    if (model::Rcu* const rcu = domain()) co_await rcu->read_unlock(self, {});
  }

 private:
  model::Rcu* domain() const {
    model::Rcu* const rcu = site_.kernel_rcu();
    if (rcu == nullptr) return nullptr;
    return site_.scheduler()->parameters().preemption == os::Preemption::kRealTime ? rcu : nullptr;
  }

  const Site& site_;
};

}  // namespace hotline::models
