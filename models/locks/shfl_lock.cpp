// paper   Kashyap, Calciu, Cheng, Min, Kim, Scalable and Practical Locking with Shuffling, SOSP
//         2019; the non-blocking form in user space (sslab-gatech/shfllock, ulocks/src/aqs.c).
// idea    A test-and-set byte under an MCS queue whose head alone waits for it; while nobody waits
//         in the queue, arrivals may steal. One waiter at a time, the shuffler, walks the queue and
//         moves waiters of its NUMA node up behind those already grouped, off the holder's path.
// spins   The head on the lock's byte, all others on their own node. Shuffling reads the nodes of
//         the waiters it passes and writes three links for each it moves.
// differs from that code in clearing a node's status, role and count by three stores, not one.

#include "models/locks/shfl_lock.hpp"

namespace hotline::models {

namespace {

constexpr Value kNobody = 0;
constexpr Value kNo = 0;
constexpr Value kYes = 1;
constexpr Value kNoStealing = 1 << 8;  // in the two bytes together

class ShuffleLock final : public LockModel {
 public:
  ShuffleLock(Site& site, ParamReader& params)
      : locked_no_stealing_(site.overlay("locked_no_stealing", 16)),
        locked_(site.word("locked", 8)),
        no_stealing_(site.word("no_stealing", 8)),
        tail_(site.word("tail")),
        nodes_(site.per_thread("node", {{"next", 64},
                                        {"signals", 16, true},
                                        {"status", 8},
                                        {"shuffler", 8},
                                        {"count", 16},
                                        {"numa_node", 32},
                                        {"last_visited", 64}})),
        fairness_(static_cast<std::uint64_t>(
            params.integer("fairness", 1024, 1, 1 << 30,
                           "one shuffle in so many passes the role on without grouping"))) {}

  Task<> acquire(Thread& self) override {
    const Value seen = co_await self.compare_exchange(locked_no_stealing_, 0, kYes);
    if (seen == 0) co_return;

    const Value me = name_of(self);
    co_await prepare(self, me);
    const Value predecessor = co_await self.exchange(tail_, me);
    if (predecessor != kNobody) {
      co_await self.store(next(predecessor), me);
      co_await wait_to_become_head(self, me);
    } else {
      co_await self.fetch_or(locked_no_stealing_, kNoStealing);
    }
    co_await wait_as_head(self, me);
    co_await take(self);
    co_await promote(self, me);
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value before = co_await self.compare_exchange(locked_, kNo, kYes);
    co_return before == kNo;
  }

  Task<> release(Thread& self) override { co_await self.store(locked_, kNo); }

 private:
  Task<> prepare(Thread& self, Value me) {
    co_await self.store(next(me), kNobody);
    co_await self.store(status(me), kNo);
    co_await self.store(shuffler(me), kNo);
    co_await self.store(count(me), 0);
    co_await self.store(numa_node(me), self.node().value);
    co_await self.store(last_visited(me), kNobody);
  }

  Task<> wait_to_become_head(Thread& self, Value me) {
    for (;;) {
      co_await self.spin_while(signals(me), 0);
      const Value promoted = co_await self.load(status(me));
      if (promoted == kYes) co_return;
      co_await shuffle(self, me, false);
      co_await self.pause();
    }
  }

  Task<> wait_as_head(Thread& self, Value me) {
    for (;;) {
      const Value held = co_await self.load(locked_);
      if (held == kNo) co_return;
      // Nobody looks back, so a head that was grouped and is not the shuffler will not become it.
      const Value grouped = co_await self.load(count(me));
      const Value appointed = co_await self.load(shuffler(me));
      if (grouped == 0 || appointed == kYes) {
        co_await shuffle(self, me, true);
      } else {
        co_await self.spin_until(locked_, kNo, Pace::kTight);
      }
    }
  }

  /// The lock was free, but a try may have taken it.
  Task<> take(Thread& self) {
    for (;;) {
      const Value before = co_await self.compare_exchange(locked_, kNo, kYes);
      if (before == kNo) co_return;
      co_await self.spin_until(locked_, kNo);
    }
  }

