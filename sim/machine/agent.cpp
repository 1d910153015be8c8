#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/machine/coherence.hpp"

/// How a keeper takes requests and snoops for one line from its queue, and ends what it has begun.
namespace hotline::machine {

/// Puts a request or snoop into the queue, where it counts from its time of arrival on: now, or
/// later, which saves the event of arriving.
void Coherence::enqueue(Desk& desk, const Entry& entry) {
  const bool first = insert(desk, entry);
  if (!first && desk.planned && !is_snoop(entry.ask)) return;
  const Job& turn = desk.turn;
  if (turn.active && (!turn.above || !is_snoop(entry.ask))) return;  // will be looked at then
  plan(desk, std::max(entry.arrival, desk.free_at));
}

/// Returns whether the entry has become the first.
bool Coherence::insert(Desk& desk, const Entry& entry) {
  std::vector<Entry>& queue = desk.queue;
  std::size_t place = queue.size();
  while (place > desk.head && arrives_before(entry, queue[place - 1])) --place;
  if (place == queue.size()) {
    queue.push_back(entry);
  } else {
    queue.insert(queue.begin() + static_cast<std::ptrdiff_t>(place), entry);
  }
  return place == desk.head;
}

void Coherence::plan(Desk& desk, SimTime when) {
  if (&desk == ahead_.desk && desk.queue[desk.head].arrival <= ahead_.until) {
    if (desk.planned) unplan(desk);
    const AsOf then(*this, {&desk, when, ahead_.until});
    take_up(desk);
    return;
  }
  const std::int32_t snooped = snooped_next(desk);
  if (desk.planned) {
    if (when >= desk.planned_at && snooped == desk.snooped) return;
    unplan(desk);
  }
  desk.planned = true;
  desk.planned_at = when;
  desk.snooped = snooped;
  engine::Phase phase = engine::Phase::kDecision;
  desk.fire = &fired<Desk, &Coherence::take_up>;
  if (snooped >= 0) {
    when = snoop_reaches(desk, snooped, when);
    phase = engine::Phase::kArrival;
    desk.fire = &fired<Desk, &Coherence::take_up_with_snoop>;
  }
  desk.plan = simulator_.schedule_at(when, desk, phase);
}

void Coherence::unplan(Desk& desk) {
  simulator_.cancel(desk.plan);
  desk.planned = false;
}

/// Has the desk look at its queue when something there can be taken up: while a request of its
/// waits above, only a snoop, which is in the queue from its arrival on.
void Coherence::plan_next(Desk& desk) {
  if (desk.queue_empty()) return;
  if (!desk.turn.active) {
    plan(desk, std::max({now(), desk.free_at, desk.queue[desk.head].arrival}));
    return;
  }
  for (std::size_t i = desk.head; i < desk.queue.size(); ++i) {
    const Entry& entry = desk.queue[i];
    if (entry.arrival > now()) return;
    if (!is_snoop(entry.ask)) continue;
    plan(desk, now());
    return;
  }
}

void Coherence::take_up(Desk& desk) {
  desk.planned = false;
  Job& turn = desk.turn;
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
  std::vector<Entry>& queue = desk.queue;
  if (++desk.head == queue.size()) {
    queue.clear();
    desk.head = 0;
  } else if (desk.head >= 64 && desk.head >= queue.size() - desk.head) {  // it may never run empty
    queue.erase(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(desk.head));
    desk.head = 0;
  }
}

/// While a request of this domain waits at the keeper above, a snoop that the keeper above sent on
/// behalf of an earlier request must not wait behind it: each would wait for the other.
void Coherence::take_up_urgent(Desk& desk) {
  Job& turn = desk.turn;
  if (!turn.above || turn.pending != 0 || desk.answers_urgent_snoop()) return;
  const std::uint64_t granted = turn.entry.transaction->granted[desk.parent->place->level];
  for (std::size_t i = desk.head; i < desk.queue.size(); ++i) {
    const Entry entry = desk.queue[i];
    if (entry.arrival > now()) return;
    if (!is_snoop(entry.ask) || (granted != 0 && granted < entry.snoop->sent)) continue;
    desk.queue.erase(desk.queue.begin() + static_cast<std::ptrdiff_t>(i));
    if (desk.queue_empty()) {
      desk.queue.clear();
      desk.head = 0;
    }
    serve_snoop(desk, entry, urgent_job(desk));
    return;
  }
}

void Coherence::serve(Desk& desk, const Entry& entry) {
  if (probe_ != nullptr && !is_snoop(entry.ask)) {
    probe_->taken_up(desk.line->id, CoreId{entry.requester}, desk.keeper, entry.arrival, now());
  }
  switch (entry.ask) {
    case Ask::kRead:
    case Ask::kWatch:
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
      serve_snoop(desk, entry, desk.turn);
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
  if (!is_snoop(entry.ask)) ++entry.transaction->holds;
}

void Coherence::finish(Job& job) {
  Desk& desk = *job.desk;
  job.active = false;
  if (!is_snoop(job.entry.ask)) release(*job.entry.transaction);
  Job& turn = desk.turn;
  if (turn.active && turn.data_here && turn.pending == 0 && !turn.confirming) {
    granted_from_above(desk);  // the grant came while the urgent snoop was being answered
  }
  if (&desk != deciding_) plan_next(desk);
}

void Coherence::grant(Desk& desk, Transaction& transaction) {
  transaction.granted[desk.place->level] = ++decisions_;
}

/// The last answer has come. Fired with the decisions of its time, so that the next request can be
/// taken up at once.
void Coherence::answered(Job& job) {
  Desk& desk = *job.desk;
  job.pending = 0;
  Desk* const outer = std::exchange(deciding_, &desk);
  answers_complete(job);
  deciding_ = outer;
  if (desk.queue_empty()) return;
  if (desk.planned || desk.turn.active || snooped_next(desk) >= 0) {
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
    case Ask::kWatch:  // has been given a transaction
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

}  // namespace hotline::machine
