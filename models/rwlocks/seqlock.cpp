// source  Linux 6.12 include/linux/seqlock.h: seqlock_t (after Lameter's and Hemminger's frlock,
//         2003); Lameter, Effective Synchronization on Linux/NUMA Systems, Gelato 2005.
// idea    Writers hold a spinlock and make a count odd before they change the data and even after.
//         Readers write nothing: they read the count, the data and the count again, and begin anew
//         if it was odd or has changed.
// spins   Readers on the count while it is odd; writers as their spinlock does. Each update takes
//         the line away from all readers, at least twice if they come back in between.
//         With PREEMPT_RT (rt-seqlock) the lock sleeps and a writer may be preempted, so a reader
//         that sees an odd count does not spin: it takes the lock once and gives it back.
// differs from Linux as rt-spin-lock does.

#include "models/rwlocks/seqlock.hpp"

#include <utility>

#include "models/locks/qspinlock.hpp"
#include "models/locks/rt_mutex.hpp"
#include "models/locks/ticket.hpp"

namespace hotline::models {

namespace {

constexpr Value kOdd = 1;

class SeqLock final : public SequenceLockModel {
 public:
  enum class Kernel : std::uint8_t { kOrdinary, kRealTime };

  /// `writers` follows the count on its line.
  SeqLock(Word sequence, std::unique_ptr<Model> writers, Kernel kernel)
      : sequence_(sequence), writers_(std::move(writers)), kernel_(kernel) {}

  Task<ReadToken> read_begin(Thread& self) override {
    Value seen = co_await self.load(sequence_);
    if ((seen & kOdd) != 0) seen = co_await wait_for_writer(self);
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
  /// Returns an even count. A writer that can be preempted is waited for by its lock, which lends
  /// it the reader's priority.
  Task<Value> wait_for_writer(Thread& self) {
    Value seen = kOdd;
    if (kernel_ == Kernel::kOrdinary) seen = co_await self.spin_until(sequence_, equals(0, kOdd));
    while ((seen & kOdd) != 0) {
      co_await writers_->lock()->acquire(self);
      co_await writers_->lock()->release(self);
      seen = co_await self.load(sequence_);
    }
    co_return seen;
  }

  /// Only the holder writes the count, so no locked operation is needed.
  Task<> count_up(Thread& self) {
    const Value seen = co_await self.load(sequence_);
    co_await self.store(sequence_, seen + 1);
  }

  Word sequence_;
  std::unique_ptr<Model> writers_;
  Kernel kernel_;
};

}  // namespace

std::unique_ptr<Model> seqlock(Site& site, ParamReader& params) {
  const std::size_t which =
      params.choice("lock", 0, {"qspinlock", "ticket"}, "what keeps writers apart");
  const Word sequence = site.word("sequence", 32);
  ParamReader defaults;
  return std::make_unique<SeqLock>(sequence,
                                   which == 0 ? qspinlock(site, defaults) : ticket(site, defaults),
                                   SeqLock::Kernel::kOrdinary);
}

std::unique_ptr<Model> rt_seqlock(Site& site, ParamReader&) {
  const Word sequence = site.word("sequence", 32);
  ParamReader defaults;
  return std::make_unique<SeqLock>(sequence, rt_spin_lock(site, defaults),
                                   SeqLock::Kernel::kRealTime);
}

}  // namespace hotline::models
