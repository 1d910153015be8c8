// paper   Chabbi, Fagan, Mellor-Crummey, High Performance Locks for Multi-level NUMA Systems,
//         PPoPP 2015; the form of two levels.
// idea    An MCS queue for each NUMA node, and an MCS queue of the nodes. The first of a node's
//         queue acquires for the whole node; hand-overs stay in the node until `threshold` of
//         them in a row, or until nobody waits there.
// spins   Every waiter on its own node's line, the first of each node on the record that stands
//         for its node. A hand-over inside a node touches the node's tail and two queue nodes.
// differs from the paper in having exactly two levels; a try is LITL's: both tails must be empty.

#include "models/locks/hmcs.hpp"

#include <limits>
#include <vector>

namespace hotline::models {

namespace {

constexpr Value kNobody = 0;
// What a waiter's status says; other values count the hand-overs in a row inside the node.
constexpr Value kWait = std::numeric_limits<Value>::max();
constexpr Value kAcquireRoot = kWait - 1;
constexpr Value kFirst = 1;

/// A queue's tail and its nodes: `next` and `status`. Nodes are named by their number plus one.
struct Queue {
  Word tail;
  const Records* nodes;
  Word next(Value name) const { return nodes->word(name - 1, 0); }
  Word status(Value name) const { return nodes->word(name - 1, 1); }
};

class HmcsLock final : public LockModel {
 public:
  HmcsLock(Site& site, ParamReader& params)
      : threshold_(static_cast<Value>(params.integer(
            "threshold", 100, 1, 1 << 30, "acquisitions in a row that stay in a NUMA node"))),
        root_tail_(site.word("tail")),
        tails_(site.per_node("local", {{"tail", 64}})),
        root_nodes_(site.per_node("root node", {{"next", 64}, {"status", 64}})),
        nodes_(site.per_thread("node", {{"next", 64}, {"status", 64}})),
        homes_(site.threads()) {}

  Task<> acquire(Thread& self) override {
    homes_[self.id().value] = self.node().value;
    const Value status = co_await join(self, local(self), name_of(self));
    if (status != kWait && status != kAcquireRoot) co_return;  // the root came along
    co_await self.store(local(self).status(name_of(self)), kFirst);
    co_await join(self, root(), node_of(self));
  }

  Task<bool> try_acquire(Thread& self) override {
    homes_[self.id().value] = self.node().value;
    const bool first = co_await join_empty(self, local(self), name_of(self));
    if (!first) co_return false;
    co_await self.store(local(self).status(name_of(self)), kFirst);
    const bool taken = co_await join_empty(self, root(), node_of(self));
    if (!taken) co_await leave(self, local(self), name_of(self), kAcquireRoot);
    co_return taken;
  }

  Task<> release(Thread& self) override {
    const Queue queue = local(self);
    const Value me = name_of(self);
    const Value row = co_await self.load(queue.status(me));
    Value successor = kNobody;
    if (row != threshold_) successor = co_await self.load(queue.next(me));
    if (successor != kNobody) {
      co_await self.store(queue.status(successor), row + 1);
      co_return;
    }
    co_await leave(self, root(), node_of(self), kFirst);
    co_await leave(self, queue, me, kAcquireRoot);
  }

 private:
  /// Queues up and waits for one's turn. Returns the status that ended the wait, or kWait if
  /// nobody was there.
  static Task<Value> join(Thread& self, Queue queue, Value me) {
    co_await self.store(queue.next(me), kNobody);
    co_await self.store(queue.status(me), kWait);
    const Value predecessor = co_await self.exchange(queue.tail, me);
    if (predecessor == kNobody) co_return kWait;
    co_await self.store(queue.next(predecessor), me);
    const Value status = co_await self.spin_while(queue.status(me), kWait);
    co_return status;
  }

  static Task<bool> join_empty(Thread& self, Queue queue, Value me) {
    const Value tail = co_await self.load(queue.tail);
    if (tail != kNobody) co_return false;
    co_await self.store(queue.next(me), kNobody);
    co_await self.store(queue.status(me), kWait);
    const Value before = co_await self.compare_exchange(queue.tail, kNobody, me);
    co_return before == kNobody;
  }

  static Task<> leave(Thread& self, Queue queue, Value me, Value status) {
    Value successor = co_await self.load(queue.next(me));
    if (successor == kNobody) {
      const Value tail = co_await self.compare_exchange(queue.tail, me, kNobody);
      if (tail == me) co_return;
      successor = co_await self.spin_while(queue.next(me), kNobody);
    }
    co_await self.store(queue.status(successor), status);
  }

  static Value name_of(const Thread& self) { return Value{self.id().value} + 1; }
  Value node_of(const Thread& self) const { return homes_[self.id().value] + 1; }
  Queue local(const Thread& self) const {
    return {tails_.word(homes_[self.id().value], 0), &nodes_};
  }
  Queue root() const { return {root_tail_, &root_nodes_}; }

  Value threshold_;
  Word root_tail_;
  Records tails_;
  Records root_nodes_;
  Records nodes_;
  std::vector<Value> homes_;  // by thread: the NUMA node at whose queue it has acquired
};

}  // namespace

std::unique_ptr<Model> hmcs(Site& site, ParamReader& params) {
  return make<HmcsLock>(site, params);
}

}  // namespace hotline::models
