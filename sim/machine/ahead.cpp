#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/machine/coherence.hpp"
#include "sim/machine/port.hpp"

/// Where it is certain what will happen, it is computed as soon as its cause is known, with the
/// times that it will have: by the same functions, which take a later time for the present. This
/// saves the events; the mode without batching does nothing ahead and gives the same times.
namespace hotline::machine {

/// The line is the core's from `when` on.
void Coherence::take_in(Transaction& transaction, SimTime when) {
  Core& core = cores_[transaction.core.value];
  Line& line = *transaction.line;
  Transaction** place = &core.outstanding;
  while (*place != &transaction) place = &(*place)->next;
  *place = transaction.next;
  ChildSet& copies = line.desks[core.slot]->copies;
  if (transaction.exclusive) {
    copies.reset(core.child);
    line.exclusive_core = static_cast<std::int32_t>(transaction.core.value);
    line.dirty = transaction.ask == Ask::kOwn;
    line.busy_until = when;
  } else {
    copies.set(core.child);
  }
  if (probe_ != nullptr) probe_->filled(line.id, transaction.core, transaction.exclusive, when);
}

/// The desk takes up its next entry as of then, and the snoop that it sends is at the core now.
void Coherence::take_up_with_snoop(Desk& desk) {
  desk.planned = false;
  assert(desk.snooped == snooped_next(desk) &&
         snoop_reaches(desk, desk.snooped, desk.planned_at) == present());
  Entry entry = desk.queue[desk.head];
  drop_front(desk);
  if (desk.owner >= 0 && !is_snoop(entry.ask) && !confirms_ &&
      deferring(owner_of(desk), *desk.line) == nullptr) {
    hand_over(desk, entry);
    return;
  }
  const AsOf then(*this, {.now = desk.planned_at});
  snooping_ = &desk;
  serve(desk, entry);
  snooping_ = nullptr;
}

/// What serve_own() or serve_owned_read(), snoop_at_core() and answered_ahead() come to where none
/// of them has to wait: the line goes from one core to another.
void Coherence::hand_over(Desk& desk, Entry& entry) {
  Line& line = *desk.line;
  if (probe_ != nullptr) {
    probe_->taken_up(line.id, CoreId{entry.requester}, desk.keeper, entry.arrival, desk.planned_at);
  }
  if (entry.ask == Ask::kWatch) {
    const AsOf then(*this, {.now = desk.planned_at});
    materialise(entry);
  }
  Transaction& transaction = *entry.transaction;
  const bool own = entry.ask == Ask::kOwn;
  const CoreId owner = owner_of(desk);
  const SimTime leaves = give_up(owner, desk, own, after_look(owner, line));
  supply_from(owner, transaction);
  const Duration hop =
      present() - desk.planned_at - desk.place->look_up;  // the way there, and back
  desk.free_at = leaves + hop;
  grant(desk, transaction);
  if (own) {
    desk.owner = static_cast<std::int32_t>(entry.child);
  } else {
    share_owned(desk, entry.child);
  }
  send_to_core(transaction, leaves + legs_.direct(owner, transaction.core));
  if (!desk.queue_empty()) plan(desk, std::max(desk.free_at, desk.queue[desk.head].arrival));
}

/// Whether what the job's last answer brings about is certain before it comes: the line is out of
/// everybody's hands, and the desk does nothing else until then. Not so for what waits for the
/// keeper above, and for an atomic, which reads the line only then.
bool Coherence::is_certain(const Job& job) const {
  return batching_ && &job == &job.desk->turn && !job.above && job.entry.ask != Ask::kFar;
}

void Coherence::answered_ahead(Job& job, SimTime when) {
  Desk& desk = *job.desk;
  const AsOf then(*this, {.now = when});
  desk.free_at = std::max(desk.free_at, when);
  job.pending = 0;
  answers_complete(job);
}

/// Where nothing but one operation can use the line when it comes, that operation is performed now
/// with the times of then, which saves the event. No value can change in between: who wants to
/// write must first have this core's answer, which a snoop gets after the operation (after_look).
bool Coherence::fill_ahead(Transaction& transaction, SimTime when) {
  Port* const port = transaction.first.port;
  if (!batching_ || port == nullptr || transaction.first.store_buffer) return false;
  Core& core = cores_[transaction.core.value];
  if (core.inhabited_ports != 1 || transaction.deferred != nullptr || !transaction.joined.empty()) {
    return false;
  }
  if (!port->needs_only_line(transaction.exclusive)) return false;
  core.copy_ready = std::max(core.copy_ready, when);
  take_in(transaction, when);
  port->filled_ahead(transaction, when);
  release(transaction);
  return true;
}

/// A snoop to an agent below which every thread spins on this line: until the snoop arrives
/// nobody there can ask for it, and after that the answer and the first new read are certain too.
bool Coherence::snoop_ahead(Snoop& snoop, SimTime arrives) {
  if (!only_watchers(*snoop.desk)) return false;
  const AsOf then(*this, {.desk = snoop.desk, .now = arrives});
  snoop_at_agent(snoop);
  return true;
}

bool Coherence::only_watchers(const Desk& agent) {
  const bool idle = agent.owner < 0 && agent.queue_empty() && !agent.planned &&
                    !agent.turn.active && !agent.answers_urgent_snoop();
  if (!batching_ || confirms_ || !agent.place->over_cores || !idle) return false;
  std::uint32_t watchers = 0;
  agent.sharers.for_each([&](std::uint32_t child) {
    if (sole_watcher(CoreId{agent.place->first_child + child}, *agent.line) != nullptr) ++watchers;
  });
  return watchers == inhabited_below_[agent.keeper];
}

/// Data to an agent below which every thread waits for it, and will see that it must go on
/// waiting. Reads that have arrived before the next snoop can are served from it at once.
bool Coherence::data_ahead(Desk& agent, Transaction& transaction, SimTime arrives) {
  if (!all_in_vain(agent, transaction)) return false;
  const SimTime next_snoop =
      now() + agent.parent->place->look_up + legs_.down(agent.keeper, agent.line->home);
  const AsOf then(*this, {.desk = &agent, .now = arrives, .until = next_snoop});
  agent.free_at = std::max(agent.free_at, arrives);
  data_at_keeper(transaction);
  return true;
}

bool Coherence::all_in_vain(const Desk& agent, const Transaction& first) const {
  const bool read = first.ask == Ask::kRead && !first.exclusive && first.joined.empty() &&
                    first.first.port != nullptr && spins_in_vain(*first.first.port);
  const std::size_t waiting = agent.queue.size() - agent.head + 1;
  if (!batching_ || confirms_ || !read || !agent.place->over_cores ||
      waiting != inhabited_below_[agent.keeper] || agent.turn.pending != 0 ||
      agent.answers_urgent_snoop()) {
    return false;
  }
  return std::all_of(agent.queue.begin() + static_cast<std::ptrdiff_t>(agent.head),
                     agent.queue.end(), [this](const Entry& entry) {
                       return entry.ask == Ask::kWatch && spins_in_vain(*entry.watcher);
                     });
}

/// Whether a look at the word as it is now would not end the spin loop.
bool Coherence::spins_in_vain(const Port& port) const {
  const Word word = port.access_.word;
  return port.access_.op == Op::kSpin && !port.spin_.interrupted &&
         !port.spin_.condition.holds(read(line(word.line), word));
}

}  // namespace hotline::machine
