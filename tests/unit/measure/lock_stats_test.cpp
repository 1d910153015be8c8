#include "sim/measure/lock_stats.hpp"

#include <vector>

#include "tests/catch.hpp"

using hotline::engine::Duration;
using hotline::measure::fields_of;
using hotline::measure::lock_rows;
using hotline::measure::LockCounts;
using hotline::measure::LockEntry;
using hotline::measure::LockRow;
using hotline::measure::Side;
using hotline::measure::tabulate;
using hotline::measure::Unit;
using hotline::measure::wait_rows;
using hotline::measure::Window;
using hotline::tests::Approx;

namespace {

Duration ns(std::uint64_t length) { return Duration::from_ps(length * 1000); }

/// `total` acquisitions of `hold` each, of which `waited` waited for `wait` each.
LockCounts counts(std::uint64_t total, Duration hold, std::uint64_t waited, Duration wait) {
  LockCounts result;
  result.total = total;
  result.waited = waited;
  for (std::uint64_t i = 0; i < total; ++i) result.hold.add(hold);
  for (std::uint64_t i = 0; i < waited; ++i) result.wait.add(wait);
  result.held = hold * total;
  result.waiting = wait * waited;
  return result;
}

}  // namespace

TEST_CASE("a lock's row has lockmeter's figures") {
  // 100 holds of 20 ns in 10 us: 20 % held. 25 waits of 40 ns on 2 CPUs: 1 us of 20 us, 5 %.
  const std::vector<LockEntry> entries{{"l", "f", 1, counts(100, ns(20), 25, ns(40))}};
  const auto rows = lock_rows(entries, Window{ns(10'000), 2});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].site == "f");
  CHECK(rows[0].utilisation == Approx(20.0));
  CHECK(rows[0].contention == Approx(25.0));
  CHECK(rows[0].cpu_share == Approx(5.0));
  CHECK(rows[0].hold_mean == ns(20));
  CHECK(rows[0].wait_mean == ns(40));
  CHECK(rows[0].wait_max == ns(40));
  CHECK(rows[0].total == 100);
  CHECK(rows[0].nowait == 75);
  CHECK(rows[0].spin == 25);
}

TEST_CASE("several call sites are summed up above their own rows") {
  const std::vector<LockEntry> entries{{"l", "f", 1, counts(10, ns(20), 0, ns(0))},
                                       {"l", "g", 1, counts(30, ns(40), 3, ns(9))}};
  const auto rows = lock_rows(entries, Window{ns(10'000), 1});
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].site == "all");
  CHECK(rows[0].total == 40);
  CHECK(rows[0].hold_mean == ns(35));
  CHECK(rows[1].site == "f");
  CHECK(rows[2].site == "g");
  CHECK(rows[2].spin == 3);
}

TEST_CASE("the utilisation of many instances is their mean") {
  const std::vector<LockEntry> entries{{"queue.lock", "f", 4, counts(100, ns(20), 0, ns(0))}};
  CHECK(lock_rows(entries, Window{ns(10'000), 4})[0].utilisation == Approx(5.0));
}

TEST_CASE("the lock that costs most CPU time comes first") {
  const std::vector<LockEntry> entries{{"cold", "f", 1, counts(1000, ns(1), 1, ns(5))},
                                       {"hot", "f", 1, counts(10, ns(1), 10, ns(50))}};
  CHECK(lock_rows(entries, Window{ns(10'000), 1})[0].lock == "hot");
}

TEST_CASE("both sides of a lock that readers share stay together, writers first") {
  LockCounts reading = counts(10, ns(300), 0, ns(0));
  reading.repeated = 4;
  const std::vector<LockEntry> entries{
      {"rw", "look", 1, reading, Side::kReaders},
      {"rw", "change", 1, counts(10, ns(1), 10, ns(50)), Side::kWriters},
      {"spin", "f", 1, counts(10, ns(1), 10, ns(20))}};
  const auto rows = lock_rows(entries, Window{ns(1'000), 4});
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].lock == "rw-W");
  CHECK(rows[0].site == "change");
  CHECK(rows[1].lock == "rw-R");
  CHECK(rows[1].utilisation == Approx(300.0));  // three readers inside on average
  CHECK(rows[1].repeated == 4);
  CHECK(rows[2].lock == "spin");
}

TEST_CASE("the waits of a lock are counted over all its sites, those of each side by themselves") {
  const std::vector<LockEntry> entries{
      {"rw", "look", 1, counts(10, ns(1), 3, ns(30)), Side::kReaders},
      {"rw", "glance", 1, counts(10, ns(1), 2, ns(30)), Side::kReaders},
      {"rw", "change", 1, counts(10, ns(1), 4, ns(5'000)), Side::kWriters},
      {"free", "f", 1, counts(10, ns(1), 0, ns(0))}};
  const auto rows = wait_rows(entries);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].lock == "rw-W");
  CHECK(rows[0].waits == 4);
  CHECK(rows[0].from <= ns(5'000));
  CHECK(rows[0].to > ns(5'000));
  CHECK(rows[1].lock == "rw-R");
  CHECK(rows[1].waits == 5);
}

TEST_CASE("a row's fields are listed once and give the table's columns") {
  const auto fields = fields_of<LockRow>();
  const std::vector<LockEntry> entries{{"l", "f", 1, counts(1, ns(1), 0, ns(0))}};
  const auto rows = lock_rows(entries, Window{ns(1'000), 1});
  const auto table = tabulate<LockRow>("locks", "", rows);
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].size() == fields.size());
  CHECK(fields.front().name == "lock");
  CHECK(fields.back().name == "repeated");
  CHECK(fields.back().unit == Unit::kCount);
  for (const auto& field : fields) CHECK_FALSE(field.description.empty());
}
