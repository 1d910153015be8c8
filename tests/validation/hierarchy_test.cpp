#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "sim/workload/run.hpp"
#include "sim/workload/workload.hpp"
#include "tests/catch.hpp"
#include "tests/validation/support.hpp"

/// The order of lock algorithms with up to as many threads as CPUs, and with more.
namespace hotline::tests {
namespace {

/// ns an operation, with what it was in the fastest and the slowest trial.
struct Cost {
  double ns = 0;
  double least = 0;
  double most = 0;
};

/// By algorithm.
using Measured = std::map<std::string, Cost>;
using Simulated = std::map<std::string, double>;

struct Client {
  std::string name;     ///< in the measurements
  std::string machine;  ///< ours
  std::uint32_t cpus;
  std::string yield;  ///< from "ticket yield" with two threads, which take one each an operation
};

const Client kSkylake{"skl", "skylake-client-4c", 4, "650ns"};
const Client kGraviton{"g2-16", "graviton2", 16, "150ns"};

std::string list_of_cpus(std::uint32_t count) {
  std::string list = "[0";
  for (std::uint32_t cpu = 1; cpu < count; ++cpu) list += "," + std::to_string(cpu);
  return list + "]";
}

/// How long a run must be: with more threads than CPUs some slices, of which the first ones, in
/// which not every thread has had a turn yet, are not looked at.
struct Length {
  std::string warm_up;
  std::string measured;
};

Length length_of(const std::string& algorithm, bool crowded) {
  const bool sleeps = algorithm == "ticket blocking" || algorithm == "queued fifo";
  if (crowded && algorithm == "ticket spin") return {"100ms", "400ms"};
  if (crowded) return {"13ms", sleeps ? "100ms" : "13ms"};
  return {"200us", sleeps ? "20ms" : "1ms"};
}

/// As the workload calls it.
std::string variant_of(std::string algorithm) {
  std::replace(algorithm.begin(), algorithm.end(), ' ', '-');
  return algorithm;
}

/// ns an operation as one thread sees it.
double simulated(const Client& client, const std::string& algorithm, std::uint32_t threads) {
  static const auto workload = workload::Workload::load("workloads/micro/locks-and-cpus.yaml");
  const bool crowded = threads > client.cpus;
  workload::Overrides overrides;
  overrides.threads = threads;
  const Length length = length_of(algorithm, crowded);
  for (const std::string& change :
       {"machine=" + client.machine, "threads.workers.cpus=" + list_of_cpus(client.cpus),
        "measure.warm_up=" + length.warm_up, "measure.duration=" + length.measured,
        "os.sched_yield=" + client.yield, std::string("elsewhere=0ns")}) {
    overrides.changes.push_back(workload::parse_change(change, "test"));
  }
  workload::Run run(workload.scenario(variant_of(algorithm), overrides), {});
  run.run();
  const double ns = (run.measured_to() - run.measured_from()).ns();
  return ns * threads / static_cast<double>(run.work({0}));
}

/// By thread count.
std::map<std::uint32_t, Measured> measured(const Client& client) {
  std::map<std::uint32_t, Measured> all;
  for (const Row& row : rows_of("hierarchy_locks.csv")) {
    if (row[0] != client.name) continue;
    all[static_cast<std::uint32_t>(std::stoul(row[2]))][row[1]] = {
        std::stod(row[4]), std::stod(row[5]), std::stod(row[6])};
  }
  REQUIRE_FALSE(all.empty());
  return all;
}

/// Kendall's rank correlation over the pairs that the measurements tell apart: those in the same
/// order less those in the opposite, of all.
double kendall_tau(const Measured& measured, const Simulated& simulated) {
  int agreement = 0;
  int pairs = 0;
  for (auto a = measured.begin(); a != measured.end(); ++a) {
    for (auto b = std::next(a); b != measured.end(); ++b) {
      const bool first_is_less = a->second.most < b->second.least;
      const bool second_is_less = b->second.most < a->second.least;
      if (!first_is_less && !second_is_less) continue;
      const double less = simulated.at(first_is_less ? a->first : b->first);
      const double more = simulated.at(first_is_less ? b->first : a->first);
      agreement += less < more ? 1 : -1;
      ++pairs;
    }
  }
  return static_cast<double>(agreement) / pairs;
}

Simulated simulate_all(const Client& client, const Measured& algorithms, std::uint32_t threads) {
  Simulated costs;
  for (const auto& each : algorithms) {
    costs[each.first] = simulated(client, each.first, threads);
  }
  return costs;
}

TEST_CASE("Skylake client: of the locks only ticket spin collapses when a fifth thread comes") {
  const auto slower = [](const std::string& algorithm) {
    return simulated(kSkylake, algorithm, 5) / simulated(kSkylake, algorithm, 4);
  };
  CHECK(slower("ticket spin") > 50);
  CHECK(slower("ticket yield") < 5);
  CHECK(slower("pause spin") < 50);  // a preempted holder counts for all of a short run
  CHECK(slower("mutex add") < 5);
}

/// What the order of the algorithms reaches at least.
struct Bound {
  const Client& client;
  std::uint32_t threads;
  double tau;
};

TEST_CASE(
    "ticket spin with a fifth thread: one good slice a trial, and batches that must be done") {
  static const auto workload =
      workload::Workload::load("tests/validation/workloads/lock-trial.yaml");
  workload::Overrides overrides;
  overrides.threads = 6;  // five and the clock
  std::vector<double> trials;
  for (std::uint64_t seed = 1; seed <= 7; ++seed) {
    workload::RunOptions options;
    options.seed = seed;
    workload::Run run(workload.scenario("base", overrides), options);
    run.run();
    const double ns = (run.measured_to() - run.measured_from()).ns();
    trials.push_back(ns * 5 / static_cast<double>(run.work({0})));
  }
  std::sort(trials.begin(), trials.end());
  // Measured: 68 to 235 us in 15 trials.
  CHECK(trials[3] > 68'000);
  CHECK(trials[3] < 235'000);
}

// With one thread all costs are within a factor of five, and loads that hit count in full here but
// are hidden by a real core: 0.5. With two to four on the Skylake client a tight loop costs its
// rivals more than here, so that "pure spin" comes out before the mutexes. With two on Graviton2 it
// hangs on whether a waiter has fallen asleep when it is woken who of the sleeping locks is first.
// Two of the measured orders of 16 and 17 threads on Graviton2 are within a few per cent, and it
// hangs on where ticks fall who is first here.
const Bound kBounds[] = {{kSkylake, 1, 0.45},  {kSkylake, 2, 0.75},   {kSkylake, 3, 0.75},
                         {kSkylake, 4, 0.70},  {kSkylake, 5, 0.85},   {kSkylake, 6, 0.85},
                         {kGraviton, 2, 0.50}, {kGraviton, 3, 0.85},  {kGraviton, 4, 0.85},
                         {kGraviton, 8, 0.85}, {kGraviton, 12, 0.85}, {kGraviton, 16, 0.80},
                         {kGraviton, 17, 0.80}};

TEST_CASE("lock algorithms come in the measured order: Kendall's tau at least 0.85 where crowded") {
  for (const Bound& bound : kBounds) {
    const Measured costs = measured(bound.client).at(bound.threads);
    const double tau = kendall_tau(costs, simulate_all(bound.client, costs, bound.threads));
    CAPTURE(bound.client.name, bound.threads);
    CHECK(tau >= bound.tau);
  }
}

TEST_CASE("the table of lock algorithms, measured and simulated", "[.table]") {
  for (const Client& client : {kSkylake, kGraviton}) {
    for (const auto& [threads, costs] : measured(client)) {
      const Simulated ours = simulate_all(client, costs, threads);
      std::printf("%s, %u threads: tau %.2f\n", client.name.c_str(), threads,
                  kendall_tau(costs, ours));
      for (const auto& [name, cost] : costs) {
        std::printf("  %-16s measured %10.1f simulated %10.1f\n", name.c_str(), cost.ns,
                    ours.at(name));
      }
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace hotline::tests
