#include "sim/measure/measurement.hpp"

#include "sim/measure/rows.hpp"
#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

using hotline::engine::Duration;
using hotline::measure::account_rows;
using hotline::measure::line_rows;
using hotline::measure::LineEntry;
using hotline::measure::Measurement;
using hotline::measure::transfer_rows;
using hotline::measure::without_instances;
using hotline::measure::word_rows;
using hotline::tests::Approx;

namespace {

Duration ns(std::uint64_t length) { return Duration::from_ps(length * 1000); }

LineEntry line(const char* name, Duration stalled, std::vector<std::uint64_t> transfers) {
  LineEntry entry;
  entry.name = name;
  entry.hottest = name;
  entry.hottest_stalled = stalled;
  entry.statistics.stalled = stalled;
  entry.statistics.transfers = std::move(transfers);
  return entry;
}

Measurement sample() {
  Measurement result;
  result.length = ns(100);
  result.cpus = 2;
  result.works = {{"ops", 7}};
  result.threads = {{"t0", "t", 0, 0, 3, {ns(60), ns(10), ns(30), ns(0)}},
                    {"t1", "t", 1, 0, 4, {ns(20), ns(0), ns(70), ns(10)}}};
  result.distances = {"smt sibling", "same socket", "other socket"};
  result.lines = {line("cool", ns(20), {0, 4, 0}), line("hot", ns(80), {0, 30, 10})};
  result.lines[1].words = {{"hot.a", {1, 2, ns(20)}}, {"hot.b", {0, 9, ns(60)}}};
  result.fingerprint = 1;
  return result;
}

}  // namespace

TEST_CASE("instance numbers are taken out of names and nothing else") {
  CHECK(without_instances("queue[7].lock") == "queue[*].lock");
  CHECK(without_instances("a[1].b[23].c") == "a[*].b[*].c");
  CHECK(without_instances("a[x].b[].c[1") == "a[x].b[].c[1");
  CHECK(without_instances("plain") == "plain");
}

TEST_CASE("the accounts add up to all of the threads' time exactly") {
  const auto rows = account_rows(sample());
  Duration sum;
  double shares = 0;
  for (const auto& row : rows) {
    sum += row.time;
    shares += row.share;
  }
  CHECK(sum == ns(200));
  CHECK(shares == Approx(100.0));
  CHECK(rows[0].share == Approx(40.0));
  CHECK(rows[2].share == Approx(50.0));
}

TEST_CASE("lines come hottest first with their share of stalls and of CPU time") {
  const auto rows = line_rows(sample());
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].line == "hot");
  CHECK(rows[0].stall_share == Approx(80.0));
  CHECK(rows[0].cpu_share == Approx(40.0));
  CHECK(rows[0].transfers == 40);
}

TEST_CASE("transfers are told by distance, those that never happened left out") {
  const auto rows = transfer_rows(sample());
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].distance == "same socket");
  CHECK(rows[0].share == Approx(75.0));
  CHECK(rows[1].distance == "other socket");
  CHECK(rows[2].line == "cool");
}

TEST_CASE("the fields of a line come with the one that stalls longest first") {
  const auto rows = word_rows(sample());
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].word == "hot.b");
  CHECK(rows[0].share == Approx(75.0));
}

TEST_CASE("replications add up thread by thread, line by line and work by work") {
  Measurement sum = sample();
  sum.add(sample());
  CHECK(sum.length == ns(200));
  CHECK(sum.works[0].count == 14);
  CHECK(sum.threads[1].work == 8);
  CHECK(sum.threads[1].accounts[2] == ns(140));
  CHECK(sum.lines[1].statistics.transfers[1] == 60);
  CHECK(sum.lines[1].words[1].statistics.writes == 18);
  CHECK(line_rows(sum)[0].cpu_share == Approx(40.0));
}

