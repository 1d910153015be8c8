#include <algorithm>
#include <cassert>

#include "sim/machine/coherence.hpp"

/// How what a keeper grants, or has been granted from above, goes down to the requester.
namespace hotline::machine {

void Coherence::await_confirmation(Job& job) {
  job.confirming = job.desk->place->take_up == TakeUp::kCompletion;
  job.pending = job.confirming ? 1 : 0;
}

void Coherence::data_at_keeper(Transaction& transaction) {
  Desk& desk = *transaction.at;
  Job& job = desk.turn;
  assert(job.active && job.above && job.entry.transaction == &transaction);
  job.data_here = true;
  if (job.pending == 0 && !desk.answers_urgent_snoop()) granted_from_above(desk);
}

void Coherence::granted_from_above(Desk& desk) {
  Job& job = desk.turn;
  const Entry entry = job.entry;
  Transaction& transaction = *entry.transaction;
  desk.rights = transaction.exclusive ? Rights::kExclusive : Rights::kShared;
  job.above = false;
  job.data_here = false;
  if (entry.ask == Ask::kFar) {
    desk.sharers.clear();
    perform_far(desk, transaction, now());
    finish(job);
    if (confirms_) {
      confirm_from(desk.parent->keeper, transaction,
                   now() + legs_.up(desk.keeper, desk.line->home));
    }
    return;
  }
  grant(desk, transaction);
  if (entry.ask == Ask::kOwn || (transaction.exclusive && desk.sharers.empty())) {
    desk.owner = static_cast<std::int32_t>(entry.child);
    desk.sharers.clear();
  } else {
    transaction.exclusive = false;
    desk.sharers.set(entry.child);
  }
  await_confirmation(job);
  send_down(desk, transaction, now() + leg_down(desk, entry.child));
  if (!job.confirming) finish(job);
}

void Coherence::send_down(Desk& desk, Transaction& transaction, SimTime arrives) {
  if (desk.place->over_cores) {
    send_to_core(transaction, arrives);
    return;
  }
  send_to_agent(desk_below(desk, transaction.core), transaction, arrives);
}

void Coherence::send_to_agent(Desk& agent, Transaction& transaction, SimTime arrives) {
  transaction.at = &agent;
  if (data_ahead(agent, transaction, arrives)) return;
  transaction.fire = &fired<Transaction, &Coherence::data_at_keeper>;
  simulator_.schedule_at(arrives, transaction);
}

Desk& Coherence::desk_below(Desk& above, CoreId core) {
  std::uint32_t keeper = legs_.lowest(core, above.line->home);
  while (legs_.above(keeper, above.line->home) != above.keeper) {
    keeper = legs_.above(keeper, above.line->home);
  }
  return desk(*above.line, keeper);
}

void Coherence::send_to_core(Transaction& transaction, SimTime arrives) {
  if (confirms_) confirm(transaction, arrives);
  const bool own = transaction.ask == Ask::kOwn;  // a load uses the data as it arrives
  const SimTime when = own ? arrives + costs(transaction.core).fill : arrives;
  if (fill_ahead(transaction, when)) return;
  transaction.arrives = when;
  transaction.fire = &fired<Transaction, &Coherence::fill>;
  simulator_.schedule_at(when, transaction);
}

/// The requester tells those keepers on its way up that wait for it (TakeUp::kCompletion).
void Coherence::confirm(Transaction& transaction, SimTime at_core) {
  const Line& line = *transaction.line;
  confirm_from(legs_.lowest(transaction.core, line.home), transaction,
               at_core + legs_.hop(transaction.core, line.slice, line.home));
}

void Coherence::confirm_from(std::uint32_t keeper, Transaction& transaction, SimTime arrives) {
  Line& line = *transaction.line;
  for (;;) {
    Desk& desk = this->desk(line, keeper);
    Job& job = desk.turn;
    const bool waits = job.confirming || job.direct;
    if (job.active && waits && job.entry.transaction == &transaction &&
        legs_.keeper(keeper).take_up == TakeUp::kCompletion) {
      count_answer(job, arrives);
    }
    if (legs_.keeper(keeper).is_home) return;
    arrives += legs_.up(keeper, line.home);
    keeper = legs_.above(keeper, line.home);
  }
}

}  // namespace hotline::machine
