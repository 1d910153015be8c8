// paper   T. E. Anderson, The Performance of Spin Lock Alternatives for Shared-Memory
//         Multiprocessors, IEEE TPDS 1(1), 1990.
// idea    One word. Exchange it for "held" until what comes back is "free".
// spins   Every waiter on the lock word, with writes: each try takes the line away from whoever
//         has it, the holder included, so even the release queues behind the waiters' tries.
// differs from the paper in nothing; the pauses between two tries are a parameter.

#include "models/locks/test_and_set.hpp"

namespace hotline::models {

namespace {

constexpr Value kFree = 0;
constexpr Value kHeld = 1;

class TestAndSetLock final : public LockModel {
 public:
  TestAndSetLock(Site& site, ParamReader& params)
      : held_(site.word("held", 32)),
        pauses_(static_cast<std::uint64_t>(
            params.integer("pauses", 1, 0, 1 << 20, "pause instructions between two tries"))) {}

  Task<> acquire(Thread& self) override {
    for (;;) {
      const Value before = co_await self.exchange(held_, kHeld);
      if (before == kFree) co_return;
      if (pauses_ > 0) co_await self.pause(pauses_);
    }
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value before = co_await self.exchange(held_, kHeld);
    co_return before == kFree;
  }

  Task<> release(Thread& self) override { co_await self.store(held_, kFree); }

 private:
  Word held_;
  std::uint64_t pauses_;
};

}  // namespace

std::unique_ptr<Model> test_and_set(Site& site, ParamReader& params) {
  return make<TestAndSetLock>(site, params);
}

}  // namespace hotline::models
