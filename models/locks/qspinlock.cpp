// source  Linux 6.12 kernel/locking/qspinlock.c and include/asm-generic/qspinlock.h (Long,
//         Zijlstra, 2015), after the MCS lock: the native form, under 16,383 CPUs.
// idea    One 32-bit word {locked 8, pending 8, tail 16}. The first waiter sets `pending` and
//         needs no node; later ones queue on per-CPU nodes, and the head of the queue waits on the
//         word.
// spins   The pending waiter and the queue's head on the word, all others on their own node. The
//         head promotes its successor after it has taken the lock: off the critical path.
// differs from Linux in two things: prefetching the successor's node is a parameter and off, and
//         the nesting count lies beside the nodes, so that taking a node is no memory operation.

#include "models/locks/qspinlock.hpp"

namespace hotline::models {

namespace {

constexpr Value kLocked = 1;
constexpr Value kPending = 1 << 8;
constexpr Value kLockedOrPending = 0xFFFF;
constexpr unsigned kTailShift = 16;
constexpr std::uint32_t kNodesPerCpu = 4;  // task, softirq, hardirq, NMI
constexpr unsigned kPendingPolls = 512;    // x86's _Q_PENDING_LOOPS
constexpr Value kNobody = 0;

class QueuedSpinlock final : public LockModel {
 public:
  QueuedSpinlock(Site& site, ParamReader& params)
      : whole_(site.overlay("qspinlock", 32)),
        locked_pending_(site.overlay("locked_pending", 16)),
        locked_(site.word("locked", 8)),
        pending_(site.word("pending", 8)),
        tail_(site.word("tail", 16)),
        nodes_(site.per_cpu_stack("qspinlock node", {{"next", 64}, {"locked", 32}, {"count", 32}},
                                  kNodesPerCpu)),
        prefetches_(params.boolean("prefetch", false,
                                   "ask for the successor's node while waiting for the word")) {}

  Task<> acquire(Thread& self) override {
    const Value seen = co_await self.compare_exchange(whole_, 0, kLocked);
    if (seen != 0) co_await acquire_slowly(self, seen);
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value seen = co_await self.load(whole_);
    if (seen != 0) co_return false;
    const Value before = co_await self.compare_exchange(whole_, 0, kLocked);
    co_return before == 0;
  }

  Task<> release(Thread& self) override { co_await self.store(locked_, 0); }

 private:
  Task<> acquire_slowly(Thread& self, Value seen) {
    for (unsigned poll = 0; seen == kPending && poll < kPendingPolls; ++poll) {
      co_await self.pause();  // a hand-over to the pending waiter is in flight
      seen = co_await self.load(whole_);
    }
    if (seen <= kLocked) {  // no other waiter: no node needed
      const Value before = co_await self.fetch_or(whole_, kPending);
      const Value now = co_await self.load(whole_);
      seen = (before & kPending) | (now & ~kPending);
      if (seen <= kLocked) {
        if (seen == kLocked) co_await self.spin_until(locked_, 0);
        co_await self.store(locked_pending_, kLocked);
        co_return;
      }
      if ((seen & kPending) == 0) co_await self.store(pending_, 0);
    }
    co_await queue(self);
  }

  Task<> queue(Thread& self) {
    const auto node = nodes_->take(self.cpu());
    if (node) {
      co_await queue_with(self, *node + kNodesPerCpu);
      nodes_->give_back(self.cpu());
      co_return;
    }
    for (bool taken = false; !taken;) {
      co_await self.pause();
      taken = co_await try_acquire(self);
    }
  }

  /// `me` is the node's name as the tail holds it: (cpu + 1), then two bits for which of its nodes.
  Task<> queue_with(Thread& self, Value me) {
    co_await self.store(locked(me), 0);
    co_await self.store(next(me), kNobody);
    const bool lucky = co_await try_acquire(self);
    if (lucky) co_return;

    Value successor = kNobody;
    const Value predecessor = co_await self.exchange(tail_, me);
    if (predecessor != kNobody) {
      co_await self.store(next(predecessor), me);
      co_await self.spin_until(locked(me), 1);
      successor = co_await self.load(next(me));
      if (prefetches_ && successor != kNobody) co_await self.prefetch_write(next(successor));
    }
    const Value seen = co_await self.spin_until(whole_, equals(0, kLockedOrPending));
    if (seen == me << kTailShift) {
      const Value before = co_await self.compare_exchange(whole_, seen, kLocked);
      if (before == seen) co_return;
    }
    co_await self.store(locked_, 1);
    if (successor == kNobody) successor = co_await self.spin_while(next(me), kNobody);
    co_await self.store(locked(successor), 1);
  }

  Word next(Value name) const { return nodes_->word(name - kNodesPerCpu, 0); }
  Word locked(Value name) const { return nodes_->word(name - kNodesPerCpu, 1); }

  Word whole_, locked_pending_, locked_, pending_, tail_;
  std::shared_ptr<RecordStack> nodes_;
  bool prefetches_;
};

}  // namespace

std::unique_ptr<Model> qspinlock(Site& site, ParamReader& params) {
  return make<QueuedSpinlock>(site, params);
}

}  // namespace hotline::models
