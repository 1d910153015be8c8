#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/measure/measurement.hpp"
#include "sim/measure/sharing.hpp"
#include "sim/measure/table.hpp"
#include "sim/measure/timeline.hpp"

/// What is drawn as bars, flame graphs, tables of shared lines and timelines, as tables of data.
namespace hotline::measure {

/// The time that all threads spent in one function in one way.
struct BreakdownRow {
  std::string function;
  std::string kind;
  std::string group;
  engine::Duration time;
  double share = 0;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("function", kText, "whose self time it is; nothing: all of them",
          &BreakdownRow::function);
    field("kind", kText, "work, where a line came from, spinning, blocked and so on",
          &BreakdownRow::kind);
    field("class", kText,
          "what the kind belongs to: work, stall, spinning, blocked, scheduling, idle",
          &BreakdownRow::group);
    field("time", kNanoseconds, "over all threads", &BreakdownRow::time);
    field("share", kPercent, "of the time of all threads", &BreakdownRow::share);
  }
};

/// Self time of a function when called in one way.
struct StackRow {
  std::string stack;
  engine::Duration time;
  double share = 0;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("stack", kText,
          "the group of threads, then the functions, outermost first, with ; between",
          &StackRow::stack);
    field("time", kNanoseconds, "self time, over all threads", &StackRow::time);
    field("share", kPercent, "of the time of all threads", &StackRow::share);
  }
};

/// One function at one place of a line.
struct SharingRow {
  std::string line;
  std::uint64_t offset = 0;
  std::string word;
  std::string function;
  std::uint64_t loads = 0, stores = 0, buffered = 0, local_hitm = 0, remote_hitm = 0, falsely = 0;
  engine::Duration stalled;
  std::uint64_t cpus = 0, nodes = 0;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("line", kText, "the words on it", &SharingRow::line);
    field("offset", kCount, "bytes from the start of the line", &SharingRow::offset);
    field("word", kText, "which one; nothing: bytes without a name", &SharingRow::word);
    field("function", kText, "who came there; nothing: outside functions", &SharingRow::function);
    field("loads", kCount, "that missed", &SharingRow::loads);
    field("stores", kCount, "and locked operations that missed", &SharingRow::stores);
    field("buffered", kCount, "stores that nothing waited for", &SharingRow::buffered);
    field("local_hitm", kCount, "misses served by a core of the node that had written the line",
          &SharingRow::local_hitm);
    field("remote_hitm", kCount, "and of another node", &SharingRow::remote_hitm);
    field("falsely", kCount, "misses though nobody had written these eight bytes since the last",
          &SharingRow::falsely);
    field("stalled", kNanoseconds, "waiting for the line", &SharingRow::stalled);
    field("cpus", kCount, "that came there", &SharingRow::cpus);
    field("nodes", kCount, "NUMA nodes of theirs", &SharingRow::nodes);
  }
};

/// A stretch of one track of the timeline.
struct TimelineRow {
  std::string of;
  std::string track;
  std::string state;
  std::string what;
  engine::Duration from, to;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("of", kText, "kind of track: cpu, lock or line", &TimelineRow::of);
    field("track", kText, "which of them", &TimelineRow::track);
    field("state", kText,
          "a CPU's thread: running, waiting, blocked; a lock: held; a line: owned, shared",
          &TimelineRow::state);
    field("what", kText, "the thread, the lock waited for, the holder, the core",
          &TimelineRow::what);
    field("from", kNanoseconds, "since the window began", &TimelineRow::from);
    field("to", kNanoseconds, "since the window began", &TimelineRow::to);
  }
};

/// Kinds of time that nobody spent are left out; first all functions, then each, longest first.
[[nodiscard]] std::vector<BreakdownRow> breakdown_rows(const Measurement& measurement);
/// By frames.
[[nodiscard]] std::vector<StackRow> stack_rows(const Measurement& measurement);
/// In the order of the lines, then of offsets and functions.
[[nodiscard]] std::vector<SharingRow> sharing_rows(const std::vector<SharedLine>& lines);
/// In the order of their begins, up to the moment when there are `most` of them.
[[nodiscard]] std::vector<TimelineRow> timeline_rows(const Timeline& timeline, std::size_t most);
/// "running", "waiting" and so on.
[[nodiscard]] const char* span_name(TimelineSpan::Kind kind);

}  // namespace hotline::measure
