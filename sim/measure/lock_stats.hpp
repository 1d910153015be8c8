#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/measure/histogram.hpp"
#include "sim/measure/table.hpp"

namespace hotline::measure {

/// What has been counted of one lock at one call site; sums, so that instances, sites and
/// replications can be added up.
struct LockCounts {
  std::uint64_t total = 0;     ///< acquisitions
  std::uint64_t waited = 0;    ///< of them, those that found the lock held
  std::uint64_t repeated = 0;  ///< attempts of readers that a writer came between
  Histogram wait;              ///< begin to possession, of those that waited
  Histogram hold;              ///< possession to the begin of the release
  /// Acquisitions of a lock that was taken last on another CPU, and of those that waited, whose
  /// lock had then been taken last on another CPU: bounces of /proc/lock_stat.
  std::uint64_t acq_bounces = 0;
  std::uint64_t con_bounces = 0;
  /// Waits, from any site, that began when the lock had been taken last here.
  std::uint64_t kept_out = 0;
  engine::Duration waiting;  ///< time inside the window spent acquiring by those that waited
  engine::Duration held;     ///< time inside the window in possession

  void add(const LockCounts& other);
};

/// Waits for locks, counted.
struct Contention {
  std::uint64_t count = 0;
  engine::Duration total;
  engine::Duration max;

  void add(const Contention& other);
};

/// Which users of a lock are counted: all, or those on one side of a lock that readers share.
enum class Side : std::uint8_t { kAll, kWriters, kReaders };

/// LockCounts with the names that belong to them.
struct LockEntry {
  std::string lock;  ///< the object, and the field if the lock is embedded
  std::string site;  ///< where it was acquired
  std::uint64_t instances = 1;
  LockCounts counts;
  Side side = Side::kAll;
  std::string model = {};  ///< "qspinlock"
  std::string point =
      {};  ///< the function to blame: where `site` is but a name for the acquisition
};

/// One instance that somebody waited for.
struct LockInstance {
  std::string name;
  std::string model;
  std::uint64_t address = 0;
  Contention waits;
};

/// The CPU time and wall time that shares are taken of.
struct Window {
  engine::Duration length;  ///< measured simulated time, over all replications
  std::uint64_t cpus = 0;   ///< CPUs that ran threads
};

/// One line of the lock table: lockmeter's columns, and what a mean hides.
struct LockRow {
  std::string lock;
  std::string site;
  std::uint64_t instances = 1;
  double utilisation = 0;
  double contention = 0;
  engine::Duration hold_mean, hold_p50, hold_p99, hold_p999, hold_max;
  engine::Duration wait_mean, wait_p50, wait_p99, wait_p999, wait_max;
  double cpu_share = 0;
  std::uint64_t total = 0;
  std::uint64_t nowait = 0;
  std::uint64_t spin = 0;
  std::uint64_t repeated = 0;

  template <class Visitor>
  static void visit(Visitor&& field);
};

/// One row an object (site "all"), followed by its call sites where it has several; the objects on
/// which most CPU time was spent waiting come first. A lock that readers share has two such blocks,
/// its name with -W and with -R, as in /proc/lock_stat.
[[nodiscard]] std::vector<LockRow> lock_rows(const std::vector<LockEntry>& entries, Window window);

/// How many waits for one lock lasted how long.
struct WaitRow {
  std::string lock;
  engine::Duration from, to;
  std::uint64_t waits = 0;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("lock", kText, "as in the table of locks", &WaitRow::lock);
    field("from", kNanoseconds, "waits of this length", &WaitRow::from);
    field("to", kNanoseconds, "to below this length", &WaitRow::to);
    field("waits", kCount, "acquisitions that waited so long", &WaitRow::waits);
  }
};

/// The distribution of the waits for each lock, all its sites together, in the order of lock_rows.
[[nodiscard]] std::vector<WaitRow> wait_rows(const std::vector<LockEntry>& entries);

template <class Visitor>
void LockRow::visit(Visitor&& field) {
  using enum Unit;
  field("lock", kText,
        "the lock, or the object whose instances are summed up; -R its readers, -W its writers",
        &LockRow::lock);
  field("site", kText, "function that acquires, or all", &LockRow::site);
  field("instances", kCount, "locks of this name", &LockRow::instances);
  field("utilisation", kPercent,
        "time held, of the measured time; mean of the instances; 100 for each reader inside",
        &LockRow::utilisation);
  field("contention", kPercent, "acquisitions that found the lock held", &LockRow::contention);
  field("hold_mean", kNanoseconds, "mean time in possession", &LockRow::hold_mean);
  field("hold_p50", kNanoseconds, "median time in possession", &LockRow::hold_p50);
  field("hold_p99", kNanoseconds, "99 % were held no longer", &LockRow::hold_p99);
  field("hold_p999", kNanoseconds, "99.9 % were held no longer", &LockRow::hold_p999);
  field("hold_max", kNanoseconds, "longest time in possession", &LockRow::hold_max);
  field("wait_mean", kNanoseconds, "mean wait of those that waited", &LockRow::wait_mean);
  field("wait_p50", kNanoseconds, "median wait of those that waited", &LockRow::wait_p50);
  field("wait_p99", kNanoseconds, "99 % of them waited no longer", &LockRow::wait_p99);
  field("wait_p999", kNanoseconds, "99.9 % of them waited no longer", &LockRow::wait_p999);
  field("wait_max", kNanoseconds, "longest wait", &LockRow::wait_max);
  field("cpu_share", kPercent, "time spent waiting, of the time of all CPUs that ran threads",
        &LockRow::cpu_share);
  field("total", kCount, "acquisitions", &LockRow::total);
  field("nowait", kCount, "acquisitions that found the lock free", &LockRow::nowait);
  field("spin", kCount, "acquisitions that waited", &LockRow::spin);
  field("repeated", kCount, "readings of a sequence lock that had to be begun anew",
        &LockRow::repeated);
}

}  // namespace hotline::measure
