// source  Linux 2.5 include/asm-i386/spinlock.h, from memory: the spinlock of 2003.
// idea    A byte that is 1 when free. A locked decrement takes it if the result is not negative;
//         otherwise read, with pauses, until it is positive, and decrement again.
// spins   Every waiter on the lock byte, with reads; a release makes them all decrement, each
//         decrement invalidating the rest: test-and-test-and-set in other clothes.
// differs from Linux in nothing. As there, 129 decrements between two releases would wrap the byte
//         and break exclusion, so a site with more than 128 threads is refused.

#include "models/locks/i386_spinlock.hpp"

namespace hotline::models {

namespace {

constexpr Value kFree = 1;
constexpr Value kTaken = 0;
constexpr std::uint32_t kMostThreads = 128;

class I386Spinlock final : public LockModel {
 public:
  I386Spinlock(Site& site, ParamReader& params) : slock_(site.word("slock", 8, kFree)) {
    site.gap(3);  // the byte lies in an unsigned int
    if (site.threads() > kMostThreads) {
      params.reject("model", "i386-spinlock counts waiters in a byte: at most 128 threads");
    }
  }

  Task<> acquire(Thread& self) override {
    for (;;) {
      const Value before = co_await self.fetch_add(slock_, ~Value{0});
      if (before == kFree) co_return;
      co_await self.spin_until(slock_, kFree);
    }
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value before = co_await self.exchange(slock_, kTaken);
    co_return before == kFree;
  }

  Task<> release(Thread& self) override { co_await self.store(slock_, kFree); }

 private:
  Word slock_;
};

}  // namespace

std::unique_ptr<Model> i386_spinlock(Site& site, ParamReader& params) {
  return make<I386Spinlock>(site, params);
}

}  // namespace hotline::models
