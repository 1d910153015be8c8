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