  Task<> promote(Thread& self, Value me) {
    Value successor = co_await self.load(next(me));
    if (successor == kNobody) {
      const Value tail = co_await self.compare_exchange(tail_, me, kNobody);
      if (tail == me) {
        co_await self.fetch_and(locked_no_stealing_, ~kNoStealing);
        co_return;
      }
      successor = co_await self.spin_while(next(me), kNobody);
    }
    co_await self.store(status(successor), kYes);
  }

  /// How far a shuffle has come.
  struct Walk {
    Value me;
    Value home;
    Value group;  ///< the count that the grouped waiters get
    Value last;   ///< of the group
    Value at;     ///< the waiter looked at last
    bool moved = false;
  };

  Task<> shuffle(Thread& self, Value me, bool is_head) {
    Value begin = co_await self.load(last_visited(me));
    if (begin == kNobody) begin = me;
    Value group = co_await self.load(count(me));
    if (group == 0) co_await self.store(count(me), ++group);
    co_await self.store(shuffler(me), kNo);
    if (self.random().below(fairness_) == 0) {
      const Value successor = co_await self.load(next(me));
      if (successor != kNobody) co_await appoint(self, successor, kNobody);
      co_return;
    }
    // Where it was when it queued: it may have migrated, but its node still says so.
    const Value home = co_await self.load(numa_node(me));
    Walk walk{me, home, group, me, begin};
    for (bool more = true; more;) {
      more = co_await visit_next(self, walk);
      if (more && walk.moved) {
        const Value end = co_await self.load(is_head ? locked_ : status(me));
        more = end == (is_head ? kYes : kNo);
      }
    }
    co_await appoint(self, walk.last, walk.at);
  }

  /// False at the end of the queue, whose last node is never moved.
  Task<bool> visit_next(Thread& self, Walk& walk) {
    const Value waiter = co_await self.load(next(walk.at));
    if (waiter == kNobody) co_return false;
    const Value tail = co_await self.load(tail_);
    if (waiter == tail) co_return false;
    const Value node = co_await self.load(numa_node(waiter));
    if (node != walk.home) {
      walk.at = waiter;
      co_return true;
    }
    const Value before = co_await self.load(numa_node(walk.at));
    if (before != walk.home) {
      const bool moved = co_await move_up(self, walk, waiter);
      co_return moved;
    }
    co_await self.store(count(waiter), walk.group);
    walk.last = walk.at = waiter;
    walk.moved = true;
    co_return true;
  }

  /// Puts the waiter behind the last of the group; false if its own successor is not linked yet.
  Task<bool> move_up(Thread& self, Walk& walk, Value waiter) {
    const Value behind = co_await self.load(next(waiter));
    if (behind == kNobody) co_return false;
    co_await self.store(count(waiter), walk.group);
    co_await self.store(next(walk.at), behind);
    const Value first_other = co_await self.load(next(walk.last));
    co_await self.store(next(waiter), first_other);
    co_await self.store(next(walk.last), waiter);
    walk.last = waiter;
    walk.moved = true;
    co_return true;
  }

  /// Makes a waiter the shuffler; it goes on behind `visited`.
  Task<> appoint(Thread& self, Value waiter, Value visited) {
    co_await self.store(shuffler(waiter), kYes);
    if (visited != waiter) co_await self.store(last_visited(waiter), visited);
  }

  static Value name_of(const Thread& self) { return Value{self.id().value} + 1; }
  Word next(Value name) const { return nodes_.word(name - 1, 0); }
  /// Status and role together: what a waiter waits for.
  Word signals(Value name) const { return nodes_.word(name - 1, 1); }
  Word status(Value name) const { return nodes_.word(name - 1, 2); }
  Word shuffler(Value name) const { return nodes_.word(name - 1, 3); }
  Word count(Value name) const { return nodes_.word(name - 1, 4); }
  Word numa_node(Value name) const { return nodes_.word(name - 1, 5); }
  Word last_visited(Value name) const { return nodes_.word(name - 1, 6); }

  Word locked_no_stealing_, locked_, no_stealing_, tail_;
  Records nodes_;
  std::uint64_t fairness_;
};

}  // namespace

std::unique_ptr<Model> shfl_lock(Site& site, ParamReader& params) {
  return make<ShuffleLock>(site, params);
}

}  // namespace hotline::models
