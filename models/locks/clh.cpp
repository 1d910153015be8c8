// paper   Craig, Building FIFO and Priority-Queuing Spin Locks from Atomic Swap, Univ. of
//         Washington TR 93-02-02, 1993; Magnusson, Landin, Hagersten, Queue Locks on Cache
//         Coherent Multiprocessors, IPPS 1994.
// idea    An arrival swaps its node in as the tail and waits until its predecessor's node says
//         that it is done. The release is one store; the predecessor's node becomes one's own.
// spins   Every waiter on its predecessor's node, which may lie on another NUMA node. A hand-over
//         touches the tail and the own node (arrival), and that node again (release and read).
// differs from the papers in try_acquire, which they have not: the tail holds a node's use count
//         too, so that a compare-exchange cannot succeed on a node that was reused in between.

#include "models/locks/clh.hpp"

#include <vector>

namespace hotline::models {

namespace {

constexpr Value kDone = 0;
constexpr Value kBusy = 1;
constexpr unsigned kUseShift = 32;

class ClhLock final : public LockModel {
 public:
  ClhLock(Site& site, ParamReader&)
      : tail_(site.word("tail", 64, site.threads())),
        nodes_(site.per_thread("node", {{"busy", 32}})),
        spare_(site.array("first node", {{"busy", 32}}, 1)) {
    // Node number `threads` is the one that lies there, done, before the first arrival.
    for (Value node = 0; node < site.threads(); ++node) own_.push_back({node, 0});
  }

  Task<> acquire(Thread& self) override {
    Own& own = own_[self.id().value];
    co_await self.store(busy(own.node), kBusy);
    own.predecessor = co_await self.exchange(tail_, next_use(own));
    co_await self.spin_until(busy(own.predecessor), kDone);
  }

  Task<bool> try_acquire(Thread& self) override {
    Own& own = own_[self.id().value];
    const Value tail = co_await self.load(tail_);
    const Value seen = co_await self.load(busy(tail));
    if (seen != kDone) co_return false;
    co_await self.store(busy(own.node), kBusy);
    const Value before = co_await self.compare_exchange(tail_, tail, next_use(own));
    if (before != tail) co_return false;
    own.predecessor = tail;
    co_return true;
  }

  Task<> release(Thread& self) override {
    Own& own = own_[self.id().value];
    const Value done = own.node;
    own.node = own.predecessor;
    co_await self.store(busy(done), kDone);
  }

 private:
  /// What a thread keeps in its own variables. Nodes carry their use count in the upper half.
  struct Own {
    Value node;
    Value predecessor;
  };

  static Value next_use(Own& own) { return own.node += Value{1} << kUseShift; }

  Word busy(Value node) const {
    const auto index = static_cast<std::uint32_t>(node);
    return index < nodes_.count() ? nodes_.word(index, 0) : spare_.word(0, 0);
  }

  Word tail_;
  Records nodes_;
  Records spare_;
  std::vector<Own> own_;
};

}  // namespace

std::unique_ptr<Model> clh(Site& site, ParamReader& params) { return make<ClhLock>(site, params); }

}  // namespace hotline::models
