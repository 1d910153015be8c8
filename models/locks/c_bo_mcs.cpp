// paper   Dice, Marathe, Shavit, Lock Cohorting: A General Technique for Designing NUMA Locks,
//         PPoPP 2012: C-BO-MCS.
// idea    An MCS lock for each NUMA node under one test-and-test-and-set lock with back-off. Who
//         holds its node's lock acquires the top lock for the node; as long as others wait in the
//         node, and at most `batch` times in a row, the release leaves the top lock to them.
// spins   Waiters of a node on their own nodes, the first of each node on the top lock's word. A
//         hand-over inside a node touches the node's line and two queue nodes.
// differs from the paper in the order of a release that gives up the top lock: the node's lock
//         first, as in LITL's version, whose layout and batch this has; a try is LITL's too.

#include "models/locks/c_bo_mcs.hpp"

#include <string>

#include "models/locks/ttas.hpp"

namespace hotline::models {

namespace {

constexpr Value kNobody = 0;
constexpr Value kNo = 0;
constexpr Value kYes = 1;

class CohortBackoffMcs final : public LockModel {
 public:
  CohortBackoffMcs(Site& site, ParamReader& params)
      : batch_(static_cast<Value>(params.integer("batch", 100, 1, 1 << 30,
                                                 "hand-overs in a row that stay in a NUMA node"))),
        top_(make_top(site, params)),
        top_home_(site.word("top_home")),
        homes_(site.per_node("local", {{"tail", 64}, {"batch", 32}, {"top_granted", 32}})),
        nodes_(site.per_thread("node", {{"next", 64}, {"waiting", 32}})) {
    for (std::uint32_t node = 0; node < homes_.count(); ++node) site.set(left(node), batch_);
  }

  Task<> acquire(Thread& self) override {
    const Value me = name_of(self);
    const Value home = self.node().value;
    co_await self.store(waiting(me), kYes);
    co_await self.store(next(me), kNobody);
    const Value predecessor = co_await self.exchange(tail(home), me);
    if (predecessor != kNobody) {
      co_await self.store(next(predecessor), me);
      co_await self.spin_until(waiting(me), kNo);
    }
    const Value granted = co_await self.load(top_granted(home));
    if (granted == kYes) {
      co_await self.store(top_granted(home), kNo);
    } else {
      co_await top_->lock()->acquire(self);
      co_await self.store(top_home_, home);
    }
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value me = name_of(self);
    const Value home = self.node().value;
    const Value seen = co_await self.load(tail(home));
    if (seen != kNobody) co_return false;
    co_await self.store(next(me), kNobody);
    const Value before = co_await self.compare_exchange(tail(home), kNobody, me);
    if (before != kNobody) co_return false;
    // Nobody was here, so the top lock has not been left to this node.
    const bool taken = co_await top_->lock()->try_acquire(self);
    if (taken) {
      co_await self.store(top_home_, home);
    } else {
      co_await release_home(self, home);
    }
    co_return taken;
  }

  Task<> release(Thread& self) override {
    const Value home = co_await self.load(top_home_);
    const Value last = co_await self.load(tail(home));
    if (last != name_of(self)) {  // others wait in this node
      const Value more = co_await self.load(left(home));
      co_await self.store(left(home), more > 0 ? more - 1 : batch_);
      if (more > 0) {
        co_await self.store(top_granted(home), kYes);
        co_await release_home(self, home);
        co_return;
      }
    }
    co_await release_home(self, home);
    co_await top_->lock()->release(self);
  }

 private:
  static std::unique_ptr<Model> make_top(Site& site, ParamReader& params) {
    const std::int64_t start =
        params.integer("start", 512, 1, 1 << 20, "first back-off on the top lock, in pauses");
    const std::int64_t cap =
        params.integer("cap", (1 << 20) - 1, 1, 1 << 24, "longest back-off on it, in pauses");
    ParamReader top({{"backoff", std::string("exponential")}, {"start", start}, {"cap", cap}});
    return ttas(site, top);
  }

  /// MCS's release of the node's lock.
  Task<> release_home(Thread& self, Value home) {
    const Value me = name_of(self);
    Value successor = co_await self.load(next(me));
    if (successor == kNobody) {
      const Value last = co_await self.compare_exchange(tail(home), me, kNobody);
      if (last == me) co_return;
      successor = co_await self.spin_while(next(me), kNobody);
    }
    co_await self.store(waiting(successor), kNo);
  }

  static Value name_of(const Thread& self) { return Value{self.id().value} + 1; }
  Word next(Value name) const { return nodes_.word(name - 1, 0); }
  Word waiting(Value name) const { return nodes_.word(name - 1, 1); }
  Word tail(Value home) const { return homes_.word(home, 0); }
  Word left(Value home) const { return homes_.word(home, 1); }  // of the batch
  Word top_granted(Value home) const { return homes_.word(home, 2); }

  Value batch_;
  std::unique_ptr<Model> top_;
  Word top_home_;
  Records homes_;
  Records nodes_;
};

}  // namespace

std::unique_ptr<Model> c_bo_mcs(Site& site, ParamReader& params) {
  return make<CohortBackoffMcs>(site, params);
}

}  // namespace hotline::models
