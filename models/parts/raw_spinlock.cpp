#include "models/parts/raw_spinlock.hpp"

namespace hotline::models {

namespace {

QueuedSpinlock make_qspinlock(Site& site) {
  ParamReader defaults;
  return {site, defaults, "qspinlock node", {{"next", 64}, {"locked", 32}, {"count", 32}}};
}

}  // namespace

RawSpinlock::RawSpinlock(Site& site) : lock_(make_qspinlock(site)) {}

Task<> RawSpinlock::acquire(Thread& self) {
  self.preempt_disable();
  return lock_.acquire(self);
}

Task<bool> RawSpinlock::try_acquire(Thread& self) {
  self.preempt_disable();
  const bool taken = co_await lock_.try_acquire(self);
  if (!taken) {
    self.preempt_enable();
    co_await self.checkpoint();
  }
  co_return taken;
}

Task<> RawSpinlock::release(Thread& self) {
  co_await lock_.release(self);
  self.preempt_enable();
  co_await self.checkpoint();
}

}  // namespace hotline::models
