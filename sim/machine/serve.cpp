#include <algorithm>

#include "sim/machine/coherence.hpp"

/// How a keeper serves reads and requests for ownership, or passes them on.
namespace hotline::machine {

void Coherence::serve_reads(Desk& desk, const Entry& first) {
  const Keeper& keeper = *desk.place;
  if (desk.owner >= 0) {
    serve_owned_read(desk, first);
    return;
  }
  if (!keeper.is_home && desk.rights == Rights::kNone) {
    pass_above(desk, first);
    return;
  }
  // A pipeline: all that have arrived are served at the interval of reads, ownership stays put.
  Entry entry = first;
  SimTime when = now();
  for (;;) {
    supply(desk, entry, when);
    when += keeper.read_interval;
    if (desk.queue_empty() || desk.owner >= 0) break;
    const Entry& next = desk.queue[desk.head];
    if ((next.ask != Ask::kRead && next.ask != Ask::kWatch) ||
        next.arrival > std::min(now(), ahead_.until))
      break;
    entry = next;
    drop_front(desk);
    if (probe_ != nullptr) {
      probe_->taken_up(desk.line->id, CoreId{entry.requester}, desk.keeper, entry.arrival, when);
    }
  }
  desk.free_at = when;
  if (!desk.queue_empty()) plan(desk, std::max(when, desk.queue[desk.head].arrival));
}

void Coherence::supply(Desk& desk, Entry& entry, SimTime when) {
  const Keeper& keeper = *desk.place;
  const bool exclusive =
      desk.sharers.empty() && (keeper.is_home || desk.rights == Rights::kExclusive);
  if (exclusive) materialise(entry);  // E is not a watcher's usual fate: take the long way
  Source& source = entry.ask == Ask::kWatch ? entry.watcher->source_ : entry.transaction->source;
  const SimTime arrives = supplied(desk, entry.child, when + keeper.look_up, source);
  if (exclusive) {
    desk.owner = static_cast<std::int32_t>(entry.child);
  } else {
    desk.sharers.set(entry.child);
    if (keeper.is_home && description().protocol == Protocol::kMesif) {
      desk.forwarder = static_cast<std::int32_t>(entry.child);
    }
  }
  if (entry.ask == Ask::kWatch) {
    serve_watcher(desk, entry, arrives);
    return;
  }
  grant(desk, *entry.transaction);
  entry.transaction->exclusive = exclusive;
  send_down(desk, *entry.transaction, arrives);
}

/// The last leg from a keeper to one of its children.
Duration Coherence::leg_down(const Desk& desk, std::uint32_t child) const {
  const Keeper& keeper = *desk.place;
  const Line& line = *desk.line;
  const std::uint32_t below = keeper.first_child + child;
  return keeper.over_cores ? legs_.hop(CoreId{below}, line.slice, line.home)
                           : legs_.down(below, line.home);
}

/// When data that no single core owns reaches the child that asked: from the domain's own cache,
/// or, at a home, from memory or the forwarding child, whichever is sooner; memory has not the data
/// of a line that MOESI keeps dirty.
SimTime Coherence::supplied(Desk& desk, std::uint32_t child, SimTime looked_up, Source& source) {
  const Keeper& keeper = *desk.place;
  Line& line = *desk.line;
  const SimTime cached = looked_up + keeper.cache + leg_down(desk, child);
  if (!keeper.is_home) {
    ++statistics(line).from_cache;
    source = {Source::Kind::kCache};
    return cached;
  }
  if (desk.forwarder >= 0 && desk.forwarder != static_cast<std::int32_t>(child)) {
    const auto forwarder = static_cast<std::uint32_t>(desk.forwarder);
    const SimTime forwarded =
        looked_up + leg_down(desk, forwarder) +
        forwarding(keeper, keeper.first_child + forwarder, keeper.first_child + child);
    const bool stale = line.dirty && description().protocol == Protocol::kMoesi;
    if (stale || forwarded < cached) {
      const CoreId from = first_core(keeper, forwarder);
      const CoreId to = first_core(keeper, child);
      source = {Source::Kind::kCore, count_transfer(line, from, to, false), stale};
      return forwarded;
    }
  }
  ++statistics(line).from_memory;
  count_traffic(keeper.node, first_core(keeper, child));
  source = {Source::Kind::kMemory};
  return cached;
}

/// From a snoop's arrival at a forwarding child to its data's arrival at another child.
Duration Coherence::forwarding(const Keeper& keeper, std::uint32_t from, std::uint32_t to) const {
  if (keeper.over_cores) return costs(CoreId{from}).snoop + legs_.direct(CoreId{from}, CoreId{to});
  const Keeper& agent = legs_.keeper(from);
  return agent.look_up + agent.cache + legs_.across(from, to);
}

CoreId Coherence::first_core(const Keeper& keeper, std::uint32_t child) const {
  if (keeper.over_cores) return CoreId{keeper.first_child + child};
  return first_core(legs_.keeper(keeper.first_child + child), 0);
}

void Coherence::serve_owned_read(Desk& desk, Entry entry) {
  materialise(entry);
  Job& job = desk.turn;
  begin(job, entry);
  job.direct = true;
  const bool completion = desk.place->take_up == TakeUp::kCompletion;
  job.pending = completion ? 2 : 1;
  ask_owner(desk, job, false);
}

/// Sends the owner a snoop; its data goes straight to the requester.
void Coherence::ask_owner(Desk& desk, Job& job, bool own) {
  const Keeper& keeper = *desk.place;
  SimTime leaves = now() + keeper.look_up;
  if (keeper.is_home && !keeper.over_cores) {
    const Keeper& owner = legs_.keeper(keeper.first_child + static_cast<std::uint32_t>(desk.owner));
    if (owner.node != keeper.node) leaves += keeper.directory;
  }
  const SnoopMessage message{.requester = job.entry.transaction, .own = own, .supplies = true};
  const auto owner = static_cast<std::uint32_t>(desk.owner);
  // After a read others may be served from here, which must not happen before the owner has stopped
  // writing; only ownership can be passed on before it has arrived.
  if (keeper.take_up != TakeUp::kDispatch || !own) {
    snoop_child(desk, &job, message, owner, leaves);
    return;
  }
  snoop_child(desk, nullptr, message, owner, leaves);
  desk.free_at = leaves;  // and takes up the next request at once
  job.pending = 0;
  answers_complete(job);
}

void Coherence::read_complete(Desk& desk) {
  Job& job = desk.turn;
  grant(desk, *job.entry.transaction);
  share_owned(desk, job.entry.child);
  finish(job);
}

/// The owner has given a copy to another child.
void Coherence::share_owned(Desk& desk, std::uint32_t child) {
  if (desk.place->is_home) {
    const Protocol protocol = description().protocol;
    if (protocol == Protocol::kMoesi) desk.forwarder = desk.owner;
    if (protocol == Protocol::kMesif) desk.forwarder = static_cast<std::int32_t>(child);
  }
  desk.sharers.set(static_cast<std::uint32_t>(desk.owner));
  desk.sharers.set(child);
  desk.owner = -1;
}

void Coherence::serve_own(Desk& desk, const Entry& entry) {
  const Keeper& keeper = *desk.place;
  if (!keeper.is_home && desk.rights != Rights::kExclusive) {
    pass_above(desk, entry);
    return;
  }
  Job& job = desk.turn;
  begin(job, entry);
  if (desk.owner >= 0) {
    job.direct = true;
    job.pending = keeper.take_up == TakeUp::kCompletion ? 2 : 1;
    ask_owner(desk, job, true);
    return;
  }
  const SimTime leaves = now() + keeper.look_up;
  const bool upgrade = desk.sharers.test(entry.child);
  job.data_ready = upgrade ? leaves + leg_down(desk, entry.child)
                           : supplied(desk, entry.child, leaves, entry.transaction->source);
  invalidate(desk, job, static_cast<std::int32_t>(entry.child), leaves);
  if (job.pending != 0) return;
  if (job.last_answer > now()) {
    job.pending = 1;
    count_answer(job, job.last_answer);
    return;
  }
  desk.free_at = leaves;
  own_complete(desk);
}

void Coherence::own_complete(Desk& desk) {
  Job& job = desk.turn;
  Transaction& transaction = *job.entry.transaction;
  grant(desk, transaction);
  desk.owner = static_cast<std::int32_t>(job.entry.child);
  desk.forwarder = -1;
  desk.sharers.clear();
  if (job.direct) {
    finish(job);
    return;
  }
  SimTime arrives = job.data_ready;
  if (job.last_answer != SimTime{}) {
    arrives = std::max(arrives, job.last_answer + leg_down(desk, job.entry.child));
  }
  await_confirmation(job);
  send_down(desk, transaction, arrives);
  if (!job.confirming) finish(job);
}

/// Passes a request on to the keeper above; local copies go at the same time.
void Coherence::pass_above(Desk& desk, Entry entry) {
  materialise(entry);
  Job& job = desk.turn;
  begin(job, entry);
  job.above = true;
  const SimTime leaves = now() + desk.place->look_up;
  climb(*entry.transaction, *desk.parent, leaves + legs_.up(desk.keeper, desk.line->home));
  if (entry.ask == Ask::kRead) {
    plan_next(desk);
    return;
  }
  // The requester keeps its own copy, if it has one: an upgrade needs no data.
  const bool keeps = entry.ask == Ask::kOwn && desk.sharers.test(entry.child);
  const std::int32_t excepted =
      entry.ask == Ask::kOwn ? static_cast<std::int32_t>(entry.child) : -1;
  invalidate(desk, job, excepted, leaves);
  if (keeps) desk.sharers.set(entry.child);
  if (job.pending == 0 && job.last_answer > now()) {
    job.pending = 1;
    count_answer(job, job.last_answer);
  } else if (job.pending == 0) {
    plan_next(desk);
  }
}

}  // namespace hotline::machine
