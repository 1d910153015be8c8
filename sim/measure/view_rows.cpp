#include "sim/measure/view_rows.hpp"

#include <algorithm>

#include "sim/measure/breakdown.hpp"
#include "sim/measure/rows.hpp"

namespace hotline::measure {

using engine::Duration;

namespace {

const char* class_name(TimeKind::Class kind) {
  switch (kind) {
    case TimeKind::Class::kWork:
      return "work";
    case TimeKind::Class::kStall:
      return "stall";
    case TimeKind::Class::kSpinning:
      return "spinning";
    case TimeKind::Class::kBlocked:
      return "blocked";
    case TimeKind::Class::kScheduling:
      return "scheduling";
    default:
      return "idle";
  }
}

const char* track_name(TrackId::Kind kind) {
  switch (kind) {
    case TrackId::Kind::kCpu:
      return "cpu";
    case TrackId::Kind::kLock:
      return "lock";
    default:
      return "line";
  }
}

}  // namespace

std::vector<BreakdownRow> breakdown_rows(const Measurement& measurement) {
  const Breakdown breakdown = breakdown_of(measurement);
  const Duration all = breakdown.all.total();
  std::vector<BreakdownRow> rows;
  const auto append = [&](const std::string& function, const BreakdownEntry& entry) {
    for (std::size_t i = 0; i < entry.times.size(); ++i) {
      if (entry.times[i] == Duration()) continue;
      const TimeKind& kind = breakdown.kinds[i];
      rows.push_back({function, kind.name, class_name(kind.kind), entry.times[i],
                      percent(entry.times[i], all)});
    }
  };
  append("", breakdown.all);
  for (const BreakdownEntry& function : breakdown.functions) append(function.name, function);
  return rows;
}

std::vector<StackRow> stack_rows(const Measurement& measurement) {
  Duration all;
  for (const StackEntry& stack : measurement.stacks) all += stack.self();
  std::vector<StackRow> rows;
  for (const StackEntry& stack : measurement.stacks) {
    if (stack.self() == Duration()) continue;
    rows.push_back({stack.folded(), stack.self(), percent(stack.self(), all)});
  }
  return rows;
}

std::vector<SharingRow> sharing_rows(const std::vector<SharedLine>& lines) {
  std::vector<SharingRow> rows;
  for (const SharedLine& line : lines) {
    for (const SharingEntry& entry : line.entries) {
      const SharingCounts& counts = entry.counts;
      SharingRow row;
      row.line = line.name;
      row.offset = entry.offset;
      row.word = entry.word;
      row.function = entry.function;
      row.loads = counts.loads;
      row.stores = counts.stores;
      row.buffered = counts.buffered;
      row.local_hitm = counts.local_hitm;
      row.remote_hitm = counts.remote_hitm;
      row.falsely = counts.falsely;
      row.stalled = counts.stalled;
      row.cpus = counts.cpus.size();
      row.nodes = counts.nodes.size();
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<TimelineRow> timeline_rows(const Timeline& timeline, std::size_t most) {
  const std::vector<TimelineSpan>& spans = timeline.spans;
  const SimTime end = spans.size() > most ? spans[most].begin : timeline.to;
  std::vector<TimelineRow> rows;
  for (const TimelineSpan& span : spans) {
    if (span.begin >= end) break;
    rows.push_back({track_name(span.track.kind), timeline.tracks.at(span.track),
                    span_name(span.kind), span.name, span.begin - timeline.from,
                    std::min(span.end, end) - timeline.from});
  }
  return rows;
}

const char* span_name(TimelineSpan::Kind kind) {
  switch (kind) {
    case TimelineSpan::Kind::kRunning:
      return "running";
    case TimelineSpan::Kind::kSpinning:
      return "waiting";
    case TimelineSpan::Kind::kBlocked:
      return "blocked";
    case TimelineSpan::Kind::kHeld:
      return "held";
    case TimelineSpan::Kind::kOwned:
      return "owned";
    default:
      return "shared";
  }
}

}  // namespace hotline::measure
