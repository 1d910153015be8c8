#include "sim/machine/port.hpp"

#include <algorithm>

#include "sim/machine/coherence.hpp"

namespace hotline::machine {

Port::Port(Coherence& coherence, CpuId cpu, CoreId core, NodeId node)
    : coherence_(coherence),
      costs_(coherence.costs(core)),
      idle_spins_(coherence.idle_spins(core)),
      cpu_(cpu),
      core_(core),
      node_(node) {
  retry_.fire = [](engine::Event* event) { static_cast<Retry*>(event)->port->retry(); };
  retry_.port = this;
  drain_.fire = [](engine::Event* event) { static_cast<Retry*>(event)->port->drain_if_due(); };
  drain_.port = this;
}

bool Port::shares_core() const {
  return coherence_.computing(core_) > (computing_ != nullptr ? 1U : 0U);
}

Duration Port::stretched(Duration length, bool shared) const {
  return shared ? length * coherence_.smt_permille() / 1000 : length;
}

Duration Port::unstretched(Duration length, bool shared) const {
  return shared ? length * 1000 / coherence_.smt_permille() : length;
}

void Port::begin_computing(Paced& computing) {
  coherence_.change_computing(core_, true);
  computing_ = &computing;
}

void Port::end_computing() {
  computing_ = nullptr;
  coherence_.change_computing(core_, false);
}

/// Whether a posted add of this thread to the line has not been executed yet: its later operations
/// on the line must come after it.
bool Port::has_far_add(LineId line) const {
  return std::find(far_in_flight_.begin(), far_in_flight_.end(), line) != far_in_flight_.end();
}

void Port::set_busy(bool busy) {
  if (busy == busy_) return;
  set_inhabited();
  busy_ = busy;
  coherence_.set_busy(core_, busy);
}

void Port::set_inhabited() {
  if (inhabited_) return;
  inhabited_ = true;
  coherence_.inhabit(*this);
}

void Port::start(const Access& access, std::coroutine_handle<> waiting) {
  access_ = access;
  waiting_ = waiting;
  began_ = coherence_.present();
  missed_ = false;
  hit_time_ = costs().of(access.op);
  coherence_.threads_run();
  if (drain_due_) drain_if_due();
  run();
}

void Port::run() {
  wait_ = Wait::kNothing;
  if (is_locked(access_.op)) {
    run_locked();
    return;
  }
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
    default:
      run_prefetch();
      return;
  }
}

void Port::run_prefetch() {
  coherence_.prefetch(core_, coherence_.line(access_.word.line), access_.op == Op::kPrefetchWrite);
  complete(coherence_.present() + costs().store());
}

