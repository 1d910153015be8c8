#include "sim/report/lock_stat.hpp"

#include "sim/report/lock_contention.hpp"
#include "sim/report/lock_table.hpp"
#include "tests/catch.hpp"
#include "tests/unit/report/sample.hpp"

using hotline::measure::LockStatClass;
using hotline::measure::LockStatFile;
using hotline::measure::Measurement;
using hotline::measure::Side;
using hotline::report::ContentionBy;
using hotline::tests::contains_text;
using hotline::tests::ns;
using hotline::tests::sample_lock;

namespace {

/// dcache_lock as in the sample, and a lock with readers.
Measurement locks() {
  Measurement measurement;
  measurement.locks = {sample_lock()};
  measurement.locks.front().model = "spinlock";
  measurement.locks.front().point = "d_lookup";
  measurement.locks.front().counts.con_bounces = 200;
  measurement.locks.front().counts.kept_out = 209;
  for (const Side side : {Side::kWriters, Side::kReaders}) {
    hotline::measure::LockEntry entry{"rw", "work", 1, {}, side, "qrwlock", "work"};
    entry.counts.total = 5;
    for (int i = 0; i < 5; ++i) entry.counts.hold.add(ns(120));
    measurement.locks.push_back(entry);
  }
  return measurement;
}

}  // namespace

TEST_CASE("our lock_stat is read by the parser that reads a kernel's") {
  const LockStatFile ours = hotline::report::lock_stat_of(locks());
  hotline::input::Diagnostics diagnostics;
  const LockStatFile read =
      hotline::measure::parse_lock_stat(hotline::report::lock_stat_text(ours), "ours", diagnostics);
  CHECK(diagnostics.text().empty());
  REQUIRE(read.classes.size() == 3);
  const LockStatClass& dcache = read.classes[0];
  CHECK(dcache.name == "dcache_lock");
  CHECK(dcache.con_bounces == 200);
  CHECK(dcache.contentions == 209);
  CHECK(dcache.wait.average == ns(2900));
  CHECK(dcache.wait.total == ns(2900 * 209));
  CHECK(dcache.acquisitions == 1000);
  CHECK(dcache.hold.max == ns(500));
  REQUIRE(dcache.waiters.size() == 1);
  CHECK(dcache.waiters[0].symbol == "d_lookup");
  CHECK(dcache.holders[0].count == 209);
  CHECK(read.classes[1].name == "rw-W");
  CHECK(read.classes[2].name == "rw-R");
  CHECK(read.classes[2].hold.total == ns(600));
}

TEST_CASE("a lock_stat row has the kernel's columns") {
  const std::string text = hotline::report::lock_stat_text(hotline::report::lock_stat_of(locks()));
  CHECK_THAT(text, contains_text("\n                            dcache_lock:            200"
                                 "            209           2.90           2.90         606.10"
                                 "           2.90              0           1000           0.50"
                                 "           0.50         500.00           0.50\n"));
}

TEST_CASE("waits are told by caller as perf lock contention tells them") {
  const std::string text = hotline::report::lock_contention_text(locks(), ContentionBy::kCaller);
  CHECK_THAT(
      text,
      contains_text("       209    606.10 us      2.90 us      2.90 us     spinlock   d_lookup\n"));
  CHECK(text.find("qrwlock") == std::string::npos);  // nobody waited
}

TEST_CASE("lockmeter's line is the one of a report of 2003") {
  const auto rows = hotline::measure::lock_rows({sample_lock()}, {ns(3'000'000), 2});
  CHECK_THAT(hotline::report::lockmeter_text(rows, {}),
             contains_text("16.7% 20.9%  500ns( 500ns)  2.9us( 2.9us)(10.1%)      1000 79.1% 20.9%"
                           "    0%  dcache_lock\n"));
}
