#include <algorithm>
#include <utility>

#include "sim/machine/coherence.hpp"

/// How a keeper asks its children to give up copies, and how they answer.
namespace hotline::machine {

void Coherence::snoop_child(Desk& desk, Job* job, const SnoopMessage& message, std::uint32_t child,
                            SimTime leaves) {
  const Keeper& keeper = *desk.place;
  const Line& line = *desk.line;
  Snoop& snoop = snoops_.take();
  static_cast<SnoopMessage&>(snoop) = message;
  snoop.job = job;
  snoop.sent = ++decisions_;
  const std::uint32_t below = keeper.first_child + child;
  if (keeper.over_cores) {
    snoop.fire = &fired<Snoop, &Coherence::snoop_at_core>;
    snoop.desk = &desk;
    snoop.core = CoreId{below};
    snoop.hop = legs_.hop(snoop.core, line.slice, line.home);
    if (&desk == snooping_) {
      const AsOf arrival(*this, {.now = present()});
      snoop_at_core(snoop);
    } else {
      simulator_.schedule_at(leaves + snoop.hop, snoop);
    }
  } else {
    snoop.fire = &fired<Snoop, &Coherence::snoop_at_agent>;
    snoop.desk = &this->desk(*desk.line, below);
    const SimTime arrives = leaves + legs_.down(below, line.home);
    if (!snoop_ahead(snoop, arrives)) simulator_.schedule_at(arrives, snoop);
  }
}

/// Takes every copy below `desk` but the excepted child's.
void Coherence::invalidate(Desk& desk, Job& job, std::int32_t except, SimTime leaves) {
  const Keeper& keeper = *desk.place;
  Line& line = *desk.line;
  const SnoopMessage message{.requester = job.entry.transaction, .own = true};
  ++job.pending;  // some may answer before all have been asked
  desk.sharers.for_each([&](std::uint32_t child) {
    if (static_cast<std::int32_t>(child) == except) return;
    if (keeper.over_cores) {
      const CoreId core{keeper.first_child + child};
      if (Port* watcher = sole_watcher(core, line)) {
        const Duration hop = legs_.hop(core, line.slice, line.home);
        const SimTime answered = invalidate_watcher(desk, *watcher, leaves + hop);
        job.last_answer = std::max(job.last_answer, answered);
        return;
      }
    }
    ++job.pending;
    snoop_child(desk, &job, message, child, leaves);
  });
  --job.pending;
  desk.sharers.clear();
  merge_new_reads(desk);
}

void Coherence::snoop_at_agent(Snoop& snoop) {
  enqueue(*snoop.desk, {.arrival = now(),
                        .snoop = &snoop,
                        .requester = ~std::uint32_t{0},
                        .ask = snoop.own ? Ask::kSnoopOwn : Ask::kSnoopRead});
}

void Coherence::snoop_at_core(Snoop& snoop) {
  const Line& line = *snoop.desk->line;
  Transaction* const coming = deferring(snoop.core, line);
  if (coming != nullptr && coming->granted[0] < snoop.sent) {
    coming->deferred = &snoop;
    coming->deferred_since = now();
    return;
  }
  snoop_core(snoop, after_look(snoop.core, line));
}

/// Forward progress: what the keeper granted the core before it sent a snoop comes first, and so
/// does one operation with it. The core's request for the line, if it has been granted.
Transaction* Coherence::deferring(CoreId core, const Line& line) const {
  Transaction* const coming = outstanding(core, line);
  return coming != nullptr && coming->granted[0] != 0 ? coming : nullptr;
}

/// Answers a snoop: to the keeper, and with the data to the requester.
void Coherence::snoop_core(Snoop& snoop, SimTime effective) {
  const SimTime leaves = give_up(snoop.core, *snoop.desk, snoop.own, effective);
  if (snoop.supplies) {
    supply_from(snoop.core, *snoop.requester);
    deliver_from(snoop.core, *snoop.requester, leaves);
  }
  if (snoop.job != nullptr) {
    count_answer(*snoop.job, leaves + snoop.hop);
  } else {
    plan_next(*snoop.desk);
  }
  snoops_.give_back(snoop);
}

/// The core gives up its copy (`own`) or its exclusive right; an operation in progress on the line
/// is finished first. Returns when its answer leaves.
SimTime Coherence::give_up(CoreId holder, Desk& desk, bool own, SimTime effective) {
  const Core& core = cores_[holder.value];
  Line& line = *desk.line;
  SimTime leaves = effective;
  if (has_exclusive(holder, line)) {
    leaves = std::max(leaves, line.busy_until);
    line.exclusive_core = -1;
    if (!own) desk.copies.set(core.child);
  }
  if (own) {
    desk.copies.reset(core.child);
    ++counts_.invalidations;
    ++statistics(line).invalidations;
    if (probe_ != nullptr) probe_->invalidated(line.id, holder, effective);
    if (core.idle_spins != 0) wake_spins(holder, desk, effective);
  }
  return leaves + core.costs->snoop;
}

/// A core's data goes to the requester.
void Coherence::supply_from(CoreId owner, Transaction& requester) {
  Line& line = *requester.line;
  const std::uint8_t distance =
      count_transfer(line, owner, requester.core, requester.ask == Ask::kOwn);
  requester.source = {Source::Kind::kCore, distance, line.dirty};
}

/// The core's copy goes at `when`: its spin loops look again.
void Coherence::wake_spins(CoreId core, Desk& desk, SimTime when) {
  Line& line = *desk.line;
  if (Port* watcher = sole_watcher(core, line)) {
    insert(desk, next_read(line, *watcher, when));
    return;
  }
  if (cores_[core.value].inhabited_ports == 1) {
    cores_[core.value].inhabited->copy_lost(line, when);
    return;
  }
  const bool outer = std::exchange(arriving_, true);
  for (std::uint32_t k = 0; k < description().threads_per_core; ++k) {
    ports_[topology_.cpu_of(core, k).value]->copy_lost(line, when);
  }
  arriving_ = outer;
}

void Coherence::count_answer(Job& job, SimTime arrives) {
  job.last_answer = std::max(job.last_answer, arrives);
  if (job.pending > 1) {
    --job.pending;
    return;
  }
  // The last one stays pending until it arrives: until then nothing may go on without it.
  const SimTime when = std::max(job.last_answer, now());
  if (job.desk == ahead_.desk) {
    const AsOf then(*this, {job.desk, when, ahead_.until});
    answered(job);
  } else if (is_certain(job)) {
    answered_ahead(job, when);
  } else {
    simulator_.schedule_at(when, job, engine::Phase::kDecision);
  }
}

/// The old owner's data goes to the requester: straight, or to the requester's agent below the
/// keeper that serves the request.
void Coherence::deliver_from(CoreId owner, Transaction& transaction, SimTime leaves) {
  const Line& line = *transaction.line;
  const std::uint32_t serving = transaction.at->keeper;
  if (transaction.at->place->over_cores) {
    send_to_core(transaction, leaves + legs_.direct(owner, transaction.core));
    return;
  }
  std::uint32_t keeper = legs_.lowest(owner, line.home);
  SimTime arrives = leaves + legs_.hop(owner, line.slice, line.home);
  for (; legs_.above(keeper, line.home) != serving; keeper = legs_.above(keeper, line.home)) {
    arrives += legs_.up(keeper, line.home);
  }
  send_across(keeper, transaction, arrives);
}

/// From an agent to the requester's agent under the same keeper.
void Coherence::send_across(std::uint32_t holder, Transaction& transaction, SimTime leaves) {
  Desk& serving = *transaction.at;
  Desk& below = desk_below(serving, transaction.core);
  send_to_agent(below, transaction, leaves + legs_.across(holder, below.keeper));
}

/// A snoop from above, at an agent: its domain gives up the line, or its exclusive rights.
void Coherence::serve_snoop(Desk& desk, const Entry& entry, Job& job) {
  const Keeper& keeper = *desk.place;
  Snoop& above = *entry.snoop;
  begin(job, entry);
  const SimTime leaves = now() + keeper.look_up;
  if (desk.owner >= 0) {
    job.pending = 1;
    snoop_child(desk, &job, above, static_cast<std::uint32_t>(desk.owner), leaves);
    return;
  }
  SimTime answered = leaves;
  if (above.supplies) {
    answered += keeper.cache;
    // The new owner must not begin while copies are left here.
    job.data_waits = above.own && !desk.sharers.empty();
    if (!job.data_waits) supply_across(desk, above, answered);
  }
  if (above.own) invalidate(desk, job, -1, leaves);
  job.last_answer = std::max(job.last_answer, answered);
  if (job.pending == 0) {
    job.pending = 1;
    count_answer(job, answered);
  }
}

/// An agent's own data goes to the requester's agent.
void Coherence::supply_across(Desk& desk, const Snoop& above, SimTime leaves) {
  const CoreId from = first_core(*desk.place, 0);
  Transaction& requester = *above.requester;
  const std::uint8_t distance = count_transfer(*desk.line, from, requester.core, above.own);
  requester.source = {Source::Kind::kCore, distance, desk.line->dirty};
  send_across(desk.keeper, requester, leaves);
}

void Coherence::snoop_complete(Desk& desk, Job& job) {
  Snoop& above = *job.entry.snoop;
  if (job.data_waits) supply_across(desk, above, now());
  if (above.own) {
    desk.rights = Rights::kNone;
    desk.sharers.clear();
  } else {
    desk.rights = Rights::kShared;
    if (desk.owner >= 0) desk.sharers.set(static_cast<std::uint32_t>(desk.owner));
  }
  desk.owner = -1;
  if (above.job != nullptr) {
    count_answer(*above.job, now() + legs_.up(desk.keeper, desk.line->home));
  }
  snoops_.give_back(above);
  finish(job);
}

/// Returns the class of distance.
std::uint8_t Coherence::count_transfer(Line& line, CoreId from, CoreId to, bool exclusive) {
  const std::uint8_t distance = topology_.distance(from, to);
  ++statistics(line).transfers[distance];
  count_traffic(topology_.node_of(from), to);
  if (probe_ != nullptr) probe_->transferred(line.id, from, to, exclusive, now());
  return distance;
}

}  // namespace hotline::machine
