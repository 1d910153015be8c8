// paper   Dice, Brief Announcement: A Partitioned Ticket Lock, SPAA 2011.
// idea    Draw a ticket, and wait for it in one of a few slots, each on its own line: ticket t in
//         slot t mod slots. The holder writes the next ticket into the next slot.
// spins   Every waiter on its slot, which it shares with every `slots`-th waiter. A hand-over
//         touches the ticket counter (arrival) and one slot, read by all who wait there.
// differs from the paper in that the holder keeps its ticket in a register instead of a field; a
//         try, which the paper has not, looks at the next slot before it takes the ticket.

#include "models/locks/partitioned_ticket.hpp"

namespace hotline::models {

namespace {

class PartitionedTicketLock final : public LockModel {
 public:
  PartitionedTicketLock(Site& site, ParamReader& params)
      : request_(site.word("request")),
        slots_(site.array("slot", {{"grant", 64}},
                          static_cast<std::uint32_t>(params.integer(
                              "slots", 4, 1, 1024, "slots, each on a line of its own")))) {}

  Task<> acquire(Thread& self) override {
    const Value ticket = co_await self.fetch_add(request_, 1);
    co_await self.spin_until(grant(ticket), ticket);
    served_ = ticket;
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value ticket = co_await self.load(request_);
    const Value granted = co_await self.load(grant(ticket));
    if (granted != ticket) co_return false;
    const Value before = co_await self.compare_exchange(request_, ticket, ticket + 1);
    if (before != ticket) co_return false;
    served_ = ticket;
    co_return true;
  }

  Task<> release(Thread& self) override {
    const Value next = served_ + 1;
    co_await self.store(grant(next), next);
  }

 private:
  Word grant(Value ticket) const { return slots_.word(ticket % slots_.count(), 0); }

  Word request_;
  Records slots_;
  Value served_ = 0;  // the holder's own ticket, which it keeps in a register
};

}  // namespace

std::unique_ptr<Model> partitioned_ticket(Site& site, ParamReader& params) {
  return make<PartitionedTicketLock>(site, params);
}

}  // namespace hotline::models
