#include <algorithm>

#include "sim/machine/coherence.hpp"

/// Atomics that are executed at the line's topmost agent or home (P9).
namespace hotline::machine {

void Coherence::serve_far(Desk& desk, const Entry& entry) {
  const Keeper& keeper = *desk.place;
  Transaction& transaction = *entry.transaction;
  if (!keeper.is_home && desk.rights != Rights::kExclusive) {
    if (desk.parent->place->is_home) {
      pass_above(desk, entry);
      return;
    }
    // Not executed below the topmost agent: it only passes through.
    climb(transaction, *desk.parent,
          now() + keeper.look_up + legs_.up(desk.keeper, desk.line->home));
    desk.free_at = now() + keeper.far_interval;
    if (!desk.queue_empty()) plan(desk, desk.free_at);
    return;
  }
  const SimTime leaves = now() + keeper.look_up;
  if (desk.owner < 0 && desk.sharers.empty()) {
    desk.free_at = now() + keeper.far_interval;
    perform_far(desk, transaction, leaves);
    if (!desk.queue_empty()) plan(desk, std::max(desk.free_at, desk.queue[desk.head].arrival));
    return;
  }
  Job& job = desk.turn;
  begin(job, entry);
  if (desk.owner >= 0) {
    const SnoopMessage message{.requester = &transaction, .own = true};
    job.pending = 1;
    snoop_child(desk, &job, message, static_cast<std::uint32_t>(desk.owner), leaves);
    return;
  }
  invalidate(desk, job, -1, leaves);
  if (job.pending == 0) {
    job.pending = 1;
    count_answer(job, job.last_answer);
  }
}

void Coherence::perform_far(Desk& desk, Transaction& transaction, SimTime when) {
  Access& access = transaction.far_access;
  transaction.far_result = read(*desk.line, access.word);
  write(*desk.line, access.word, written_value(access, transaction.far_result));
  transaction.fire = &fired<Transaction, &Coherence::far_reply>;
  SimTime arrives = when + legs_.hop(transaction.core, desk.line->slice, desk.line->home);
  for (std::uint32_t keeper = legs_.lowest(transaction.core, desk.line->home);
       keeper != desk.keeper; keeper = legs_.above(keeper, desk.line->home)) {
    arrives += legs_.down(keeper, desk.line->home);
  }
  simulator_.schedule_at(arrives, transaction);
}

}  // namespace hotline::machine
