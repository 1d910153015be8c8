#include "sim/measure/timeline.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace hotline::measure {

using workload::CallSiteId;
using workload::LockId;
using workload::ThreadId;

TimelineRecorder::TimelineRecorder(TimelineWindow window) : window_(window) {
  constexpr SimTime kNever = SimTime::from_ps(std::numeric_limits<std::uint64_t>::max());
  result_.from = window.from.value_or(kNever);
  result_.to = window.from ? *window.from + window.length : kNever;
}

void TimelineRecorder::measurement_began(SimTime now) {
  if (window_.from) return;
  result_.from = now;
  result_.to = now + window_.length;
}

bool TimelineRecorder::is_over(SimTime now) {
  const std::size_t kept = result_.spans.size() + result_.levels.size() + result_.arrows.size();
  if (result_.complete && kept >= window_.most) {
    result_.complete = false;
    end(now);
  }
  return now >= result_.to;
}

void TimelineRecorder::end(SimTime now) {
  const auto close_all = [&](std::map<std::uint32_t, Open>& spans, TrackId::Kind kind) {
    while (!spans.empty()) close(spans, kind, spans.begin()->first, now);
  };
  close_all(spinning_, TrackId::Kind::kCpu);
  close_all(running_, TrackId::Kind::kCpu);
  close_all(held_, TrackId::Kind::kLock);
  close_all(lines_, TrackId::Kind::kLine);
  result_.to = std::min(result_.to, now);
}

std::string TimelineRecorder::name_of(const Open& open) const {
  const std::string core = "core " + std::to_string(open.index);
  switch (open.kind) {
    case Span::Kind::kRunning:
      return open.thread->name();
    case Span::Kind::kBlocked:
      return open.thread->name() + " has blocked";
    case Span::Kind::kSpinning:
      return "waits for " + run_->locks()[open.index].name;
    case Span::Kind::kHeld:
      return open.thread != nullptr ? open.thread->name() : std::to_string(open.index) + " readers";
    case Span::Kind::kOwned:
      return core + " owns";
    default:
      return "shared, last with " + core;
  }
}

/// Keeps the part that lies in the window.
void TimelineRecorder::keep(TrackId track, const Open& open, SimTime end) {
  const SimTime begin = std::max(open.since, result_.from);
  const SimTime until = std::min(end, result_.to);
  if (begin >= until) return;
  result_.spans.push_back({track, open.kind, begin, until, name_of(open)});
}

void TimelineRecorder::close(std::map<std::uint32_t, Open>& spans, TrackId::Kind kind,
                             std::uint32_t index, SimTime now) {
  const auto open = spans.find(index);
  if (open == spans.end()) return;
  keep({kind, index}, open->second, now);
  spans.erase(open);
}

std::uint32_t TimelineRecorder::cpu_of(ThreadId thread) const {
  return run_->thread(thread).cpu().value;
}

TrackId TimelineRecorder::track_of(ThreadId thread) const {
  return {TrackId::Kind::kCpu, cpu_of(thread)};
}

void TimelineRecorder::thread_began(ThreadId thread, SimTime now) {
  running_.try_emplace(cpu_of(thread), Open{now, Span::Kind::kRunning, 0, &run_->thread(thread)});
}

void TimelineRecorder::thread_ended(ThreadId thread, SimTime now) {
  close(running_, TrackId::Kind::kCpu, cpu_of(thread), now);
}

void TimelineRecorder::switched(machine::CpuId cpu, os::Thread* from, os::Thread* to) {
  if (from == to) return;
  const SimTime now = to != nullptr ? to->now() : from->now();
  if (is_over(now)) return;
  const auto spin = spinning_.find(cpu.value);
  if (from != nullptr && spin != spinning_.end()) {
    waits_[from->id().value] = spin->second;
    close(spinning_, TrackId::Kind::kCpu, cpu.value, now);
  }
  close(running_, TrackId::Kind::kCpu, cpu.value, now);
  if (to == nullptr) {
    if (from->state() == os::ThreadState::kBlocked) {
      running_[cpu.value] = {now, Span::Kind::kBlocked, 0, from};
    }
    return;
  }
  running_[cpu.value] = {now, Span::Kind::kRunning, 0, to};
  const auto waits = waits_.find(to->id().value);
  if (waits == waits_.end()) return;
  spinning_[cpu.value] = {now, Span::Kind::kSpinning, waits->second.index};
  waits_.erase(waits);
}

void TimelineRecorder::note_level(LockId lock, std::int32_t change, SimTime now) {
  std::uint32_t& waiting = queues_[lock.value];
  waiting += static_cast<std::uint32_t>(change);
  if (now < result_.from) return;
  result_.levels.push_back({{TrackId::Kind::kLock, lock.value}, now, waiting});
}

void TimelineRecorder::acquire_began(ThreadId thread, LockId lock, CallSiteId, SimTime now) {
  if (is_over(now)) return;
  spinning_[cpu_of(thread)] = {now, Span::Kind::kSpinning, lock.value};
  note_level(lock, 1, now);
}

