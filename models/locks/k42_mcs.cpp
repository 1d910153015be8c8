// source  the K42 group's variant of the MCS lock (Auslander, Edelsohn, Krieger, Rosenburg,
//         Wisniewski, US patent application 20030200457, 2003), as Scott, Shared-Memory
//         Synchronization, 2013, section 4.3.2 presents it.
// idea    The lock itself is shaped like a node. A waiter's node is needed only while it waits:
//         before it enters, it moves what follows it into the lock's own `next`.
// spins   Every waiter on its own node's line. A hand-over touches the lock's line (arrival, the
//         release's look at `next`, the new holder's write of it) and two nodes.
// differs from the book in nothing known; the steps are from memory of it, not re-read. A try,
//         which it has not, looks before it swaps.

#include "models/locks/k42_mcs.hpp"

namespace hotline::models {

namespace {

constexpr Value kNobody = 0;
constexpr Value kTheLock = 1;  // the name of the lock as a node: it is held, and nobody waits
constexpr Value kFirstThread = 2;
constexpr Value kNo = 0;
constexpr Value kYes = 1;

class K42McsLock final : public LockModel {
 public:
  K42McsLock(Site& site, ParamReader&)
      : tail_(site.word("tail")),
        next_(site.word("next")),
        nodes_(site.per_thread("node", {{"next", 64}, {"waiting", 32}})) {}

  Task<> acquire(Thread& self) override {
    for (;;) {
      const Value tail = co_await self.load(tail_);
      if (tail == kNobody) {
        const Value before = co_await self.compare_exchange(tail_, kNobody, kTheLock);
        if (before == kNobody) co_return;
      } else {
        const bool held = co_await wait_behind(self, tail);
        if (held) co_return;
      }
    }
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value tail = co_await self.load(tail_);
    if (tail != kNobody) co_return false;
    const Value before = co_await self.compare_exchange(tail_, kNobody, kTheLock);
    co_return before == kNobody;
  }

  Task<> release(Thread& self) override {
    Value successor = co_await self.load(next_);
    if (successor == kNobody) {
      const Value tail = co_await self.compare_exchange(tail_, kTheLock, kNobody);
      if (tail == kTheLock) co_return;
      successor = co_await self.spin_while(next_, kNobody);
    }
    co_await self.store(waiting(successor), kNo);
  }

 private:
  /// False if the tail has moved on meanwhile.
  Task<bool> wait_behind(Thread& self, Value predecessor) {
    const Value me = Value{self.id().value} + kFirstThread;
    co_await self.store(waiting(me), kYes);
    co_await self.store(next(me), kNobody);
    const Value before = co_await self.compare_exchange(tail_, predecessor, me);
    if (before != predecessor) co_return false;

    co_await self.store(next(predecessor), me);
    co_await self.spin_until(waiting(me), kNo);
    co_await leave_node(self, me);
    co_return true;
  }

  /// The holder's node takes part in the queue no more: the lock stands in for it.
  Task<> leave_node(Thread& self, Value me) {
    Value successor = co_await self.load(next(me));
    if (successor == kNobody) {
      co_await self.store(next_, kNobody);
      const Value tail = co_await self.compare_exchange(tail_, me, kTheLock);
      if (tail == me) co_return;
      successor = co_await self.spin_while(next(me), kNobody);
    }
    co_await self.store(next_, successor);
  }

  Word next(Value name) const {
    return name == kTheLock ? next_ : nodes_.word(name - kFirstThread, 0);
  }
  Word waiting(Value name) const { return nodes_.word(name - kFirstThread, 1); }

  Word tail_;
  Word next_;
  Records nodes_;
};

}  // namespace

std::unique_ptr<Model> k42_mcs(Site& site, ParamReader& params) {
  return make<K42McsLock>(site, params);
}

}  // namespace hotline::models
