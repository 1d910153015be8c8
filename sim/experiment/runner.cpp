#include "sim/experiment/runner.hpp"

#include <map>
#include <mutex>

#include "sim/experiment/figure.hpp"
#include "sim/experiment/pool.hpp"
#include "sim/experiment/replication.hpp"
#include "sim/experiment/warm_up.hpp"

namespace hotline::experiment {

namespace {

/// Appends what one replication says to each figure.
void add_figures(Outcome& outcome, const std::vector<workload::Quantity>& figures,
                 const measure::Measurement& measurement) {
  outcome.figures.resize(figures.size());
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const auto found = figure_of(figures[i], measurement);
    if (found) outcome.figures[i].push_back(*found);
  }
}

void add(Outcome& outcome, Replication&& replication, bool is_first) {
  outcome.rates.push_back(replication.rate());
  measure::add_sharing(outcome.sharing, replication.sharing);
  if (is_first) {
    outcome.timeline = std::move(replication.timeline);
    outcome.total = std::move(replication.measurement);
  } else {
    outcome.total.add(replication.measurement);
  }
  if (replication.stuck.empty()) return;
  if (outcome.stuck.empty()) outcome.stuck = std::move(replication.stuck);
  outcome.stuck_seeds.push_back(replication.seed);
}

Outcome describe(const Case& one, const Settings& settings, engine::Duration warm_up) {
  const workload::Scenario& scenario = one.scenario;
  Outcome outcome;
  outcome.workload = scenario.workload;
  outcome.variant = scenario.variant;
  outcome.label = one.label;
  outcome.machine = scenario.machine.name;
  outcome.machine_title = scenario.machine.title;
  outcome.machine_description = scenario.machine;
  outcome.machine_cpus = scenario.machine.sockets * scenario.machine.clusters_per_socket *
                         scenario.machine.cores_per_cluster * scenario.machine.threads_per_core;
  outcome.threads = scenario.threads;
  outcome.seed = settings.seed;
  outcome.warm_up = warm_up;
  return outcome;
}

/// Each `paired` consecutive cases are a group.
std::vector<Group> groups_of(const std::vector<Case>& cases, std::size_t paired) {
  std::vector<Group> groups((cases.size() + paired - 1) / paired);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    groups[i / paired].items.push_back(i);
    groups[i / paired].cost = cases[i].scenario.threads;
  }
  return groups;
}

}  // namespace

std::vector<Outcome> run_cases(const std::vector<Case>& cases, const Settings& settings,
                               const Progress& progress, std::size_t paired) {
  std::vector<engine::Duration> warm_ups(cases.size());
  for_each_job(cases.size(), settings.host_threads,
               [&](std::size_t i) { warm_ups[i] = warm_up_of(cases[i].scenario, settings); });
  std::mutex mutex;
  std::vector<std::map<std::uint32_t, Replication>> results(cases.size());
  Schedule schedule(groups_of(cases, paired), cases.size(), settings);
  const auto work = [&](Job job) {
    Replication result =
        simulate(cases[job.item].scenario, settings, job.replication, warm_ups[job.item]);
    const double rate = result.rate();
    const std::lock_guard lock(mutex);
    results[job.item].emplace(job.replication, std::move(result));
    return rate;
  };
  run_schedule(schedule, settings.host_threads, work, progress);
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Outcome outcome = describe(cases[i], settings, warm_ups[i]);
    for (auto& [number, replication] : results[i]) {
      add_figures(outcome, cases[i].figures, replication.measurement);
      add(outcome, std::move(replication), number == 0);
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace hotline::experiment
