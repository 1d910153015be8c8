#include <algorithm>
#include <cassert>

#include "sim/machine/coherence.hpp"

/// How a keeper takes requests and snoops for one line from its queue and serves them.
namespace hotline::machine {

/// Puts a request or snoop into the queue, where it counts from its time of arrival on: now, or
/// later, which saves the event of arriving.
void Coherence::enqueue(Desk& desk, const Entry& entry) {
  insert(desk, entry);
  const Job& turn = desk.jobs[0];
  if (turn.active && (!turn.above || entry.snoop == nullptr)) return;  // will be looked at then
  plan(desk, std::max(entry.arrival, desk.free_at));
}

void Coherence::plan(Desk& desk, SimTime when) {
  if (!desk.planned) {
    desk.planned = true;
    desk.planned_at = when;
    desk.plan = simulator_.schedule_at(when, desk, engine::Phase::kDecision);
  } else if (when < desk.planned_at) {
    desk.planned_at = when;
    simulator_.reschedule(desk.plan, when);
  }
}

/// Has the desk look at its queue when something there can be taken up: while a request of its
/// waits above, only a snoop, which is in the queue from its arrival on.
void Coherence::plan_next(Desk& desk) {
  if (desk.queue_empty()) return;
  if (!desk.jobs[0].active) {
    plan(desk, std::max({now(), desk.free_at, desk.queue[desk.head].arrival}));
    return;
  }
  for (std::size_t i = desk.head; i < desk.queue.size(); ++i) {
    const Entry& entry = desk.queue[i];
    if (entry.arrival > now()) return;
    if (entry.snoop == nullptr) continue;
    plan(desk, now());
    return;
  }
}

void Coherence::take_up(Desk& desk) {
  desk.planned = false;
  Job& turn = desk.jobs[0];
  if (turn.active) {
    take_up_urgent(desk);
    return;
  }
  if (desk.queue_empty()) return;
  const Entry& next = desk.queue[desk.head];
  const SimTime earliest = std::max(desk.free_at, next.arrival);
  if (earliest > now()) {
    plan(desk, earliest);
    return;
  }
  const Entry entry = next;
  drop_front(desk);
  serve(desk, entry);
}

void Coherence::drop_front(Desk& desk) {
  if (++desk.head == desk.queue.size()) {
    desk.queue.clear();
    desk.head = 0;
  }
}

/// While a request of this domain waits at the keeper above, a snoop that the keeper above sent on
/// behalf of an earlier request must not wait behind it: each would wait for the other.
void Coherence::take_up_urgent(Desk& desk) {
  Job& turn = desk.jobs[0];
  if (!turn.above || turn.pending != 0 || desk.jobs[1].active) return;
  const std::uint64_t granted =
      turn.entry.transaction->granted[legs_.keeper(desk.parent->keeper).level];
  for (std::size_t i = desk.head; i < desk.queue.size(); ++i) {
    const Entry entry = desk.queue[i];
    if (entry.arrival > now()) return;
    if (entry.snoop == nullptr || (granted != 0 && granted < entry.snoop->sent)) continue;
    desk.queue.erase(desk.queue.begin() + static_cast<std::ptrdiff_t>(i));
    if (desk.queue_empty()) {
      desk.queue.clear();
      desk.head = 0;
    }
    serve_snoop(desk, entry, desk.jobs[1]);
    return;
  }
}

void Coherence::serve(Desk& desk, const Entry& entry) {
  switch (entry.ask) {
    case Ask::kRead:
      serve_reads(desk, entry);
      return;
    case Ask::kOwn:
      serve_own(desk, entry);
      return;
    case Ask::kFar:
      serve_far(desk, entry);
      return;
    case Ask::kSnoopRead:
    case Ask::kSnoopOwn:
      serve_snoop(desk, entry, desk.jobs[0]);
      return;
  }
}

void Coherence::begin(Job& job, const Entry& entry) {
  assert(!job.active);
  job.active = true;
  job.above = false;
  job.data_here = false;
  job.confirming = false;
  job.direct = false;
  job.data_waits = false;
  job.pending = 0;
  job.last_answer = {};
  job.data_ready = {};
  job.entry = entry;
  if (entry.transaction != nullptr) ++entry.transaction->holds;
}

void Coherence::finish(Job& job) {
  Desk& desk = *job.desk;
  job.active = false;
  if (job.entry.transaction != nullptr) release(*job.entry.transaction);
  Job& turn = desk.jobs[0];
  if (turn.active && turn.data_here && turn.pending == 0 && !turn.confirming) {
    granted_from_above(desk);  // the grant came while the urgent snoop was being answered
  }
  if (&desk != deciding_) plan_next(desk);
}

void Coherence::grant(Desk& desk, Transaction& transaction) {
  transaction.granted[legs_.keeper(desk.keeper).level] = ++decisions_;
}

void Coherence::serve_reads(Desk& desk, const Entry& first) {
  const Keeper& keeper = legs_.keeper(desk.keeper);
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
    if (next.ask != Ask::kRead || next.arrival > now()) break;
    entry = next;
    drop_front(desk);
  }
  desk.free_at = when;
  if (!desk.queue_empty()) plan(desk, std::max(when, desk.queue[desk.head].arrival));
}