void TimelineRecorder::acquired(ThreadId thread, LockId lock, CallSiteId, bool waited,
                                SimTime now) {
  if (is_over(now)) return;
  const std::uint32_t cpu = cpu_of(thread);
  if (waited) close(spinning_, TrackId::Kind::kCpu, cpu, now);
  spinning_.erase(cpu);
  waits_.erase(thread.value);
  note_level(lock, -1, now);
  const auto released = released_.find(lock.value);
  if (waited && released != released_.end()) {
    keep_arrow({TimelineArrow::Kind::kHandOver, released->second.cpu, track_of(thread),
                released->second.when, now, run_->locks()[lock.value].name});
  }
  holders_[lock.value].push_back(&run_->thread(thread));
  note_holders(lock, now);
}

void TimelineRecorder::release_began(ThreadId thread, LockId lock, SimTime now) {
  if (is_over(now)) return;
  std::vector<const os::Thread*>& holders = holders_[lock.value];
  const auto own = std::find(holders.begin(), holders.end(), &run_->thread(thread));
  if (own != holders.end()) holders.erase(own);
  released_[lock.value] = {track_of(thread), now};
  note_holders(lock, now);
}

/// Those who have the lock have changed.
void TimelineRecorder::note_holders(LockId lock, SimTime now) {
  close(held_, TrackId::Kind::kLock, lock.value, now);
  const std::vector<const os::Thread*>& holders = holders_[lock.value];
  if (holders.empty()) return;
  held_[lock.value] = {now, Span::Kind::kHeld, static_cast<std::uint32_t>(holders.size()),
                       holders.size() == 1 ? holders.front() : nullptr};
}

bool TimelineRecorder::note_line(machine::LineId line, machine::CoreId core, bool exclusive,
                                 SimTime now) {
  const auto [state, is_new] = states_.try_emplace(line.value, LineState{core, exclusive, 0});
  LineState& known = state->second;
  if (!is_new && known.core == core && known.exclusive == exclusive) return false;
  known.core = core;
  known.exclusive = exclusive;
  if (known.changes++ % window_.sample != 0) return false;
  // Some changes are told ahead of their time; those told later come after them all the same.
  const auto open = lines_.find(line.value);
  if (open != lines_.end()) now = std::max(now, open->second.since);
  close(lines_, TrackId::Kind::kLine, line.value, now);
  lines_[line.value] = {now, exclusive ? Span::Kind::kOwned : Span::Kind::kShared, core.value};
  return true;
}

void TimelineRecorder::transferred(machine::LineId line, machine::CoreId from, machine::CoreId to,
                                   bool exclusive, SimTime when) {
  if (!exclusive || from == to || is_over(when)) return;
  moving_[{line.value, to.value}] = {from, when};
}

void TimelineRecorder::filled(machine::LineId line, machine::CoreId core, bool exclusive,
                              SimTime when) {
  if (is_over(when)) return;
  if (!note_line(line, core, exclusive, when)) moving_.erase({line.value, core.value});
}

void TimelineRecorder::missed(machine::CpuId cpu, const machine::Access& access, machine::Source,
                              engine::Duration, SimTime when) {
  if (is_over(when)) return;
  const machine::CoreId core = run_->topology().core_of(cpu);
  const auto moving = moving_.find({access.word.line.value, core.value});
  if (moving == moving_.end()) return;
  const machine::CpuId giver = run_->topology().cpu_of(moving->second.from, 0);
  keep_arrow({TimelineArrow::Kind::kLineMoved,
              {TrackId::Kind::kCpu, giver.value},
              {TrackId::Kind::kCpu, cpu.value},
              moving->second.when,
              std::max(when, moving->second.when),
              run_->describe_line(access.word.line)});
  moving_.erase(moving);
}

/// Only whole arrows are kept: an arrow needs both its ends.
void TimelineRecorder::keep_arrow(TimelineArrow arrow) {
  if (arrow.left < result_.from || arrow.arrived >= result_.to) return;
  result_.arrows.push_back(std::move(arrow));
}

void TimelineRecorder::measurement_ended(SimTime now) { end(now); }

Timeline TimelineRecorder::take() {
  result_.from = std::min(result_.from, result_.to);
  // What was told ahead of its time when the window ended.
  std::erase_if(result_.spans, [&](TimelineSpan& span) {
    span.end = std::min(span.end, result_.to);
    return span.begin >= span.end;
  });
  // Outer spans before those inside them that begin at the same time.
  std::stable_sort(result_.spans.begin(), result_.spans.end(),
                   [](const TimelineSpan& a, const TimelineSpan& b) {
                     if (a.begin != b.begin) return a.begin < b.begin;
                     return a.end > b.end;
                   });
  const auto name = [&](TrackId track) -> std::string {
    switch (track.kind) {
      case TrackId::Kind::kCpu:
        return "CPU " + std::to_string(track.index);
      case TrackId::Kind::kLock:
        return run_->locks()[track.index].name;
      default:
        return run_->describe_line({track.index});
    }
  };
  for (const TimelineSpan& span : result_.spans) {
    result_.tracks.try_emplace(span.track, name(span.track));
  }
  for (const TimelineLevel& level : result_.levels) {
    result_.tracks.try_emplace(level.track, name(level.track));
  }
  for (const TimelineArrow& arrow : result_.arrows) {
    result_.tracks.try_emplace(arrow.from, name(arrow.from));
    result_.tracks.try_emplace(arrow.to, name(arrow.to));
  }
  return std::move(result_);
}

}  // namespace hotline::measure
