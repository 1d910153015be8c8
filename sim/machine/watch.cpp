#include <algorithm>

#include "sim/machine/coherence.hpp"

/// Waiters that spin on a line cost no events while they wait, and one an agent when it changes: an
/// invalidated watcher's new read is put into the agent's queue with its future time of arrival,
/// and served from there. Every time is computed by the same rules as for a read of its own.
namespace hotline::machine {

/// The port whose spin loop is all that can happen on this core to this line, or null.
Port* Coherence::sole_watcher(CoreId core, const Line& line) {
  const Core& place = cores_[core.value];
  if (!batching_ || place.idle_spins == 0 || place.inhabited_ports != 1) return nullptr;
  Port& port = *place.inhabited;
  // Buffered stores may ask for this line too, and would then share a request with the read.
  const bool alone = port.busy() && port.watches(line) && port.stores_.empty() &&
                     outstanding(core, line) == nullptr;
  return alone ? &port : nullptr;
}

/// The invalidation reaches the watcher's core at `arrives`; returns when its answer reaches the
/// desk, and notes the watcher's next read.
SimTime Coherence::invalidate_watcher(Desk& desk, Port& port, SimTime arrives) {
  Line& line = *desk.line;
  const CoreId core = port.core();
  // A snoop that overtakes the fill waits for it and for one look.
  const SimTime effective =
      arrives < port.copy_ready_ ? after_use(core, false, port.copy_ready_) : arrives;
  desk.copies.reset(cores_[core.value].child);
  ++counts_.invalidations;
  ++statistics(line).invalidations;
  if (probe_ != nullptr) probe_->invalidated(line.id, core, effective);
  new_reads_.push_back(next_read(line, port, effective));
  return effective + costs(core).snoop + legs_.hop(core, line.slice, line.home);
}

/// The watcher has lost its copy and will ask for another.
Entry Coherence::next_read(Line& line, Port& port, SimTime lost) {
  const CoreId core = port.core();
  ++counts_.reads;
  ++statistics(line).reads;
  port.end_idling();
  port.missed_ = true;
  port.departed_ = port.next_look(lost) + costs(core).issue;
  return {.arrival = port.departed_ + legs_.hop(core, line.slice, line.home),
          .watcher = &port,
          .requester = core.value,
          .child = cores_[core.value].child,
          .ask = Ask::kWatch};
}

/// When a snoop that is here now takes effect: one that overtakes a line whose use has been
/// computed ahead waits for its arrival and that use.
SimTime Coherence::after_look(CoreId core, const Line& line) const {
  const SimTime arrives = now();
  if (cores_[core.value].copy_ready <= arrives) return arrives;
  for (std::uint32_t k = 0; k < description().threads_per_core; ++k) {
    const Port& port = *ports_[topology_.cpu_of(core, k).value];
    if (port.access_.word.line == line.id && port.copy_ready_ > arrives) {
      return after_use(core, has_exclusive(core, line), port.copy_ready_);
    }
  }
  return arrives;
}

void Coherence::merge_new_reads(Desk& desk) {
  if (new_reads_.empty()) return;
  const auto before = [this](const Entry& a, const Entry& b) { return arrives_before(a, b); };
  std::sort(new_reads_.begin(), new_reads_.end(), before);
  const auto middle = static_cast<std::ptrdiff_t>(desk.queue.size());
  desk.queue.insert(desk.queue.end(), new_reads_.begin(), new_reads_.end());
  std::inplace_merge(desk.queue.begin() + static_cast<std::ptrdiff_t>(desk.head),
                     desk.queue.begin() + middle, desk.queue.end(), before);
  new_reads_.clear();
}

/// A batched read is served: the copy will be there at `arrives`.
void Coherence::serve_watcher(Desk& desk, const Entry& entry, SimTime arrives) {
  Port& port = *entry.watcher;
  desk.copies.set(entry.child);
  SimTime& ready = cores_[port.core().value].copy_ready;
  ready = std::max(ready, arrives);
  if (probe_ != nullptr) probe_->filled(desk.line->id, port.core(), false, arrives);
  port.look(arrives);
}

/// Gives a batched read a transaction of its own.
void Coherence::materialise(Entry& entry) {
  if (entry.ask != Ask::kWatch) return;
  Port& port = *entry.watcher;
  Line& line = this->line(port.watched().line);
  Transaction& transaction = make_transaction(port.core(), line, Ask::kRead, {&port, false});
  transaction.departed = entry.arrival - legs_.hop(port.core(), line.slice, line.home);
  port.await_line();
  entry.transaction = &transaction;
  entry.ask = Ask::kRead;
}

}  // namespace hotline::machine