void Coherence::supply(Desk& desk, Entry& entry, SimTime when) {
  const Keeper& keeper = legs_.keeper(desk.keeper);
  const bool exclusive =
      desk.sharers.empty() && (keeper.is_home || desk.rights == Rights::kExclusive);
  if (exclusive) materialise(entry);  // E is not a watcher's usual fate: take the long way
  const SimTime arrives = supplied(desk, entry.child, when + keeper.look_up);
  if (exclusive) {
    desk.owner = static_cast<std::int32_t>(entry.child);
  } else {
    desk.sharers.set(entry.child);
    if (keeper.is_home && description().protocol == Protocol::kMesif) {
      desk.forwarder = static_cast<std::int32_t>(entry.child);
    }
  }
  if (entry.transaction == nullptr) {
    serve_watcher(desk, entry, arrives);
    return;
  }
  grant(desk, *entry.transaction);
  entry.transaction->exclusive = exclusive;
  send_down(desk, *entry.transaction, arrives);
}

/// The last leg from a keeper to one of its children.
Duration Coherence::leg_down(const Desk& desk, std::uint32_t child) const {
  const Keeper& keeper = legs_.keeper(desk.keeper);
  const Line& line = *desk.line;
  const std::uint32_t below = keeper.first_child + child;
  return keeper.over_cores ? legs_.hop(CoreId{below}, line.slice, line.home)
                           : legs_.down(below, line.home);
}

/// When data that no single core owns reaches the child that asked: from the domain's own cache,
/// or, at a home, from memory or the forwarding child, whichever is sooner; memory has not the data
/// of a line that MOESI keeps dirty.
SimTime Coherence::supplied(Desk& desk, std::uint32_t child, SimTime looked_up) {
  const Keeper& keeper = legs_.keeper(desk.keeper);
  Line& line = *desk.line;
  const SimTime cached = looked_up + keeper.cache + leg_down(desk, child);
  if (!keeper.is_home) {
    ++statistics(line).from_cache;
    return cached;
  }
  if (desk.forwarder >= 0 && desk.forwarder != static_cast<std::int32_t>(child)) {
    const auto forwarder = static_cast<std::uint32_t>(desk.forwarder);
    const SimTime forwarded = looked_up + leg_down(desk, forwarder) +
                              forwarding(keeper, keeper.first_child + forwarder,
                                         keeper.first_child + child);
    const bool stale = line.dirty && description().protocol == Protocol::kMoesi;
    if (stale || forwarded < cached) {
      count_transfer(line, first_core(keeper, forwarder), first_core(keeper, child), false);
      return forwarded;
    }
  }
  ++statistics(line).from_memory;
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
  Job& job = desk.jobs[0];
  begin(job, entry);
  job.direct = true;
  const bool completion = legs_.keeper(desk.keeper).take_up == TakeUp::kCompletion;
  job.pending = completion ? 2 : 1;
  ask_owner(desk, job, false);
}

/// Sends the owner a snoop; its data goes straight to the requester.
void Coherence::ask_owner(Desk& desk, Job& job, bool own) {
  const Keeper& keeper = legs_.keeper(desk.keeper);
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
  Job& job = desk.jobs[0];
  const auto child = job.entry.child;
  grant(desk, *job.entry.transaction);
  if (legs_.keeper(desk.keeper).is_home) {
    const Protocol protocol = description().protocol;
    if (protocol == Protocol::kMoesi) desk.forwarder = desk.owner;
    if (protocol == Protocol::kMesif) desk.forwarder = static_cast<std::int32_t>(child);
  }
  desk.sharers.set(static_cast<std::uint32_t>(desk.owner));
  desk.sharers.set(child);
  desk.owner = -1;
  finish(job);
}

