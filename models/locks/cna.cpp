// source  Dice, Kogan, Compact NUMA-aware Locks, EuroSys 2019; the form of the kernel patches,
//         version 15 (Kogan, May 2021, lore 20210514200743.3026725-1-alex.kogan@oracle.com).
// idea    qspinlock, whose queue's head spends its wait on sorting: as long as the lock is busy it
//         moves waiters of other NUMA nodes to a secondary queue. That queue goes before the main
//         one when no waiter is left there, or when it has existed for `threshold`.
// spins   As in qspinlock. The secondary queue is a ring whose tail is passed on in `locked`;
//         sorting reads each remote waiter's node, and writes the nodes at the ring's seam.
// differs from the patches in having no priority nodes for interrupts and real-time tasks, in
//         reading the clock for nothing, and in a node's name being its encoded tail.

#include "models/locks/cna.hpp"

#include "models/parts/queued_spinlock.hpp"

namespace hotline::models {

namespace {

// What `locked` says; higher values are the tail of the secondary queue, and "go".
constexpr Value kGo = 1;
// What `start_time` says; higher values are the time at which the secondary queue came to be.
constexpr Value kNoSecondary = 0;
constexpr Value kFlush = 1;

class CompactNumaAwareLock final : public QueuedSpinlock {
 public:
  CompactNumaAwareLock(Site& site, ParamReader& params)
      : QueuedSpinlock(site, params, "cna node",
                       {{"next", 64},
                        {"locked", 32},
                        {"count", 32},
                        {"numa_node", 16},
                        {"real_numa_node", 16},
                        {"encoded_tail", 32},
                        {"start_time", 64}}),
        threshold_(params.duration("threshold", Duration::from_ps(1'000'000'000),
                                   "the secondary queue's longest life, the patches' "
                                   "numa_spinlock_threshold_ns")),
        calm_(std::uint64_t{1} << static_cast<unsigned>(
                  params.integer("shuffle_reduction", 7, 0, 30,
                                 "while there is no secondary queue, one head in 2^this sorts"))) {}

 protected:
  Task<> prepare(Thread& self, Value me) override {
    co_await self.store(numa_node(me), self.node().value);
    co_await self.store(start_time(me), kNoSecondary);
  }

  Task<> prepare_to_wait(Thread& self, Value me) override {
    const Value secondary = co_await self.load(locked(me));
    if (secondary <= kGo && self.random().below(calm_) != 0) co_return;
    const Value start = co_await self.load(start_time(me));
    if (start != kNoSecondary && self.now().ps() > start + threshold_.ps()) {
      co_await self.store(start_time(me), kFlush);
      co_return;
    }
    for (;;) {
      const Value word = co_await self.load(whole());
      if ((word & kLockedOrPending) == 0) co_return;
      const bool local = co_await next_is_local(self, me);
      if (local) co_return;
      co_await self.pause();
    }
  }

  Task<bool> take_and_leave(Thread& self, Value me, Value seen) override {
    const Value tail = co_await self.load(locked(me));
    if (tail <= kGo) {
      const Value before = co_await self.compare_exchange(whole(), seen, kLocked);
      co_return before == seen;
    }
    // The main queue ends here: the secondary one becomes the main queue.
    const Value head = co_await self.load(next(tail));
    co_await self.store(next(tail), kNobody);
    const Value before =
        co_await self.compare_exchange(whole(), seen, (tail << kTailShift) | kLocked);
    if (before != seen) {
      co_await self.store(next(tail), head);
      co_return false;
    }
    co_await self.store(locked(head), kGo);
    co_return true;
  }

  Task<> promote(Thread& self, Value me, Value successor) override {
    const Value start = co_await self.load(start_time(me));
    const Value tail = co_await self.load(locked(me));
    if (start == kFlush) {
      const Value head = co_await self.load(next(tail));
      co_await self.store(next(tail), successor);
      co_await self.store(locked(head), kGo);
      co_return;
    }
    if (tail > kGo) {
      // Sorting may have changed what comes next. The node preferred stays the same, even if the
      // next waiter runs on another.
      successor = co_await self.load(next(me));
      const Value preferred = co_await self.load(numa_node(me));
      co_await self.store(numa_node(successor), preferred);
      co_await self.store(start_time(successor), start);
      co_await self.store(locked(successor), tail);
      co_return;
    }
    co_await self.store(locked(successor), kGo);
  }

 private:
  /// Whether the next waiter runs on the preferred node; one that does not, and has another one
  /// behind it, goes to the secondary queue.
  Task<bool> next_is_local(Thread& self, Value me) {
    const Value waiter = co_await self.load(next(me));
    if (waiter == kNobody) co_return false;
    const Value preferred = co_await self.load(numa_node(me));
    const Value theirs = co_await self.load(numa_node(waiter));
    if (theirs == preferred) co_return true;
    const Value behind = co_await self.load(next(waiter));
    if (behind != kNobody) co_await set_aside(self, me, waiter, behind);
    co_return false;
  }

  Task<> set_aside(Thread& self, Value me, Value waiter, Value behind) {
    co_await self.store(next(me), behind);
    const Value tail = co_await self.load(locked(me));
    if (tail <= kGo) {
      co_await self.store(next(waiter), waiter);
      co_await self.store(start_time(me), self.now().ps());
    } else {
      const Value head = co_await self.load(next(tail));
      co_await self.store(next(tail), waiter);
      co_await self.store(next(waiter), head);
    }
    co_await self.store(locked(me), waiter);
  }

  Word numa_node(Value name) const { return field(name, kOwnFields); }
  Word start_time(Value name) const { return field(name, kOwnFields + 3); }

  Duration threshold_;
  std::uint64_t calm_;
};

}  // namespace

std::unique_ptr<Model> cna(Site& site, ParamReader& params) {
  return make<CompactNumaAwareLock>(site, params);
}

}  // namespace hotline::models
