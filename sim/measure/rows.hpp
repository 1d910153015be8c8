#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/measure/measurement.hpp"
#include "sim/measure/table.hpp"

/// The tables made from a measurement, beside the lock table.
namespace hotline::measure {

/// One line of memory, or all that differ in instance numbers only.
struct LineRow {
  std::string line;
  std::uint64_t lines = 1;
  std::string hottest;
  double stall_share = 0;
  double cpu_share = 0;
  engine::Duration stalled;
  std::uint64_t transfers = 0;
  std::uint64_t from_cache = 0;
  std::uint64_t from_memory = 0;
  std::uint64_t reads = 0;
  std::uint64_t ownerships = 0;
  std::uint64_t far_atomics = 0;
  std::uint64_t invalidations = 0;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("line", kText, "objects and fields on it", &LineRow::line);
    field("lines", kCount, "lines of this name", &LineRow::lines);
    field("hottest", kText, "the one with the longest stalls", &LineRow::hottest);
    field("stall_share", kPercent, "of all time stalled on memory", &LineRow::stall_share);
    field("cpu_share", kPercent, "time stalled here, of the time of all CPUs that ran threads",
          &LineRow::cpu_share);
    field("stalled", kNanoseconds, "what its operations waited beyond hits", &LineRow::stalled);
    field("transfers", kCount, "copies or ownership from another core's cache",
          &LineRow::transfers);
    field("from_cache", kCount, "fills from the cache of a socket or cluster",
          &LineRow::from_cache);
    field("from_memory", kCount, "fills from memory", &LineRow::from_memory);
    field("reads", kCount, "requests for a copy: read misses", &LineRow::reads);
    field("ownerships", kCount, "requests for ownership: write misses", &LineRow::ownerships);
    field("far_atomics", kCount, "atomics executed at the line's agent or home",
          &LineRow::far_atomics);
    field("invalidations", kCount, "copies taken away", &LineRow::invalidations);
  }
};

/// How often a line was passed over one distance.
struct TransferRow {
  std::string line;
  std::string distance;
  std::uint64_t transfers = 0;
  double share = 0;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("line", kText, "objects and fields on it", &TransferRow::line);
    field("distance", kText, "how far apart giver and taker are", &TransferRow::distance);
    field("transfers", kCount, "transfers over this distance", &TransferRow::transfers);
    field("share", kPercent, "of the line's transfers", &TransferRow::share);
  }
};

/// Eight bytes of a line: which field makes it hot.
struct WordRow {
  std::string line;
  std::string word;
  std::uint64_t read_misses = 0;
  std::uint64_t write_misses = 0;
  engine::Duration stalled;
  double share = 0;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("line", kText, "objects and fields on it", &WordRow::line);
    field("word", kText, "fields within eight bytes", &WordRow::word);
    field("read_misses", kCount, "loads that missed", &WordRow::read_misses);
    field("write_misses", kCount, "stores and locked operations that missed",
          &WordRow::write_misses);
    field("stalled", kNanoseconds, "what they waited beyond hits", &WordRow::stalled);
    field("share", kPercent, "of the line's stalls", &WordRow::share);
  }
};

/// Where the CPUs' time has gone.
struct AccountRow {
  std::string account;
  engine::Duration time;
  double share = 0;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("account", kText, "work, lock wait, line stall, other", &AccountRow::account);
    field("time", kNanoseconds, "over all threads", &AccountRow::time);
    field("share", kPercent, "of the time of all threads", &AccountRow::share);
  }
};

/// Self time of one function by account.
struct FunctionRow {
  std::string function;
  double share = 0;
  engine::Duration work, lock_wait, line_stall, scheduling, other;
  std::uint64_t calls = 0;
  engine::Duration call_mean, call_max;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("function", kText, "as the workload names it", &FunctionRow::function);
    field("share", kPercent, "self time, of the time of all threads", &FunctionRow::share);
    field("work", kNanoseconds, "computing and hits", &FunctionRow::work);
    field("lock_wait", kNanoseconds, "acquiring locks", &FunctionRow::lock_wait);
    field("line_stall", kNanoseconds, "stalled on memory outside lock waits",
          &FunctionRow::line_stall);
    field("scheduling", kNanoseconds, "ready to run without a CPU, and switched to",
          &FunctionRow::scheduling);
    field("other", kNanoseconds, "waiting for signals", &FunctionRow::other);
    field("calls", kCount, "calls that ended", &FunctionRow::calls);
    field("call_mean", kNanoseconds, "how long one took, with all that it called",
          &FunctionRow::call_mean);
    field("call_max", kNanoseconds, "the longest", &FunctionRow::call_max);
  }
};

