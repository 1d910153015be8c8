// paper   Dice, Marathe, Shavit, Lock Cohorting: A General Technique for Designing NUMA Locks,
//         PPoPP 2012: C-TKT-TKT.
// idea    A ticket lock for each NUMA node under one ticket lock. Who holds its node's lock
//         acquires the top lock for the node; as long as others wait in the node, and at most
//         `batch` times in a row, the release leaves the top lock to them.
// spins   All waiters of a node on its `served`, the first of each node on the top lock's. A
//         hand-over inside a node is read by all who wait there.
// differs from the paper in the layout, which is LITL's ("ctkttkt"): one line a node, and all of it
//         on that line. The release is a load and a store, as in the model `ticket`.

#include "models/locks/c_tkt_tkt.hpp"

#include "models/locks/ticket.hpp"

namespace hotline::models {

namespace {

constexpr Value kNo = 0;
constexpr Value kYes = 1;

class CohortTicketTicket final : public LockModel {
 public:
  CohortTicketTicket(Site& site, ParamReader& params)
      : batch_(static_cast<Value>(params.integer("batch", 100, 1, 1 << 30,
                                                 "hand-overs in a row that stay in a NUMA node"))),
        top_(make_top(site)),
        top_home_(site.word("top_home")),
        homes_(site.per_node("local",
                             {{"next", 32}, {"served", 32}, {"batch", 32}, {"top_granted", 32}})) {
    for (std::uint32_t node = 0; node < homes_.count(); ++node) site.set(left(node), batch_);
  }

  Task<> acquire(Thread& self) override {
    const Value home = self.node().value;
    const Value ticket = co_await self.fetch_add(next(home), 1);
    co_await self.spin_until(served(home), ticket);
    const Value granted = co_await self.load(top_granted(home));
    if (granted == kYes) {
      co_await self.store(top_granted(home), kNo);
    } else {
      co_await top_->lock()->acquire(self);
      co_await self.store(top_home_, home);
    }
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value home = self.node().value;
    const Value serving = co_await self.load(served(home));
    const Value before = co_await self.compare_exchange(next(home), serving, serving + 1);
    if (before != serving) co_return false;
    // Nobody was here, so the top lock has not been left to this node.
    const bool taken = co_await top_->lock()->try_acquire(self);
    if (taken) {
      co_await self.store(top_home_, home);
    } else {
      co_await self.store(served(home), serving + 1);
    }
    co_return taken;
  }

  Task<> release(Thread& self) override {
    const Value home = co_await self.load(top_home_);
    const Value serving = co_await self.load(served(home));
    const Value drawn = co_await self.load(next(home));
    if (drawn != ((serving + 1) & kTickets)) {  // others wait in this node
      const Value more = co_await self.load(left(home));
      co_await self.store(left(home), more > 0 ? more - 1 : batch_);
      if (more > 0) {
        co_await self.store(top_granted(home), kYes);
        co_await self.store(served(home), serving + 1);
        co_return;
      }
    }
    co_await top_->lock()->release(self);
    co_await self.store(served(home), serving + 1);
  }

 private:
  static constexpr Value kTickets = 0xFFFFFFFF;

  static std::unique_ptr<Model> make_top(Site& site) {
    ParamReader defaults;
    return ticket(site, defaults);
  }

  Word next(Value home) const { return homes_.word(home, 0); }
  Word served(Value home) const { return homes_.word(home, 1); }
  Word left(Value home) const { return homes_.word(home, 2); }  // of the batch
  Word top_granted(Value home) const { return homes_.word(home, 3); }

  Value batch_;
  std::unique_ptr<Model> top_;
  Word top_home_;
  Records homes_;
};

}  // namespace

std::unique_ptr<Model> c_tkt_tkt(Site& site, ParamReader& params) {
  return make<CohortTicketTicket>(site, params);
}

}  // namespace hotline::models
