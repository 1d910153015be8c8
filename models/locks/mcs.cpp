// paper   Mellor-Crummey, Scott, Algorithms for Scalable Synchronization on Shared-Memory
//         Multiprocessors, ACM TOCS 9(1), 1991, section 2.4.
// idea    Waiters form a linked list. An arrival swaps itself in as the tail and links itself
//         behind its predecessor; the holder hands over to its successor, or swings the tail back
//         to empty.
// spins   Every waiter on its own node's line. A hand-over touches the tail and the predecessor's
//         node (arrival), and the successor's node (release, then its read).
// differs from the paper in writing `waiting` before the swap and not at all when the lock was
//         free, as Linux's mcs_spinlock.h does.

#include "models/locks/mcs.hpp"

namespace hotline::models {

namespace {

constexpr Value kNobody = 0;
constexpr Value kNo = 0;
constexpr Value kYes = 1;

class McsLock final : public LockModel {
 public:
  McsLock(Site& site, ParamReader&)
      : tail_(site.word("tail")),
        nodes_(site.per_thread("node", {{"next", 64}, {"waiting", 32}})) {}

  Task<> acquire(Thread& self) override {
    const Value me = name_of(self);
    co_await self.store(waiting(me), kYes);
    co_await self.store(next(me), kNobody);
    const Value predecessor = co_await self.exchange(tail_, me);
    if (predecessor == kNobody) co_return;

    co_await self.store(next(predecessor), me);
    co_await self.spin_until(waiting(me), kNo);
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value me = name_of(self);
    const Value tail = co_await self.load(tail_);
    if (tail != kNobody) co_return false;
    co_await self.store(next(me), kNobody);
    const Value before = co_await self.compare_exchange(tail_, kNobody, me);
    co_return before == kNobody;
  }

  Task<> release(Thread& self) override {
    const Value me = name_of(self);
    Value successor = co_await self.load(next(me));
    if (successor == kNobody) {
      const Value tail = co_await self.compare_exchange(tail_, me, kNobody);
      if (tail == me) co_return;
      // Somebody has swapped itself in and has not linked itself yet.
      successor = co_await self.spin_while(next(me), kNobody);
    }
    co_await self.store(waiting(successor), kNo);
  }

 private:
  static Value name_of(const Thread& self) { return Value{self.id().value} + 1; }
  Word next(Value name) const { return nodes_.word(static_cast<std::uint32_t>(name - 1), 0); }
  Word waiting(Value name) const { return nodes_.word(static_cast<std::uint32_t>(name - 1), 1); }

  Word tail_;
  Records nodes_;
};

}  // namespace

std::unique_ptr<Model> mcs(Site& site, ParamReader& params) { return make<McsLock>(site, params); }

}  // namespace hotline::models