/// Work done in one part of the measured time, or the value of a variable at the part's end.
struct SeriesRow {
  std::string name;
  engine::Duration until;
  std::optional<double> rate;
  std::optional<double> value;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("name", kText, "a kind of work, or a variable that all threads share", &SeriesRow::name);
    field("until", kNanoseconds, "end of the part, from the beginning of the measured time",
          &SeriesRow::until);
    field("rate", kPerSecond, "work done in this part", &SeriesRow::rate);
    field("value", kRatio, "of the variable at the end of this part", &SeriesRow::value);
  }
};

/// Self time of a function by who called it.
struct CallerRow {
  std::string function;
  std::string caller;
  double share = 0;
  double of_function = 0;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("function", kText, "whose self time it is", &CallerRow::function);
    field("caller", kText, "who called it; nothing: the program itself", &CallerRow::caller);
    field("share", kPercent, "self time, of the time of all threads", &CallerRow::share);
    field("of_function", kPercent, "of the function's self time", &CallerRow::of_function);
  }
};

/// One thread.
struct ThreadRow {
  std::string thread;
  std::string group;
  std::uint64_t cpu = 0;
  std::uint64_t node = 0;
  std::uint64_t work_done = 0;
  engine::Duration work, lock_wait, line_stall, scheduling, other;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("thread", kText, "as the workload names it", &ThreadRow::thread);
    field("group", kText, "its group of threads", &ThreadRow::group);
    field("cpu", kCount, "number of its CPU", &ThreadRow::cpu);
    field("node", kCount, "number of its NUMA node", &ThreadRow::node);
    field("work_done", kCount, "units of the first kind of work", &ThreadRow::work_done);
    field("work", kNanoseconds, "computing and hits", &ThreadRow::work);
    field("lock_wait", kNanoseconds, "acquiring locks", &ThreadRow::lock_wait);
    field("line_stall", kNanoseconds, "stalled on memory outside lock waits",
          &ThreadRow::line_stall);
    field("scheduling", kNanoseconds, "ready to run without a CPU, and switched to",
          &ThreadRow::scheduling);
    field("other", kNanoseconds, "waiting for signals, or ended", &ThreadRow::other);
  }
};

/// 0 of nothing.
[[nodiscard]] double percent(engine::Duration part, engine::Duration whole);
/// "work", "lock wait", "line stall" and so on.
[[nodiscard]] std::string_view account_name(os::Account account);

/// Hottest first: by the time stalled, then by transfers.
[[nodiscard]] std::vector<LineRow> line_rows(const Measurement& measurement);
/// In the order of line_rows; distances without transfers are left out.
[[nodiscard]] std::vector<TransferRow> transfer_rows(const Measurement& measurement);
/// In the order of line_rows, then by the time stalled.
[[nodiscard]] std::vector<WordRow> word_rows(const Measurement& measurement);
/// The accounts over all threads, time asleep for locks within "lock wait"; their times add up to
/// threads times length exactly.
[[nodiscard]] std::vector<AccountRow> account_rows(const Measurement& measurement);
/// Longest self time first; functions that took none and were not called are left out.
[[nodiscard]] std::vector<FunctionRow> function_rows(const Measurement& measurement);
/// One after another, each over the parts of the measured time.
[[nodiscard]] std::vector<SeriesRow> series_rows(const Measurement& measurement);
/// In the order of function_rows, then longest first; of functions with several callers only.
[[nodiscard]] std::vector<CallerRow> caller_rows(const Measurement& measurement);
[[nodiscard]] std::vector<ThreadRow> thread_rows(const Measurement& measurement);
/// Work done by each thread, for fairness.
[[nodiscard]] std::vector<double> work_shares(const Measurement& measurement);

}  // namespace hotline::measure
