#pragma once

#include <memory>

#include "models/make.hpp"
#include "sim/model/rcu.hpp"

namespace hotline::models {

class TimedRcu;

/// RCU as other models of the kernel use it: the run's own, so that their grace periods are
/// simulated and shared with everybody else's. A run whose operating system does not tick has none;
/// there a grace period lasts as long as a parameter says, and longer if a section does.
class KernelRcu {
 public:
  KernelRcu(Site& site, ParamReader& params);
  ~KernelRcu();
  KernelRcu(const KernelRcu&) = delete;
  KernelRcu& operator=(const KernelRcu&) = delete;

  Task<ReadToken> read_lock(Thread& self) { return domain().read_lock(self); }
  Task<> read_unlock(Thread& self, ReadToken token) { return domain().read_unlock(self, token); }
  /// A section in which the thread keeps its CPU, which grace periods wait for as well: it costs no
  /// memory operation.
  void read_lock_sched(Thread& self);
  Task<> read_unlock_sched(Thread& self);
  Task<> synchronize(Thread& self) { return domain().synchronize(self); }
  Task<> call(Thread& self, std::unique_ptr<model::RcuCallback> callback) {
    return domain().call(self, std::move(callback));
  }

 private:
  model::Rcu& domain() const;

  Site& site_;
  std::unique_ptr<TimedRcu> timed_;
};

}  // namespace hotline::models