TEST_CASE("the fingerprint of several runs depends on each and on their order") {
  Measurement first = sample();
  Measurement second = sample();
  second.fingerprint = 2;
  Measurement there = first;
  there.add(second);
  Measurement back = second;
  back.add(first);
  CHECK(there.fingerprint != back.fingerprint);
  CHECK(there.fingerprint != first.fingerprint);
}

TEST_CASE("readers and writers of a run are counted apart, plain locks as one") {
  const auto scenario = hotline::tests::scenario(R"(objects:
  rw: {model: qrwlock}
  spin: {model: mcs}
threads:
  readers:
    count: 2
    program:
      - read_lock: {lock: rw, do: [{compute: 500ns}]}
      - with: {lock: spin, do: [{compute: 1ns}]}
  writer:
    program:
      - compute: 200ns
      - with: {lock: rw, do: [{compute: 100ns}]}
)");
  hotline::measure::Recorder recorder;
  hotline::workload::Run run(scenario, {.observer = &recorder});
  run.run();
  const Measurement result = hotline::measure::read_off(run, recorder);
  const auto rows = hotline::measure::lock_rows(result.locks, result.window());
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].lock == "rw-W");
  CHECK(rows[0].total == 1);
  CHECK(rows[0].spin == 1);  // for the readers
  CHECK(rows[0].wait_mean > ns(250));
  CHECK(rows[1].lock == "rw-R");
  CHECK(rows[1].total == 2);
  CHECK(rows[1].spin == 0);
  CHECK(rows[1].hold_mean == ns(500));
  CHECK(rows[2].lock == "spin");
  CHECK(rows[2].total == 2);
}

TEST_CASE("work and shared numbers are kept over time, and replications added up") {
  const auto scenario = hotline::tests::scenario(R"(shared: {length: 0}
threads:
  one:
    program:
      - loop: {times: 16, do: [{compute: 100ns}, {set: {length: length + 1}}, {count: steps}]}
)");
  hotline::measure::Recorder recorder;
  hotline::workload::Run run(scenario, {.observer = &recorder});
  recorder.profile(run);
  run.run();
  Measurement result = hotline::measure::read_off(run, recorder);
  result.add(Measurement(result));
  const auto rows = hotline::measure::series_rows(result);
  REQUIRE(rows.size() == 32);
  CHECK(rows[0].name == "steps");
  CHECK(*rows[7].rate == Approx(1e7).epsilon(0.02));
  CHECK(!rows[7].value);
  CHECK(rows[16].name == "length");
  CHECK(rows[31].until == ns(1'600));
  CHECK(*rows[31].value == 16);
  CHECK(*rows[23].value == Approx(8).margin(1));
}

TEST_CASE("a function's self time is told by caller, where it has several") {
  const auto scenario = hotline::tests::scenario(R"(functions:
  spin: [{compute: 10ns}]
  add: [{call: spin}, {compute: 5ns}]
  remove: [{call: spin}, {call: spin}, {call: spin}]
threads:
  one:
    program: [{call: add}, {call: remove}]
)");
  hotline::measure::Recorder recorder;
  hotline::workload::Run run(scenario, {.observer = &recorder});
  recorder.profile(run);
  run.run();
  const Measurement result = hotline::measure::read_off(run, recorder);
  const auto functions = hotline::measure::function_rows(result);
  REQUIRE(functions.size() == 3);
  CHECK(functions[2].function == "remove");
  CHECK(functions[2].share == 0);
  CHECK(functions[2].calls == 1);
  CHECK(functions[2].call_mean == ns(30));
  CHECK(functions[0].function == "spin");
  CHECK(functions[0].work == ns(40));
  const auto callers = hotline::measure::caller_rows(result);
  REQUIRE(callers.size() == 2);
  CHECK(callers[0].caller == "remove");
  CHECK(callers[0].of_function == Approx(75.0));
  CHECK(callers[1].caller == "add");
  CHECK(callers[1].of_function == Approx(25.0));
  Measurement twice = result;
  twice.add(result);
  CHECK(hotline::measure::caller_rows(twice)[0].of_function == Approx(75.0));
}
