#include "sim/experiment/schedule.hpp"

#include <atomic>
#include <map>
#include <stdexcept>

#include "tests/catch.hpp"

using hotline::experiment::Group;
using hotline::experiment::Job;
using hotline::experiment::replications_for;
using hotline::experiment::run_schedule;
using hotline::experiment::Schedule;
using hotline::experiment::Settings;

namespace {

/// A rate that varies by `spread`, each way, from one replication to the next.
double rate(Job job, double spread) {
  const double sign = job.replication % 2 == 0 ? 1 : -1;
  return 100 + sign * spread + static_cast<double>(job.item);
}

/// How many replications each item got.
std::map<std::size_t, int> run(std::vector<Group> groups, std::size_t items,
                               const Settings& settings, unsigned host_threads,
                               const std::vector<double>& spreads) {
  Schedule schedule(std::move(groups), items, settings);
  std::vector<std::atomic<int>> counts(items);
  run_schedule(schedule, host_threads, [&](Job job) {
    ++counts[job.item];
    return rate(job, spreads[job.item]);
  });
  CHECK(schedule.is_done());
  CHECK(schedule.finished() == schedule.planned());
  CHECK(schedule.cost_left() == 0);
  std::map<std::size_t, int> result;
  for (std::size_t i = 0; i < items; ++i) result[i] = counts[i];
  return result;
}

Settings precise(double precision, std::uint32_t most = 1000) {
  Settings settings;
  settings.replications = 4;
  settings.precision = precision;
  settings.max_replications = most;
  return settings;
}

}  // namespace

TEST_CASE("without a precision every item gets the replications asked for") {
  Settings settings;
  settings.replications = 3;
  const auto counts = run({{{0}, 1}, {{1}, 2}}, 2, settings, 2, {50, 0});
  CHECK(counts == std::map<std::size_t, int>{{0, 3}, {1, 3}});
}

TEST_CASE("the dearest group begins first") {
  Settings settings;
  settings.replications = 1;
  Schedule schedule({{{0}, 1}, {{1}, 8}, {{2}, 4}}, 3, settings);
  CHECK(schedule.take()->item == 1);
  CHECK(schedule.take()->item == 2);
  CHECK(schedule.take()->item == 0);
  CHECK_FALSE(schedule.take());
  CHECK_FALSE(schedule.is_done());
}

TEST_CASE("a rate that varies gets replications until its interval is tight, a sure one no more") {
  const auto counts = run({{{0}, 1}, {{1}, 1}}, 2, precise(0.02), 1, {0, 5});
  CHECK(counts.at(0) == 4);
  // Alternating +-5 about 101: the half-width is 1.96 * 5 / sqrt(n), for 2 % about n = 24.
  CHECK(counts.at(1) >= 20);
  CHECK(counts.at(1) <= 40);
}

TEST_CASE("what is compared gets equally many replications") {
  const auto counts = run({{{0, 1}, 1}}, 2, precise(0.02), 2, {0, 5});
  CHECK(counts.at(0) == counts.at(1));
  CHECK(counts.at(0) > 4);
}

TEST_CASE("replications end at the bound however imprecise") {
  CHECK(run({{{0}, 1}}, 1, precise(0.0001, 10), 2, {30}).at(0) == 10);
}

TEST_CASE("the number of replications is the same with any number of host threads") {
  std::vector<Group> groups;
  std::vector<double> spreads;
  for (std::size_t i = 0; i < 20; ++i) {
    groups.push_back({{i}, static_cast<double>(i)});
    spreads.push_back(static_cast<double>(i % 7));
  }
  const auto once = run(groups, 20, precise(0.01), 1, spreads);
  for (const unsigned threads : {2U, 4U, 8U}) {
    CHECK(run(groups, 20, precise(0.01), threads, spreads) == once);
  }
}

TEST_CASE("what a job throws ends the schedule and is rethrown") {
  Settings settings;
  settings.replications = 2;
  Schedule schedule({{{0}, 1}, {{1}, 1}}, 2, settings);
  CHECK_THROWS_AS(
      run_schedule(schedule, 3, [](Job) -> double { throw std::runtime_error("no such machine"); }),
      std::runtime_error);
}

TEST_CASE("half the width needs four times the replications, and always one more") {
  CHECK(replications_for(2, 1, 10) == 40);
  CHECK(replications_for(1, 1, 10) == 11);
  CHECK(replications_for(1, 0, 10) == 1'000'000'000);
}