void Port::run_load() {
  Line& line = coherence_.line(access_.word.line);
  switch (stores_.find(access_.word, result_)) {
    case StoreBuffer::Match::kForward:
      complete(coherence_.present() + costs().load());
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
  complete(coherence_.present() + costs().load());
}

void Port::run_store() {
  Line& line = coherence_.line(access_.word.line);
  if (coherence_.description().consistency == Consistency::kSc) {
    if (coherence_.has_exclusive(core_, line)) {
      perform(line, coherence_.present());
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
  stored_until_ = coherence_.present() + costs().store();
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
  if (!stores_.empty() || !far_in_flight_.empty()) {
    run_locked_elsewhere(line);
    return;
  }
  if (coherence_.has_exclusive(core_, line)) {
    perform(line, coherence_.present());
  } else if (coherence_.locks_by_ownership()) {
    miss(line, true);  // a compare that will fail takes ownership all the same (P6)
  } else {
    run_locked_elsewhere(line);
  }
}

/// A locked operation on a line that is not at hand, or that must wait for earlier operations.
void Port::run_locked_elsewhere(Line& line) {
  const bool owns = coherence_.has_exclusive(core_, line);
  if (!owns && coherence_.posts(access_.op)) {
    if (!has_room()) {
      wait_for(Wait::kRoom);
      return;
    }
    hit_time_ = costs().store();
    stores_.push({.word = access_.word, .far_add = true, .value = access_.operand});
    drain();
    complete(coherence_.present() + costs().store());
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
    perform(line, coherence_.present());
    return;
  }
  if (coherence_.executes_far(access_.op)) {
    missed_ = true;
    wait_ = Wait::kLine;
    Access waited_for = access_;
    if (access_.op == Op::kAdd) waited_for.op = Op::kFetchAdd;
    coherence_.request_far(*this, waited_for);
    return;
  }
  if (coherence_.description().atomics == Atomics::kOwnership) {
    miss(line, true);
    return;
  }
  // Load-linked first; a failing compare ends there.
  if (!coherence_.has_copy(core_, line)) {
    miss(line, false);
    return;
  }
  result_ = Coherence::read(line, access_.word);
  if (access_.op == Op::kCompareExchange && result_ != access_.expected) {
    complete(coherence_.present() + costs().load());
    return;
  }
  miss(line, true);
}

void Port::run_fence() {
  if (!stores_.empty() || !far_in_flight_.empty()) {
    wait_for(Wait::kEmptyBuffer);
    return;
  }
  complete(std::max(coherence_.present(), committed_until_) + costs().of(Op::kFence));
}

/// A locked operation, or a store of a machine without store buffers, on a line that this core owns
/// at the time `from`.
void Port::perform(Line& line, SimTime from) {
  const SimTime begins = std::max(std::max(from, line.busy_until), committed_until_);
  result_ = Coherence::read(line, access_.word);
  const Value written = written_value(access_, result_);
  if (written != result_) Coherence::write(line, access_.word, written);
  line.dirty = true;
  line.busy_until = begins + costs().of(access_.op);
  if (idle_spins_ != 0) coherence_.tell_siblings(*this, line);
  complete(line.busy_until);
}

void Port::miss(Line& line, bool own) {
  missed_ = true;
  source_ = {};
  wait_ = Wait::kLine;
  coherence_.request(*this, line, own, false);
}

void Port::wait_for(Wait what) {
  missed_ = true;
  source_ = {};
  wait_ = what;
}

void Port::retry_at(SimTime when) {
  coherence_.go_on_at(*this, when, engine::as_continuation(retry_));
}

void Port::complete(SimTime when) {
  ++coherence_.counts().operations;
  if (missed_ || coherence_.probe() != nullptr) {
    complete_noted(when);
  } else {
    coherence_.go_on_at(*this, when, waiting_);
  }
}

/// An operation that somebody wants to know more of.
void Port::complete_noted(SimTime when) {
  if (missed_) book_miss(when);
  if (Probe* probe = coherence_.probe()) {
    probe->performed(cpu_, access_, result_, missed_, when);
  }
  coherence_.go_on_at(*this, when, waiting_);
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
  if (Probe* probe = coherence_.probe()) probe->missed(cpu_, access_, source_, stalled, when);
  if (departed_ >= began_) counts.miss_time += when - departed_;
}

/// The line that the operation waits for has come.
void Port::filled(const Transaction& transaction) {
  departed_ = transaction.departed;
  source_ = transaction.source;
  run();
}

/// The line will come at `when`, and nothing else can use it before: performs the operation as of
/// then.
void Port::filled_ahead(const Transaction& transaction, SimTime when) {
  Line& line = *transaction.line;
  departed_ = transaction.departed;
  source_ = transaction.source;
  if (access_.op == Op::kSpin) {
    look(when);
    return;
  }
  wait_ = Wait::kNothing;
  copy_ready_ = when;
  if (access_.op == Op::kLoad) {
    result_ = Coherence::read(line, access_.word);
    complete(when + costs().load());
  } else {
    perform(line, when);
  }
}

/// The line that the store buffer waits for has come.
void Port::stores_filled(Line& line) {
  draining_ = false;
  drain_arrived(line);
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
  complete(coherence_.present());
}

}  // namespace hotline::machine