void Coherence::serve_own(Desk& desk, const Entry& entry) {
  const Keeper& keeper = legs_.keeper(desk.keeper);
  if (!keeper.is_home && desk.rights != Rights::kExclusive) {
    pass_above(desk, entry);
    return;
  }
  Job& job = desk.jobs[0];
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
                           : supplied(desk, entry.child, leaves);
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
  Job& job = desk.jobs[0];
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

void Coherence::await_confirmation(Job& job) {
  job.confirming = legs_.keeper(job.desk->keeper).take_up == TakeUp::kCompletion;
  job.pending = job.confirming ? 1 : 0;
}

/// Passes a request on to the keeper above; local copies go at the same time.
void Coherence::pass_above(Desk& desk, Entry entry) {
  materialise(entry);
  Job& job = desk.jobs[0];
  begin(job, entry);
  job.above = true;
  const SimTime leaves = now() + legs_.keeper(desk.keeper).look_up;
  climb(*entry.transaction, *desk.parent, leaves + legs_.up(desk.keeper, desk.line->home));
  if (entry.ask == Ask::kRead) {
    plan_next(desk);
    return;
  }
  // The requester keeps its own copy, if it has one: an upgrade needs no data.
  const bool keeps = entry.ask == Ask::kOwn && desk.sharers.test(entry.child);
  const std::int32_t excepted = entry.ask == Ask::kOwn ? static_cast<std::int32_t>(entry.child) : -1;
  invalidate(desk, job, excepted, leaves);
  if (keeps) desk.sharers.set(entry.child);
  if (job.pending == 0 && job.last_answer > now()) {
    job.pending = 1;
    count_answer(job, job.last_answer);
  } else if (job.pending == 0) {
    plan_next(desk);
  }
}

void Coherence::data_at_keeper(Transaction& transaction) {
  Desk& desk = *transaction.at;
  Job& job = desk.jobs[0];
  assert(job.active && job.above && job.entry.transaction == &transaction);
  job.data_here = true;
  if (job.pending == 0 && !desk.jobs[1].active) granted_from_above(desk);
}

void Coherence::granted_from_above(Desk& desk) {
  Job& job = desk.jobs[0];
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
  if (legs_.keeper(desk.keeper).over_cores) {
    send_to_core(transaction, arrives);
    return;
  }
  transaction.at = &desk_below(desk, transaction.core);
  transaction.stage = Transaction::Stage::kDataAtKeeper;
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
  transaction.stage = Transaction::Stage::kFill;
  const bool own = transaction.ask == Ask::kOwn;  // a load uses the data as it arrives
  simulator_.schedule_at(own ? arrives + costs(transaction.core).fill : arrives, transaction);
  if (confirms_) confirm(transaction, arrives);
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
    Job& job = desk.jobs[0];
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

/// The last answer has come. Fired with the decisions of its time, so that the next request can be
/// taken up at once.
void Coherence::answered(Job& job) {
  Desk& desk = *job.desk;
  job.pending = 0;
  deciding_ = &desk;
  answers_complete(job);
  deciding_ = nullptr;
  if (desk.queue_empty()) return;
  if (desk.planned || desk.jobs[0].active) {
    plan_next(desk);
  } else {
    take_up(desk);
  }
}

void Coherence::answers_complete(Job& job) {
  Desk& desk = *job.desk;
  if (job.confirming) {
    finish(job);
    return;
  }
  if (job.above) {
    if (job.data_here) {
      granted_from_above(desk);
    } else {
      plan_next(desk);
    }
    return;
  }
  switch (job.entry.ask) {
    case Ask::kRead:
      read_complete(desk);
      return;
    case Ask::kOwn:
      own_complete(desk);
      return;
    case Ask::kFar:
      perform_far(desk, *job.entry.transaction, now());
      desk.owner = -1;
      desk.forwarder = -1;
      desk.sharers.clear();
      finish(job);
      return;
    case Ask::kSnoopRead:
    case Ask::kSnoopOwn:
      snoop_complete(desk, job);
      return;
  }
}

void Coherence::serve_far(Desk& desk, const Entry& entry) {
  const Keeper& keeper = legs_.keeper(desk.keeper);
  Transaction& transaction = *entry.transaction;
  if (!keeper.is_home && desk.rights != Rights::kExclusive) {
    if (legs_.keeper(desk.parent->keeper).is_home) {
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
  Job& job = desk.jobs[0];
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
  transaction.stage = Transaction::Stage::kFarReply;
  SimTime arrives = when + legs_.hop(transaction.core, desk.line->slice, desk.line->home);
  for (std::uint32_t keeper = legs_.lowest(transaction.core, desk.line->home);
       keeper != desk.keeper; keeper = legs_.above(keeper, desk.line->home)) {
    arrives += legs_.down(keeper, desk.line->home);
  }
  simulator_.schedule_at(arrives, transaction);
}

}  // namespace hotline::machine
