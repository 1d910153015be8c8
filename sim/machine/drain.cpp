#include <algorithm>
#include <utility>

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

/// Performs the stores to a line with its arrival, and with them a locked operation on the line
/// that waited behind them: a snoop that has overtaken the line comes after it.
void Port::drain_arrived(Line& line) {
  while (!stores_.empty() && stores_.front().word.line == line.id &&
         coherence_.has_exclusive(core_, line) &&
         (stores_.front().far_add || !adds_far_to(line.id))) {
    commit(line);
  }
  const bool next = wait_ == Wait::kEmptyBuffer && is_near() && !has_unseen_writes() &&
                    access_.word.line == line.id && coherence_.has_exclusive(core_, line);
  if (next) {
    wait_ = Wait::kNothing;
    perform(line, coherence_.present());
  } else {
    go_on_draining();
  }
}

/// Goes on after something has arrived. A snoop that arrives at the same moment for another line
/// comes first, in whatever order the two are fired, and so does the other line, if that arrives at
/// the same moment; so what concerns a line at hand, or coming now, is left to the thread's phase.
void Port::go_on_draining() {
  if (stores_.empty()) {
    wake_after_drain();
    return;
  }
  const StoreBuffer::Entry& head = stores_.front();
  const Line& line = coherence_.line(head.word.line);
  if (!head.far_add && !coherence_.has_exclusive(core_, line) &&
      !coherence_.has_copy(core_, line) && !coherence_.is_coming(core_, line)) {
    drain();
    return;
  }
  draining_ = true;
  drain_due_ = true;
  coherence_.go_on_at(*this, coherence_.present(), engine::as_continuation(drain_));
  wake_after_drain();
}

/// Goes on with what go_on_draining() left; before the thread's next operation, if that begins now.
void Port::drain_if_due() {
  coherence_.threads_run();
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

/// Whether the operation's line is at hand, or may come at this very moment.
bool Port::may_have_line() const {
  const Line& line = coherence_.line(access_.word.line);
  return coherence_.has_exclusive(core_, line) || coherence_.asks_for(core_, line);
}

/// A locked operation that is performed in the core, in one: not far, not as a load-linked and a
/// store-conditional.
bool Port::is_near() const {
  return is_locked(access_.op) && !coherence_.executes_far(access_.op) &&
         coherence_.description().atomics == Atomics::kOwnership;
}

void Port::wake_after_drain() {
  const bool room = wait_ == Wait::kRoom && has_room();
  const bool empty = wait_ == Wait::kEmptyBuffer && stores_.empty() &&
                     (far_in_flight_.empty() || access_.op != Op::kFence);
  const bool replied = wait_ == Wait::kFarReply && !adds_far_to(access_.word.line);
  if (!room && !empty && !replied) return;
  wait_ = Wait::kNothing;
  const SimTime written = std::max(coherence_.present(), committed_until_);
  // A locked operation on a line at hand comes next, before a snoop can take it. Whether the line
  // is at hand shows in the thread's phase, when all messages of this moment have arrived.
  behind_stores_ = empty && is_near() && far_in_flight_.empty() && may_have_line();
  retry_at(behind_stores_ ? coherence_.present() : written);
}

void Port::retry() {
  drain_if_due();
  const bool early = std::exchange(behind_stores_, false) &&
                     committed_until_ > coherence_.present() &&
                     !coherence_.has_exclusive(core_, coherence_.line(access_.word.line));
  if (early) {
    retry_at(committed_until_);
  } else {
    run();
  }
}

}  // namespace hotline::machine
