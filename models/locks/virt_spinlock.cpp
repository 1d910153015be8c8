// source  Linux 6.12 arch/x86/include/asm/qspinlock.h (virt_spin_lock): what a guest runs where
//         the CPU reports a hypervisor and paravirtual spinlocks are off.
// idea    A waiter in a queue may have lost its virtual CPU, and then everybody behind it waits
//         for nothing. So: no queue, anybody may take the word when it is free.
// spins   Every waiter on the lock word, with reads; a release makes them all try.
// differs from Linux in nothing; tail and pending bits exist and are never set.

#include "models/locks/virt_spinlock.hpp"

namespace hotline::models {

namespace {

constexpr Value kFree = 0;
constexpr Value kLocked = 1;

class VirtSpinlock final : public LockModel {
 public:
  VirtSpinlock(Site& site, ParamReader&)
      : whole_(site.overlay("qspinlock", 32)), locked_(site.word("locked", 8)) {
    site.gap(3);
  }

  Task<> acquire(Thread& self) override {
    Value before = co_await self.compare_exchange(whole_, kFree, kLocked);
    while (before != kFree) {
      co_await self.spin_until(whole_, kFree);
      before = co_await self.compare_exchange(whole_, kFree, kLocked);
      if (before != kFree) co_await self.pause();
    }
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value seen = co_await self.load(whole_);
    if (seen != kFree) co_return false;
    const Value before = co_await self.compare_exchange(whole_, kFree, kLocked);
    co_return before == kFree;
  }

  Task<> release(Thread& self) override { co_await self.store(locked_, 0); }

 private:
  Word whole_;
  Word locked_;
};

}  // namespace

std::unique_ptr<Model> virt_spinlock(Site& site, ParamReader& params) {
  return make<VirtSpinlock>(site, params);
}

}  // namespace hotline::models
