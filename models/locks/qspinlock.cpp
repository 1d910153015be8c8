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

#include "models/parts/queued_spinlock.hpp"

namespace hotline::models {

namespace {

<<<<<<< HEAD
constexpr Value kPending = 1 << 8;
constexpr std::uint32_t kNodesPerCpu = 4;  // task, softirq, hardirq, NMI
constexpr unsigned kPendingPolls = 512;    // x86's _Q_PENDING_LOOPS

}  // namespace

QueuedSpinlock::QueuedSpinlock(Site& site, ParamReader& params, std::string_view nodes,
                               model::Fields fields)
    : whole_(site.overlay("qspinlock", 32)),
      locked_pending_(site.overlay("locked_pending", 16)),
      locked_(site.word("locked", 8)),
      pending_(site.word("pending", 8)),
      tail_(site.word("tail", 16)),
      nodes_(site.per_cpu_stack(nodes, fields, kNodesPerCpu)),
      released_(params.choice("release", 0, {"byte", "word"},
                              "word: forgets the queue, a bug, for lessons on hangs") == 0
                    ? locked_
                    : whole_),
      prefetches_(params.boolean("prefetch", false,
                                 "ask for the successor's node while waiting for the word")) {}

Task<> QueuedSpinlock::acquire(Thread& self) {
  const Value seen = co_await self.compare_exchange(whole_, 0, kLocked);
  if (seen != 0) co_await acquire_slowly(self, seen);
}

Task<bool> QueuedSpinlock::try_acquire(Thread& self) {
  const Value seen = co_await self.load(whole_);
  if (seen != 0) co_return false;
  const Value before = co_await self.compare_exchange(whole_, 0, kLocked);
  co_return before == 0;
}

Task<> QueuedSpinlock::release(Thread& self) { co_await self.store(released_, 0); }

Task<> QueuedSpinlock::acquire_slowly(Thread& self, Value seen) {
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

Task<> QueuedSpinlock::queue(Thread& self) {
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

Task<> QueuedSpinlock::queue_with(Thread& self, Value me) {
  co_await self.store(locked(me), 0);
  co_await self.store(next(me), kNobody);
  co_await prepare(self, me);
  const bool lucky = co_await try_acquire(self);
  if (lucky) co_return;

  Value successor = kNobody;
  const Value predecessor = co_await self.exchange(tail_, me);
  if (predecessor != kNobody) successor = co_await wait_for_promotion(self, me, predecessor);
  co_await prepare_to_wait(self, me);
  const Value seen = co_await self.spin_until(whole_, equals(0, kLockedOrPending));
  if (seen == me << kTailShift) {
    const bool taken = co_await take_and_leave(self, me, seen);
    if (taken) co_return;
  }
  co_await self.store(locked_, 1);
  if (successor == kNobody) successor = co_await self.spin_while(next(me), kNobody);
  co_await promote(self, me, successor);
}

/// Returns the successor, if it has linked itself already.
Task<Value> QueuedSpinlock::wait_for_promotion(Thread& self, Value me, Value predecessor) {
  co_await self.store(next(predecessor), me);
  co_await self.spin_while(locked(me), 0);
  const Value successor = co_await self.load(next(me));
  if (prefetches_ && successor != kNobody) co_await self.prefetch_write(next(successor));
  co_return successor;
}

Task<> QueuedSpinlock::prepare(Thread&, Value) { co_return; }

Task<> QueuedSpinlock::prepare_to_wait(Thread&, Value) { co_return; }

Task<bool> QueuedSpinlock::take_and_leave(Thread& self, Value, Value seen) {
  const Value before = co_await self.compare_exchange(whole_, seen, kLocked);
  co_return before == seen;
}

Task<> QueuedSpinlock::promote(Thread& self, Value, Value successor) {
  co_await self.store(locked(successor), 1);
}

Word QueuedSpinlock::field(Value name, std::size_t number) const {
  return nodes_->word(name - kNodesPerCpu, number);
}

namespace {

=======
>>>>>>> sleep
class NativeQueuedSpinlock final : public QueuedSpinlock {
 public:
  NativeQueuedSpinlock(Site& site, ParamReader& params)
      : QueuedSpinlock(site, params, "qspinlock node",
                       {{"next", 64}, {"locked", 32}, {"count", 32}}) {
    const std::size_t released = params.choice(
        "release", 0, {"byte", "word"}, "word: forgets the queue, a bug, for lessons on hangs");
    if (released == 1) forget_queue_at_release();
  }
};

}  // namespace

std::unique_ptr<Model> qspinlock(Site& site, ParamReader& params) {
  return make<NativeQueuedSpinlock>(site, params);
}

}  // namespace hotline::models
