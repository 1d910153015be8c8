// source  Linux 6.12 include/linux/seqlock.h: seqlock_t (after Lameter's and Hemminger's frlock,
//         2003); Lameter, Effective Synchronization on Linux/NUMA Systems, Gelato 2005.
// idea    Writers hold a spinlock and make a count odd before they change the data and even after.
//         Readers write nothing: they read the count, the data and the count again, and begin anew
//         if it was odd or has changed.
// spins   Readers on the count while it is odd; writers as their spinlock does. Each update takes
//         the line away from all readers, at least twice if they come back in between.
// differs from Linux on PREEMPT_RT, where a reader that sees an odd count takes the lock once.

#include "models/rwlocks/seqlock.hpp"

#include "models/locks/qspinlock.hpp"
#include "models/locks/ticket.hpp"

namespace hotline::models {

namespace {

constexpr Value kOdd = 1;

class SeqLock final : public SequenceLockModel {
 public:
  SeqLock(Site& site, ParamReader& params)
      : sequence_(site.word("sequence", 32)),
        writers_(make_lock(
            site, params.choice("lock", 0, {"qspinlock", "ticket"}, "what keeps writers apart"))) {}

  Task<ReadToken> read_begin(Thread& self) override {
    Value seen = co_await self.load(sequence_);
    if ((seen & kOdd) != 0) seen = co_await self.spin_until(sequence_, equals(0, kOdd));
    const ReadToken token{seen};
    co_return token;
  }

  Task<bool> read_retry(Thread& self, ReadToken token) override {
    const Value seen = co_await self.load(sequence_);
    co_return seen != token.value;
  }

  Task<> acquire(Thread& self) override {
    co_await writers_->lock()->acquire(self);
    co_await count_up(self);
  }

  Task<bool> try_acquire(Thread& self) override {
    const bool taken = co_await writers_->lock()->try_acquire(self);
    if (taken) co_await count_up(self);
    co_return taken;
  }

  Task<> release(Thread& self) override {
    co_await count_up(self);
    co_await writers_->lock()->release(self);
  }

 private:
  static std::unique_ptr<Model> make_lock(Site& site, std::size_t which) {
    ParamReader defaults;
    return which == 0 ? qspinlock(site, defaults) : ticket(site, defaults);
  }

  /// Only the holder writes the count, so no locked operation is needed.
  Task<> count_up(Thread& self) {
    const Value seen = co_await self.load(sequence_);
    co_await self.store(sequence_, seen + 1);
  }

  Word sequence_;
  std::unique_ptr<Model> writers_;
};

}  // namespace

std::unique_ptr<Model> seqlock(Site& site, ParamReader& params) {
  return make<SeqLock>(site, params);
}

}  // namespace hotline::models
