// source  glibc 2.25 to 2.40, nptl/pthread_cond_wait.c, _signal.c and _common.c (Riegel, 2016).
// idea    Waiters draw positions in one sequence and belong to two groups. Signals go to the older
//         group, each as a count that one of its waiters takes; when all of it have been signalled,
//         the next signal closes it and turns the younger group, with all who have come by then,
//         into the older. So no waiter can take a signal that was sent before it came. A waiter
//         without a signal sleeps on its group's futex; before a group's slot is used again nobody
//         may be about to sleep on that.
// spins   Nobody: signallers have a futex lock among themselves, and wait for the last sleepers of
//         a group on a futex.
// differs from glibc in that a waiter takes the mutex back like anybody else, not as contended. No
//         timeouts, no cancellation, no destruction, one process.

#include "models/locks/condition_variable.hpp"

#include <array>
#include <limits>

#include "models/parts/futex.hpp"

namespace hotline::models {

namespace {

constexpr std::uint32_t kEverybody = std::numeric_limits<std::uint32_t>::max();
constexpr Value kHalf = 0xFFFF'FFFF;  // of those words that have 32 bits

// Of the sequence and of the older group's start: the lowest bit is the younger group's slot.
constexpr Value kYounger = 1;
constexpr Value kPosition = 2;

constexpr Value kWaiter = 8;  // of the count of waiters, above flags

// Of a group's signals and references.
constexpr Value kClosed = 1;
constexpr Value kWantsWake = 1;
constexpr Value kOne = 2;

// Of the older group's size at its beginning: a lock of signallers.
constexpr Value kLockBits = 3;
constexpr Value kLocked = 1;
constexpr Value kContended = 2;
constexpr unsigned kSizeShift = 2;

constexpr Value minus(Value amount) { return ~amount + 1; }

class GlibcConditionVariable final : public model::ConditionVariableModel {
 public:
  GlibcConditionVariable(Site& site, ParamReader&)
      : sequence_(site.word("wseq")),
        start_(site.word("g1_start")),
        references_{site.word("g_refs[0]", 32), site.word("g_refs[1]", 32)},
        sizes_{site.word("g_size[0]", 32), site.word("g_size[1]", 32)},
        first_size_(site.word("g1_orig_size", 32)),
        waiters_(site.word("wrefs", 32)),
        signals_{site.word("g_signals[0]", 32), site.word("g_signals[1]", 32)},
        signal_futexes_{Futex(site), Futex(site)},
        reference_futexes_{Futex(site), Futex(site)},
        lock_futex_(site) {}

  Task<> wait(Thread& self, Lock& lock) override {
    const Value drawn = co_await self.fetch_add(sequence_, kPosition);
    const std::size_t slot = drawn & kYounger;
    const Value position = drawn / kPosition;
    co_await self.fetch_add(waiters_, kWaiter);
    co_await lock.release(self);
    const bool signalled = co_await take_signal(self, slot, position);
    if (signalled) co_await give_back_if_stolen(self, slot, position);
    co_await self.fetch_add(waiters_, minus(kWaiter));
    co_await lock.acquire(self);
  }

  Task<> signal(Thread& self) override { return wake(self, false); }
  Task<> broadcast(Thread& self) override { return wake(self, true); }

 private:
  // Waiters.

  /// False if the group has been closed, which it is only when all its waiters have been signalled.
  Task<bool> take_signal(Thread& self, std::size_t slot, Value position) {
    Value signals = co_await self.load(signals_[slot]);
    for (;;) {
      if ((signals & kClosed) != 0) co_return false;
      if (signals == 0) {
        const bool closed = co_await sleep(self, slot, position);
        if (closed) co_return false;
        signals = co_await self.load(signals_[slot]);
        continue;
      }
      const Value before = co_await self.compare_exchange(signals_[slot], signals, signals - kOne);
      if (before == signals) co_return true;
      signals = before;
    }
  }

  /// Sleeps until there may be a signal; true if the group is closed instead.
  Task<bool> sleep(Thread& self, std::size_t slot, Value position) {
    co_await self.fetch_add(references_[slot], kOne);
    const Value signals = co_await self.load(signals_[slot]);
    bool closed = (signals & kClosed) != 0;
    if (!closed) {
      const Value start = co_await self.load(start_);
      closed = position < start / kPosition;
    }
    if (!closed) co_await signal_futexes_[slot].wait(self, signals_[slot], 0);
    const Value before = co_await self.fetch_add(references_[slot], minus(kOne));
    if (before == (kOne | kWantsWake)) {  // a signaller waits for the last reference
      co_await self.fetch_and(references_[slot], ~kWantsWake);
      co_await reference_futexes_[slot].wake(self, kEverybody);
    }
    co_return closed;
  }

