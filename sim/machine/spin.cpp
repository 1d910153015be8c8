#include <algorithm>

#include "sim/machine/coherence.hpp"
#include "sim/machine/port.hpp"

/// A port's spin loop: it looks, idles while its copy stays, and looks again.
namespace hotline::machine {

void Port::spin(Word word, Condition condition, Duration poll, std::coroutine_handle<> waiting) {
  spin_.condition = condition;
  spin_.poll = poll;
  spin_.interrupted = false;
  start({.op = Op::kSpin, .word = word}, waiting);
}

void Port::interrupt_spin(std::coroutine_handle<> then) {
  waiting_ = then;
  spin_.interrupted = true;
  if (!spin_.idle) return;
  end_idling();
  coherence_.simulator().resume_at(std::max(coherence_.present(), spin_.last_look), waiting_);
}

void Port::run_spin() {
  Line& line = coherence_.line(access_.word.line);
  switch (stores_.find(access_.word, result_)) {
    case StoreBuffer::Match::kForward:
      if (spin_.condition.holds(result_)) {
        complete(coherence_.present() + costs().load());
        return;
      }
      [[fallthrough]];
    case StoreBuffer::Match::kPartial:
      wait_for(Wait::kEmptyBuffer);
      return;
    case StoreBuffer::Match::kNone:
      break;
  }
  if (adds_far_to(line.id)) {
    wait_for(Wait::kFarReply);
    return;
  }
  if (coherence_.has_exclusive(core_, line) || coherence_.has_copy(core_, line)) {
    look(coherence_.present());
  } else {
    miss(line, false);
  }
}

/// The spin loop's load on a copy that is there at `ready`.
void Port::look(SimTime ready) {
  const SimTime done = ready + costs().load();
  wait_ = Wait::kNothing;
  copy_ready_ = ready;
  spin_.last_look = done;
  result_ = Coherence::read(coherence_.line(access_.word.line), access_.word);
  if (spin_.condition.holds(result_) || spin_.interrupted) {
    complete(missed_ ? done + costs().spin_exit : done);
  } else {
    begin_idling();
  }
}

/// The spin loop has looked in vain: until its copy goes, another look would see the same.
void Port::begin_idling() {
  spin_.idle = true;
  ++idle_spins_;
}

void Port::end_idling() {
  spin_.idle = false;
  --idle_spins_;
}

SimTime Port::next_look(SimTime not_before) const {
  if (spin_.poll == Duration{}) return std::max(not_before, spin_.last_look);
  if (not_before <= spin_.last_look) return spin_.last_look + spin_.poll;
  const std::uint64_t waited = (not_before - spin_.last_look).ps();
  const std::uint64_t polls = (waited + spin_.poll.ps() - 1) / spin_.poll.ps();
  return spin_.last_look + spin_.poll * polls;
}

bool Port::watches(const Line& line) const {
  return spin_.idle && access_.op == Op::kSpin && access_.word.line == line.id;
}

void Port::copy_lost(const Line& line, SimTime when) {
  if (!watches(line)) return;
  end_idling();
  missed_ = true;
  retry_at(next_look(when));
}

void Port::written_by_sibling(const Line& line) {
  if (!watches(line)) return;
  end_idling();
  missed_ = true;
  retry_at(next_look(coherence_.present()));
}

}  // namespace hotline::machine
