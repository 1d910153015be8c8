#include "sim/measure/steps.hpp"

#include <algorithm>

#include "sim/machine/topology.hpp"

namespace hotline::measure {

using engine::SimTime;
using machine::CoreId;
using machine::CpuId;
using machine::LineId;
using machine::Op;
using machine::Request;
using Kind = Step::Kind;

namespace {

Step make_step(Kind kind, SimTime at, CoreId core, LineId line = {}) {
  Step step;
  step.kind = kind;
  step.at = at;
  step.core = core;
  step.line = line;
  return step;
}

bool is_exclusive(char state) { return state == 'M' || state == 'E'; }

bool writes(const machine::Access& access, machine::Value result) {
  return machine::is_locked(access.op) && machine::written_value(access, result) != result;
}

}  // namespace

CoreId StepRecorder::core_of(workload::ThreadId thread) const {
  return run_->topology().core_of(run_->thread(thread).cpu());
}

void StepRecorder::keep(Step step) {
  if (step.at < from_ || step.at > to_) return;
  if (steps_.size() == most_) {
    overflowed_ = true;
    return;
  }
  steps_.push_back(std::move(step));
}

char& StepRecorder::state_of(LineId line, CoreId core) {
  return states_.try_emplace({line, core}, 'I').first->second;
}

void StepRecorder::set_state(Step& step, char state) {
  char& now = state_of(step.line, step.core);
  step.before = now;
  step.after = state;
  now = state;
}

void StepRecorder::asked(LineId line, CoreId core, Request what, SimTime at, SimTime departs) {
  Journey& journey = under_way_[{line, core}];
  journey = {};
  journey.what = what;
  journey.asked = at;
  journey.departed = departs;
  Step step = make_step(Kind::kAsked, at, core, line);
  step.journey = journey;
  set_state(step, state_of(line, core));
  keep(std::move(step));
}

void StepRecorder::taken_up(LineId line, CoreId core, std::uint32_t keeper, SimTime arrived,
                            SimTime at) {
  const auto found = under_way_.find({line, core});
  if (found == under_way_.end()) return;
  Journey& journey = found->second;
  Journey::Visit visit{keeper, arrived, at, {}};
  const auto [last, is_first] = served_last_.try_emplace({line, keeper}, core);
  if (!is_first && at > arrived && last->second != core) visit.behind = last->second;
  last->second = core;
  journey.visits.push_back(visit);
  if (journey.what == Request::kOwnership) owner_to_be_[line] = core;
  Step step = make_step(Kind::kTakenUp, at, core, line);
  step.journey = journey;
  keep(std::move(step));
}

void StepRecorder::filled(LineId line, CoreId core, bool exclusive, SimTime at) {
  Step step = make_step(Kind::kFilled, at, core, line);
  if (const auto found = under_way_.find({line, core}); found != under_way_.end()) {
    step.journey = std::move(found->second);
    under_way_.erase(found);
  }
  step.journey.filled = at;
  const bool own = step.journey.what == Request::kOwnership;
  set_state(step, !exclusive ? 'S' : own ? 'M' : 'E');
  keep(std::move(step));
}

/// The data comes from a core's cache only if that core has the line; else from that of its socket.
void StepRecorder::transferred(LineId line, CoreId from, CoreId to, bool exclusive, SimTime at) {
  const auto found = under_way_.find({line, to});
  const bool just_gone = !steps_.empty() && steps_.back().kind == Kind::kGaveUp &&
                         steps_.back().core == from && steps_.back().line == line;
  const char state = state_of(line, from);
  const bool has_it = state != 'I';
  if (found != under_way_.end() && (has_it || exclusive)) {
    found->second.supplier = from;
    found->second.supplied = when_free(line, from, at);
  }
  if (exclusive) {
    if (just_gone) steps_.back().other = to;
    return;
  }
  if (!is_exclusive(state)) return;
  Step step = make_step(Kind::kShared, when_free(line, from, at), from, line);
  step.other = to;
  const bool stays_dirty =
      run_->topology().description().protocol == machine::Protocol::kMoesi && state == 'M';
  set_state(step, stays_dirty ? 'O' : 'S');
  keep(std::move(step));
}

void StepRecorder::invalidated(LineId line, CoreId core, SimTime at) {
  Step step = make_step(Kind::kGaveUp, when_free(line, core, at), core, line);
  const auto next = owner_to_be_.find(line);
  if (next != owner_to_be_.end() && next->second != core) step.other = next->second;
  set_state(step, 'I');
  keep(std::move(step));
}

void StepRecorder::performed(CpuId cpu, const machine::Access& access, machine::Value result, bool,
                             SimTime at) {
  if (access.op == Op::kPrefetchRead || access.op == Op::kPrefetchWrite) return;
  Step step = make_step(Kind::kPerformed, at, run_->topology().core_of(cpu), access.word.line);
  step.access = access;
  step.result = result;
  if (access.op != Op::kFence) {
    busy_until_[{step.line, step.core}] = at;
    char state = state_of(step.line, step.core);
    if (writes(access, result) && state == 'E') state = 'M';
    set_state(step, state);
  }
  keep(std::move(step));
}

void StepRecorder::committed(CpuId cpu, machine::Word word, machine::Value value, SimTime at) {
  Step step = make_step(Kind::kCommitted, at, run_->topology().core_of(cpu), word.line);
  step.access.word = word;
  step.access.op = Op::kStore;
  step.access.operand = value;
  busy_until_[{step.line, step.core}] = at;
  set_state(step, 'M');
  keep(std::move(step));
}

/// A copy that is snooped while an operation uses it goes when that is done.
SimTime StepRecorder::when_free(LineId line, CoreId core, SimTime at) const {
  const auto busy = busy_until_.find({line, core});
  return busy == busy_until_.end() ? at : std::max(at, busy->second);
}

void StepRecorder::acquire_began(workload::ThreadId thread, workload::LockId lock,
                                 workload::CallSiteId, SimTime at) {
  const auto holder = holders_.find(lock);
  if (holder == holders_.end()) return;  // free
  Step step = make_step(Kind::kWants, at, core_of(thread));
  step.other = holder->second;
  step.lock = lock;
  keep(std::move(step));
}

void StepRecorder::acquired(workload::ThreadId thread, workload::LockId lock, workload::CallSiteId,
                            bool, SimTime at) {
  const CoreId core = core_of(thread);
  holders_[lock] = core;
  Step step = make_step(Kind::kHolds, at, core);
  step.lock = lock;
  keep(std::move(step));
}

void StepRecorder::release_began(workload::ThreadId thread, workload::LockId lock, SimTime at) {
  const CoreId core = core_of(thread);
  const auto holder = holders_.find(lock);
  if (holder != holders_.end() && holder->second == core) holders_.erase(holder);
  Step step = make_step(Kind::kReleases, at, core);
  step.lock = lock;
  keep(std::move(step));
}

std::vector<Step> StepRecorder::take() {
  // A store that finds its line at hand enters and leaves the store buffer at the same time.
  const auto order = [](const Step& step) {
    return std::pair(step.at, step.kind == Kind::kCommitted);
  };
  std::stable_sort(steps_.begin(), steps_.end(),
                   [&](const Step& a, const Step& b) { return order(a) < order(b); });
  return std::move(steps_);
}

}  // namespace hotline::measure
