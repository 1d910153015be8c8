// paper   Rudolph, Segall, Dynamic Decentralized Cache Schemes for MIMD Parallel Processors, ISCA
//         1984; exponential back-off: Anderson, IEEE TPDS 1(1), 1990.
// idea    Look before you leap: read the word in your own cache until it is free, then try to take
//         it. With back-off, a waiter that sees the lock held pauses, each time twice as long.
// spins   Every waiter on the lock word, with reads. A release invalidates them all; all read
//         again, and everyone who saw it free tries, each failing try invalidating the rest once
//         more.
// differs from the paper in where the delay lies: after a look that found the lock held, as in
//         LITL's backoff lock (whose start and cap, in pauses, are the defaults); the first look
//         is never delayed.

#include "models/locks/ttas.hpp"

#include <algorithm>

#include "models/parts/spin.hpp"

namespace hotline::models {

namespace {

constexpr Value kFree = 0;
constexpr Value kHeld = 1;

class TtasLock final : public LockModel {
 public:
  TtasLock(Site& site, ParamReader& params)
      : held_(site.word("held", 32)),
        pace_(static_cast<SpinPace>(
            params.choice("pace", 1, {"tight", "pause", "yield"},
                          "between two looks: nothing, a pause instruction, or sched_yield()"))),
        backs_off_(params.choice("backoff", 0, {"none", "exponential"},
                                 "how long a waiter stays away from a held lock") == 1),
        start_(static_cast<std::uint64_t>(
            params.integer("start", 512, 1, 1 << 20, "first back-off, in pause instructions"))),
        cap_(static_cast<std::uint64_t>(
            params.integer("cap", (1 << 20) - 1, 1, 1 << 24, "longest back-off, in pauses"))) {}

  Task<> acquire(Thread& self) override {
    std::uint64_t delay = start_;
    for (;;) {
      if (backs_off_) {
        delay = co_await back_off_until_free(self, delay);
      } else {
        co_await spin_until(self, held_, kFree, pace_);
      }
      const Value before = co_await self.exchange(held_, kHeld);
      if (before == kFree) co_return;
    }
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value seen = co_await self.load(held_);
    if (seen != kFree) co_return false;
    const Value before = co_await self.exchange(held_, kHeld);
    co_return before == kFree;
  }

  Task<> release(Thread& self) override { co_await self.store(held_, kFree); }

 private:
  /// Returns the delay to begin with when the try that follows fails.
  Task<std::uint64_t> back_off_until_free(Thread& self, std::uint64_t delay) {
    Value seen = co_await self.load(held_);
    while (seen != kFree) {
      co_await self.pause(delay);
      delay = std::min(2 * delay, cap_);
      seen = co_await self.load(held_);
    }
    co_return delay;
  }

  Word held_;
  SpinPace pace_;
  bool backs_off_;
  std::uint64_t start_;
  std::uint64_t cap_;
};

}  // namespace

std::unique_ptr<Model> ttas(Site& site, ParamReader& params) {
  return make<TtasLock>(site, params);
}

}  // namespace hotline::models