  /// A slow waiter of a group that was closed meanwhile may have taken a signal of the next one in
  /// its slot. It cannot know; an additional signal does no harm.
  Task<> give_back_if_stolen(Thread& self, std::size_t slot, Value position) {
    const Value start = co_await self.load(start_);
    const std::size_t older = (start & kYounger) ^ 1U;
    if (position >= start / kPosition || older != slot) co_return;
    Value signals = co_await self.load(signals_[slot]);
    for (;;) {
      const Value now = co_await self.load(start_);
      if (now != start) co_return;
      Value before = signals;
      if ((signals & kClosed) == 0) {
        before = co_await self.compare_exchange(signals_[slot], signals, signals + kOne);
      }
      if (before == signals) break;
      signals = before;
    }
    co_await signal_futexes_[slot].wake(self, 1);
  }

  // Signallers.

  Task<> wake(Thread& self, bool everybody) {
    const Value waiters = co_await self.load(waiters_);
    if (waiters < kWaiter) co_return;
    co_await acquire(self);
    const Value sequence = co_await self.load(sequence_);
    std::size_t older = (sequence & kYounger) ^ 1U;
    Value size = co_await self.load(sizes_[older]);
    if (size == 0) {
      size = co_await switch_groups(self, older, sequence / kPosition);
      older ^= 1U;
    }
    if (size != 0) {
      const Value count = everybody ? size : 1;
      co_await self.fetch_add(signals_[older], count * kOne);
      co_await self.store(sizes_[older], size - count);
    }
    co_await release(self);
    if (size != 0) co_await signal_futexes_[older].wake(self, everybody ? kEverybody : 1);
  }

  /// Closes the older group, which is in `slot` and empty, and makes the younger the older. Returns
  /// its size: 0 if nobody is in it.
  Task<Value> switch_groups(Thread& self, std::size_t slot, Value position) {
    const std::size_t other = slot ^ 1U;
    const Value first_size = co_await self.load(first_size_);
    const Value start = co_await self.load(start_);
    const Value younger_starts = start / kPosition + (first_size >> kSizeShift);
    const Value gone = co_await self.load(sizes_[other]);  // 0 without timeouts
    if (((position - younger_starts + gone) & kHalf) == 0) co_return 0;

    co_await self.fetch_or(signals_[slot], kClosed);
    co_await wait_for_references(self, slot);
    const Value began = younger_starts * kPosition + slot;
    co_await self.store(start_, began);
    co_await self.store(signals_[slot], 0);

    const Value sequence = co_await flip_younger(self);
    const Value size = sequence / kPosition - younger_starts;
    co_await note_first_size(self, size);
    co_await self.store(sizes_[other], (size + gone) & kHalf);
    co_return (size + gone) & kHalf;
  }

  Task<> wait_for_references(Thread& self, std::size_t slot) {
    Value references = co_await self.fetch_or(references_[slot], 0);
    while (references >= kOne) {
      references = co_await self.fetch_or(references_[slot], kWantsWake);
      if (references >= kOne) {
        co_await reference_futexes_[slot].wait(self, references_[slot], references | kWantsWake);
      }
      references = co_await self.load(references_[slot]);
    }
  }

  /// An exclusive or with its result, which x86 has not: a loop.
  Task<Value> flip_younger(Thread& self) {
    Value sequence = co_await self.load(sequence_);
    for (;;) {
      const Value before = co_await self.compare_exchange(sequence_, sequence, sequence ^ kYounger);
      if (before == sequence) co_return sequence;
      sequence = before;
    }
  }

  /// Beside the lock, which somebody may mark as contended at the same time.
  Task<> note_first_size(Thread& self, Value size) {
    const Value seen = co_await self.load(first_size_);
    const Value wanted = (seen & kLockBits) | (size << kSizeShift);
    const Value before = co_await self.exchange(first_size_, wanted);
    if ((before & kLockBits) == (wanted & kLockBits)) co_return;
    co_await self.store(first_size_, (size << kSizeShift) | kContended);
  }

  Task<> acquire(Thread& self) {
    Value seen = co_await self.load(first_size_);
    while ((seen & kLockBits) == 0) {
      const Value before = co_await self.compare_exchange(first_size_, seen, seen | kLocked);
      if (before == seen) co_return;
      seen = before;
    }
    for (;;) {
      while ((seen & kLockBits) != kContended) {
        const Value contended = (seen & ~kLockBits) | kContended;
        const Value before = co_await self.compare_exchange(first_size_, seen, contended);
        if (before == seen && (seen & kLockBits) == 0) co_return;
        if (before == seen) break;
        seen = before;
      }
      co_await lock_futex_.wait(self, first_size_, (seen & ~kLockBits) | kContended);
      seen = co_await self.load(first_size_);
    }
  }

  Task<> release(Thread& self) {
    const Value before = co_await self.fetch_and(first_size_, kHalf & ~kLockBits);
    if ((before & kLockBits) == kContended) co_await lock_futex_.wake(self, 1);
  }

  Word sequence_;
  Word start_;
  std::array<Word, 2> references_;
  std::array<Word, 2> sizes_;
  Word first_size_;
  Word waiters_;
  std::array<Word, 2> signals_;
  std::array<Futex, 2> signal_futexes_;
  std::array<Futex, 2> reference_futexes_;
  Futex lock_futex_;
};

}  // namespace

std::unique_ptr<Model> condition_variable(Site& site, ParamReader& params) {
  return make<GlibcConditionVariable>(site, params);
}

}  // namespace hotline::models
