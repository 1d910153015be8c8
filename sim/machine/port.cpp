#include "sim/machine/port.hpp"

#include <algorithm>

#include "sim/machine/coherence.hpp"

namespace hotline::machine {

Port::Port(Coherence& coherence, CpuId cpu, CoreId core, NodeId node)
    : coherence_(coherence), cpu_(cpu), core_(core), node_(node) {
  retry_.fire = [](engine::Event* event) {
    Port& port = *static_cast<Retry*>(event)->port;
    port.drain_if_due();
    port.run();
  };
  retry_.port = this;
  drain_.fire = [](engine::Event* event) { static_cast<Retry*>(event)->port->drain_if_due(); };
  drain_.port = this;
}

const Costs& Port::costs() const { return coherence_.costs(core_); }

bool Port::is_far(Op op) const {
  const FarAtomics& far = coherence_.description().far;
  switch (op) {
    case Op::kAdd:
      return far.add;
    case Op::kFetchAdd:
    case Op::kFetchAnd:
    case Op::kFetchOr:
      return far.fetch_add;
    case Op::kExchange:
      return far.exchange;
    case Op::kCompareExchange:
      return far.compare_exchange;
    default:
      return false;
  }
}

Duration Port::stretched(Duration length) const {
  if (!coherence_.siblings_busy(core_)) return length;
  return length * coherence_.smt_permille() / 1000;
}

Duration Port::unstretched(Duration length) const {
  if (!coherence_.siblings_busy(core_)) return length;
  return length * 1000 / coherence_.smt_permille();
}

/// A far add whose result nobody waits for: it retires like a store.
bool Port::is_posted(Op op) const {
  const Description& machine = coherence_.description();
  return op == Op::kAdd && machine.far.add && machine.consistency == Consistency::kTso;
}

/// Whether a posted add of this thread to the line has not been executed yet: its later operations
/// on the line must come after it.
bool Port::has_far_add(LineId line) const {
  return std::find(far_in_flight_.begin(), far_in_flight_.end(), line) != far_in_flight_.end();
}

void Port::set_busy(bool busy) {
  if (busy == busy_) return;
  busy_ = busy;
  coherence_.set_busy(core_, busy);
}

void Port::start(const Access& access, std::coroutine_handle<> waiting) {
  access_ = access;
  waiting_ = waiting;
  began_ = coherence_.now();
  missed_ = false;
  hit_time_ = costs().of(access.op);
  drain_if_due();
  if (!perform_owned()) run();
}

/// The common case, without the way through run(): a locked operation on a line this core owns.
bool Port::perform_owned() {
  if (!is_locked(access_.op) || !stores_.empty() || !far_in_flight_.empty()) return false;
  Line& line = coherence_.line(access_.word.line);
  if (!coherence_.has_exclusive(core_, line)) return false;
  perform(line);
  return true;
}

void Port::spin(Word word, Condition condition, Duration poll, std::coroutine_handle<> waiting) {
  spin_.condition = condition;
  spin_.poll = poll;
  spin_.idle = false;
  spin_.interrupted = false;
  start({.op = Op::kSpin, .word = word}, waiting);
}

void Port::interrupt_spin(std::coroutine_handle<> then) {
  waiting_ = then;
  spin_.interrupted = true;
  if (!spin_.idle) return;
  spin_.idle = false;
  const SimTime now = coherence_.now();
  coherence_.simulator().resume_after(std::max(now, spin_.last_look) - now, waiting_);
}

void Port::run() {
  wait_ = Wait::kNothing;
  switch (access_.op) {
    case Op::kLoad:
      run_load();
      return;
    case Op::kStore:
      run_store();
      return;
    case Op::kFence:
      run_fence();
      return;
    case Op::kSpin:
      run_spin();
      return;
    case Op::kPrefetchRead:
    case Op::kPrefetchWrite:
      coherence_.prefetch(core_, coherence_.line(access_.word.line),
                          access_.op == Op::kPrefetchWrite);
      complete(coherence_.now() + costs().store());
      return;
    default:
      run_locked();
      return;
  }
}

void Port::run_load() {
  Line& line = coherence_.line(access_.word.line);
  switch (stores_.find(access_.word, result_)) {
    case StoreBuffer::Match::kForward:
      complete(coherence_.now() + costs().load());
      return;
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
    result_ = Coherence::read(line, access_.word);
  } else if (began_ == stored_until_ && access_.word == stored_.word) {
    // A core executes a load before the store ahead of it has left the buffer, so a line that was
    // lost during that store is not missed: without this racy increments would lose too few (P7).
    result_ = Coherence::truncated(stored_.value, access_.word);
  } else {
    miss(line, false);
    return;
  }
  complete(coherence_.now() + costs().load());
}

void Port::run_store() {
  Line& line = coherence_.line(access_.word.line);
  if (coherence_.description().consistency == Consistency::kSc) {
    if (coherence_.has_exclusive(core_, line)) {
      perform(line);
    } else {
      miss(line, true);
    }
    return;
  }
  if (!has_room()) {
    wait_for(Wait::kRoom);
    return;
  }
  stored_ = {.word = access_.word, .value = access_.operand};
  stored_until_ = coherence_.now() + costs().store();
  stores_.push(stored_);
  result_ = 0;
  drain();
  const bool waits = !stores_.empty() && !adds_far_to(line.id);
  if (waits && coherence_.description().core.store_prefetch) {
    coherence_.prefetch(core_, line, true);
  }
  complete(stored_until_);
}

void Port::run_locked() {
  Line& line = coherence_.line(access_.word.line);
  const bool owns = coherence_.has_exclusive(core_, line);
  if (!owns && is_posted(access_.op)) {
    if (!has_room()) {
      wait_for(Wait::kRoom);
      return;
    }
    hit_time_ = costs().store();
    stores_.push({.word = access_.word, .far_add = true, .value = access_.operand});
    drain();
    complete(coherence_.now() + costs().store());
    return;
  }
  if (!stores_.empty()) {
    wait_for(Wait::kEmptyBuffer);
    return;
  }
  if (adds_far_to(line.id)) {
    wait_for(Wait::kFarReply);
    return;
  }
  if (owns) {
    perform(line);
    return;
  }
  if (is_far(access_.op)) {
    missed_ = true;
    wait_ = Wait::kLine;
    Access waited_for = access_;
    if (access_.op == Op::kAdd) waited_for.op = Op::kFetchAdd;
    coherence_.request_far(*this, waited_for);
    return;
  }
  if (coherence_.description().atomics == Atomics::kOwnership) {
    miss(line, true);  // a compare that will fail takes ownership all the same (P6)
    return;
  }
  // Load-linked first; a failing compare ends there.
  if (!coherence_.has_copy(core_, line)) {
    miss(line, false);
    return;
  }
  result_ = Coherence::read(line, access_.word);
  if (access_.op == Op::kCompareExchange && result_ != access_.expected) {
    complete(coherence_.now() + costs().load());
    return;
  }
  miss(line, true);
}

void Port::run_fence() {
  if (!stores_.empty() || !far_in_flight_.empty()) {
    wait_for(Wait::kEmptyBuffer);
    return;
  }
  complete(std::max(coherence_.now(), committed_until_) + costs().of(Op::kFence));
}

void Port::run_spin() {
  Line& line = coherence_.line(access_.word.line);
  switch (stores_.find(access_.word, result_)) {
    case StoreBuffer::Match::kForward:
      if (spin_.condition.holds(result_)) {
        complete(coherence_.now() + costs().load());
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
    look(coherence_.now());
  } else {
    miss(line, false);
  }
}

/// The spin loop's load on a copy that is there at `ready`.
void Port::look(SimTime ready) {
  const SimTime done = ready + costs().load();
  wait_ = Wait::kNothing;
  spin_.copy_ready = ready;
  spin_.last_look = done;
  result_ = Coherence::read(coherence_.line(access_.word.line), access_.word);
  spin_.idle = !spin_.condition.holds(result_) && !spin_.interrupted;
  if (spin_.idle) return;
  complete(missed_ ? done + costs().spin_exit : done);
}

SimTime Port::next_look(SimTime not_before) const {
  if (spin_.poll == Duration{}) return std::max(not_before, spin_.last_look);
  if (not_before <= spin_.last_look) return spin_.last_look + spin_.poll;
  const std::uint64_t waited = (not_before - spin_.last_look).ps();
  const std::uint64_t polls = (waited + spin_.poll.ps() - 1) / spin_.poll.ps();
  return spin_.last_look + spin_.poll * polls;
}

/// A locked operation, or a store of a machine without store buffers, on a line this core owns.
void Port::perform(Line& line) {
  const SimTime begins = std::max({coherence_.now(), line.busy_until, committed_until_});
  result_ = Coherence::read(line, access_.word);
  const Value written = written_value(access_, result_);
  if (written != result_) Coherence::write(line, access_.word, written);
  line.dirty = true;
  line.busy_until = begins + costs().of(access_.op);
  coherence_.written(*this, line);
  complete(line.busy_until);
}

void Port::miss(Line& line, bool own) {
  missed_ = true;
  wait_ = Wait::kLine;
  coherence_.request(*this, line, own, false);
}

void Port::wait_for(Wait what) {
  missed_ = true;
  wait_ = what;
}

void Port::retry_at(SimTime when) {
  coherence_.simulator().schedule_at(when, retry_, engine::Phase::kThread);
}

void Port::complete(SimTime when) {
  ++coherence_.counts().operations;
  if (missed_) book_miss(when);
  if (Probe* probe = coherence_.probe()) {
    probe->performed(cpu_, access_, result_, missed_, when);
  }
  coherence_.simulator().resume_after(when - coherence_.now(), waiting_);
}

void Port::book_miss(SimTime when) {
  Counts& counts = coherence_.counts();
  ++counts.misses;
  if (access_.op == Op::kFence) return;
  LineStatistics& statistics = coherence_.statistics(coherence_.line(access_.word.line));
  WordStatistics& word = statistics.words[access_.word.offset / 8U];
  const Duration elapsed = when - began_;
  const Duration stalled = elapsed - std::min(elapsed, hit_time_);
  const bool reads = access_.op == Op::kLoad || access_.op == Op::kSpin;
  ++(reads ? word.reads : word.writes);
  word.stalled += stalled;
  statistics.stalled += stalled;
  if (departed_ >= began_) counts.miss_time += when - departed_;
}

void Port::filled(const Transaction& transaction, std::size_t waiter) {
  if (transaction.waiters[waiter].store_buffer) {
    draining_ = false;
    drain_arrived(*transaction.line);
    return;
  }
  departed_ = transaction.departed;
  wait_ = Wait::kNothing;
  if (!perform_owned()) run();
}

void Port::far_done(const Transaction& transaction) {
  if (transaction.far_access.op == Op::kAdd) {
    const LineId line = transaction.far_access.word.line;
    far_in_flight_.erase(std::find(far_in_flight_.begin(), far_in_flight_.end(), line));
    if (draining_) {
      wake_after_drain();
    } else {
      go_on_draining();
    }
    return;
  }
  departed_ = transaction.departed;
  wait_ = Wait::kNothing;
  result_ = transaction.far_result;
  complete(coherence_.now());
}

bool Port::watches(const Line& line) const {
  return spin_.idle && access_.op == Op::kSpin && access_.word.line == line.id;
}

void Port::copy_lost(const Line& line, SimTime when) {
  if (!watches(line)) return;
  spin_.idle = false;
  missed_ = true;
  retry_at(next_look(when));
}

void Port::written_by_sibling(const Line& line) {
  if (!watches(line)) return;
  spin_.idle = false;
  missed_ = true;
  retry_at(next_look(coherence_.now()));
}

}  // namespace hotline::machine
