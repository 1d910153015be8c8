#include <algorithm>

#include "sim/machine/coherence.hpp"
#include "sim/machine/port.hpp"

/// How a port performs the stores in its buffer (P7).
namespace hotline::machine {

bool Port::has_room() const { return stores_.size() < coherence_.description().core.store_buffer; }

/// Performs stores in order, as far as this core owns their lines, and asks for the next line.
void Port::drain() {
  while (!stores_.empty() && !draining_) {
    const StoreBuffer::Entry& head = stores_.front();
    Line& line = coherence_.line(head.word.line);
    if (!head.far_add && adds_far_to(line.id)) break;
    if (coherence_.has_exclusive(core_, line)) {
      commit(line);
    } else if (!head.far_add) {
      draining_ = true;
      coherence_.request(*this, line, true, true);
    } else if (far_in_flight_.size() < coherence_.description().core.far_outstanding) {
      far_in_flight_.push_back(line.id);
      coherence_.request_far(*this, {.op = Op::kAdd, .word = head.word, .operand = head.value});
      stores_.pop();
    } else {
      break;
    }
  }
  wake_after_drain();
}

/// Performs the stores to a line with its arrival.
void Port::drain_arrived(Line& line) {
  while (!stores_.empty() && stores_.front().word.line == line.id &&
         coherence_.has_exclusive(core_, line) &&
         (stores_.front().far_add || !adds_far_to(line.id))) {
    commit(line);
  }
  go_on_draining();
}

/// Goes on after something has arrived. A snoop that arrives at the same moment for another line
/// comes first, in whatever order the two are fired; so what concerns a line at hand is left to the
/// thread's own phase.
void Port::go_on_draining() {
  if (stores_.empty()) {
    wake_after_drain();
    return;
  }
  const StoreBuffer::Entry& head = stores_.front();
  const Line& line = coherence_.line(head.word.line);
  if (!head.far_add && !coherence_.has_exclusive(core_, line) &&
      !coherence_.has_copy(core_, line)) {
    drain();
    return;
  }
  draining_ = true;
  drain_due_ = true;
  coherence_.simulator().schedule({}, drain_, engine::Phase::kThread);
  wake_after_drain();
}

/// Goes on with what go_on_draining() left; before the thread's next operation, if that begins now.
void Port::drain_if_due() {
  if (!drain_due_) return;
  drain_due_ = false;
  draining_ = false;
  drain();
}

void Port::commit(Line& line) {
  const StoreBuffer::Entry head = stores_.front();
  stores_.pop();
  const Value before = head.far_add ? Coherence::read(line, head.word) : 0;
  Coherence::write(line, head.word, before + head.value);
  line.dirty = true;
  const SimTime begins = std::max({coherence_.present(), line.busy_until, committed_until_});
  line.busy_until = begins + (head.far_add ? costs().of(Op::kFetchAdd) : costs().store());
  committed_until_ = line.busy_until;
  if (Probe* probe = coherence_.probe()) {
    probe->committed(cpu_, head.word, before + head.value, committed_until_);
  }
  if (idle_spins_ != 0) coherence_.tell_siblings(*this, line);
}

void Port::wake_after_drain() {
  const bool room = wait_ == Wait::kRoom && has_room();
  const bool empty = wait_ == Wait::kEmptyBuffer && stores_.empty() &&
                     (far_in_flight_.empty() || access_.op != Op::kFence);
  const bool replied = wait_ == Wait::kFarReply && !adds_far_to(access_.word.line);
  if (!room && !empty && !replied) return;
  wait_ = Wait::kNothing;
  // A locked operation that waited behind the stores comes next, before a snoop can take its line;
  // a load-linked one begins with a load.
  const bool near = is_locked(access_.op) && !coherence_.executes_far(access_.op) &&
                    coherence_.description().atomics == Atomics::kOwnership;
  if (empty && near && far_in_flight_.empty()) {
    Line& line = coherence_.line(access_.word.line);
    if (coherence_.has_exclusive(core_, line)) {
      perform(line, coherence_.present());
      return;
    }
  }
  retry_at(std::max(coherence_.present(), committed_until_));
}

}  // namespace hotline::machine
