#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/machine/line_statistics.hpp"
#include "sim/machine/machine.hpp"
#include "sim/measure/histogram.hpp"
#include "sim/measure/level_series.hpp"
#include "sim/measure/lock_stats.hpp"
#include "sim/measure/recorder.hpp"
#include "sim/measure/stacks.hpp"
#include "sim/os/thread.hpp"
#include "sim/workload/run.hpp"

namespace hotline::measure {

/// Where one thread's share of the measured time has gone, and what it got done.
struct ThreadEntry {
  std::string name;
  std::string group;
  std::uint32_t cpu = 0;
  std::uint32_t node = 0;
  std::uint64_t work = 0;       ///< of the first kind
  os::TimeAccounts accounts{};  ///< adds up to the measured time to the picosecond
  Contention waits = {};        ///< for locks
};

/// A word of a line with its name and what happened there.
struct WordEntry {
  std::string name;
  machine::WordStatistics statistics;
};

/// What happened to one line, or to all lines whose names differ in instance numbers only.
struct LineEntry {
  std::string name;  ///< the words on it: "ns.msg_bytes.count, ns.msg_hdrs.count"
  std::uint64_t lines = 1;
  std::string hottest;  ///< the line with the longest stalls of them
  engine::Duration hottest_stalled;
  machine::LineStatistics statistics;
  std::vector<WordEntry> words;
};

/// Self time of a function when called by one of its callers.
struct CallerEntry {
  std::string name;  ///< empty: the program itself
  engine::Duration self;
};

/// Self time of one function.
struct FunctionEntry {
  std::string name;
  os::TimeAccounts accounts{};
  std::vector<CallerEntry> callers{};
  Histogram calls{};  ///< how long they took, with all that they called
};

/// A kind of work, and how much was done by all threads.
struct WorkEntry {
  std::string name;
  std::uint64_t count = 0;
};

/// What changed over time: work done so far, or the value of a variable that all threads share.
struct SeriesEntry {
  static constexpr std::size_t kParts = 16;

  std::string name;
  bool is_work = false;
  std::uint64_t windows = 1;                  ///< added up
  std::array<std::int64_t, kParts> at_end{};  ///< of each part of the window
};

/// All that is kept of a run, or of several replications added up. Integers throughout, so adding
/// up gives the same in any order.
struct Measurement {
  engine::Duration length;  ///< measured simulated time, over all replications
  std::uint32_t cpus = 0;   ///< CPUs that ran threads
  std::vector<WorkEntry> works;
  Halves halves;  ///< work of the first kind in both halves of the windows
  std::vector<SeriesEntry> series;
  std::vector<ThreadEntry> threads;
  std::vector<LockEntry> locks;
  std::vector<LockInstance> lock_instances;  ///< those that somebody waited for
  std::vector<LineEntry> lines;
  std::vector<FunctionEntry> functions;
  std::vector<StackEntry> stacks;      ///< all threads' time by way into the functions
  std::vector<std::string> distances;  ///< names of the distance classes
  std::vector<std::uint64_t> traffic;  ///< lines sent between NUMA nodes, from * nodes + to
  std::uint64_t events = 0;
  std::uint64_t operations = 0;   ///< memory operations in the measured time
  std::uint64_t fingerprint = 0;  ///< of the event stream; of several runs, in their order

  /// Adds another replication of the same scenario.
  void add(const Measurement& other);
  [[nodiscard]] Window window() const { return {length, cpus}; }
};

/// Reads off a run that has ended what it and its recorder have kept.
[[nodiscard]] Measurement read_off(workload::Run& run, const Recorder& recorder);

/// The fingerprint of several runs, from that of those before the last and of the last.
[[nodiscard]] std::uint64_t combine_fingerprints(std::uint64_t before, std::uint64_t last);

/// "queue[7].lock" as "queue[*].lock": what instances have in common.
[[nodiscard]] std::string without_instances(const std::string& name);

}  // namespace hotline::measure
