#include "sim/experiment/runner.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>

#include "sim/experiment/figure.hpp"
#include "sim/experiment/pool.hpp"
#include "sim/measure/fan_out.hpp"
#include "sim/measure/recorder.hpp"
#include "sim/workload/run.hpp"

namespace hotline::experiment {

namespace {

constexpr double kPicosecondsPerSecond = 1e12;

/// What one simulation leaves behind.
struct Replication {
  measure::Measurement measurement;
  std::vector<measure::SharedLine> sharing;
  measure::Timeline timeline;
  std::vector<std::string> stuck;
  std::uint64_t seed = 0;
};

/// Tells the sharing recorder and the timeline, where they are wanted, what all others hear too.
class Listener : public measure::Recorder {
 public:
  explicit Listener(const Settings& settings, std::uint32_t replication) {
    if (settings.sharing) sharing.emplace();
    if (settings.window && replication == 0) timeline.emplace(*settings.window);
  }

  void measurement_began(engine::SimTime now) override {
    Recorder::measurement_began(now);
    if (sharing) sharing->reset();
  }
  void measurement_ended(engine::SimTime now) override {
    Recorder::measurement_ended(now);
    if (timeline) timeline->measurement_ended(now);
  }
  void thread_began(workload::ThreadId thread, engine::SimTime now) override {
    if (timeline) timeline->thread_began(thread, now);
  }
  void thread_ended(workload::ThreadId thread, engine::SimTime now) override {
    if (timeline) timeline->thread_ended(thread, now);
  }
  void acquire_began(workload::ThreadId thread, workload::LockId lock, workload::CallSiteId site,
                     engine::SimTime now) override {
    Recorder::acquire_began(thread, lock, site, now);
    if (timeline) timeline->acquire_began(thread, lock, site, now);
  }
  void acquired(workload::ThreadId thread, workload::LockId lock, workload::CallSiteId site,
                bool waited, engine::SimTime now) override {
    Recorder::acquired(thread, lock, site, waited, now);
    if (timeline) timeline->acquired(thread, lock, site, waited, now);
  }
  void release_began(workload::ThreadId thread, workload::LockId lock,
                     engine::SimTime now) override {
    Recorder::release_began(thread, lock, now);
    if (timeline) timeline->release_began(thread, lock, now);
  }

  std::optional<measure::SharingRecorder> sharing;
  std::optional<measure::TimelineRecorder> timeline;
};

Replication simulate(const workload::Scenario& scenario, const Settings& settings,
                     std::uint32_t replication) {
  Listener recorder(settings, replication);
  measure::ProbeList probes;
  if (recorder.sharing) probes.add(*recorder.sharing);
  if (recorder.timeline) probes.add(*recorder.timeline);
  workload::RunOptions options;
  options.seed = replication_seed(settings.seed, replication);
  options.tie_order = settings.tie_order;
  options.batching = settings.batching;
  options.observer = &recorder;
  options.probe = probes.get();
  if (recorder.timeline) options.cpu_watcher = &*recorder.timeline;
  workload::Run run(scenario, options);
  recorder.profile(run);
  if (recorder.sharing) recorder.sharing->attend(run);
  if (recorder.timeline) recorder.timeline->attend(run);
  const workload::Ending ending = run.run();
  Replication result{measure::read_off(run, recorder), {}, {}, {}, options.seed};
  if (recorder.sharing) result.sharing = recorder.sharing->lines();
  if (recorder.timeline) result.timeline = recorder.timeline->take();
  if (ending == workload::Ending::kStuck) {
    result.stuck = run.stuck();
    if (result.stuck.empty()) result.stuck.emplace_back("no thread can go on");
  }
  return result;
}

double rate_of(const measure::Measurement& measurement) {
  if (measurement.works.empty() || measurement.length == engine::Duration()) return 0;
  return static_cast<double>(measurement.works.front().count) * kPicosecondsPerSecond /
         static_cast<double>(measurement.length.ps());
}

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
  outcome.rates.push_back(rate_of(replication.measurement));
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

Outcome describe(const Case& one, const Settings& settings) {
  const workload::Scenario& scenario = one.scenario;
  Outcome outcome;
  outcome.workload = scenario.workload;
  outcome.variant = scenario.variant;
  outcome.label = one.label;
  outcome.machine = scenario.machine.name;
  outcome.machine_title = scenario.machine.title;
  outcome.machine_cpus = scenario.machine.sockets * scenario.machine.clusters_per_socket *
                         scenario.machine.cores_per_cluster * scenario.machine.threads_per_core;
  outcome.threads = scenario.threads;
  outcome.seed = settings.seed;
  outcome.warm_up = scenario.measure.warm_up;
  return outcome;
}

/// The numbers of the cases, those with most threads first: the longest simulations should not be
/// the last ones that the other host threads wait for.
std::vector<std::size_t> longest_first(const std::vector<Case>& cases) {
  std::vector<std::size_t> order(cases.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return cases[a].scenario.threads > cases[b].scenario.threads;
  });
  return order;
}

}  // namespace

std::vector<Outcome> run_cases(const std::vector<Case>& cases, const Settings& settings,
                               const Progress& progress) {
  const std::size_t replications = std::max<std::size_t>(settings.replications, 1);
  const std::size_t jobs = cases.size() * replications;
  const std::vector<std::size_t> order = longest_first(cases);
  std::vector<std::optional<Replication>> results(jobs);
  std::mutex mutex;
  std::size_t done = 0;
  for_each_job(jobs, settings.host_threads, [&](std::size_t job) {
    const std::size_t index = order[job / replications];
    const auto replication = static_cast<std::uint32_t>(job % replications);
    results[index * replications + replication] =
        simulate(cases[index].scenario, settings, replication);
    if (!progress) return;
    const std::lock_guard lock(mutex);
    progress(++done, jobs);
  });
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Outcome outcome = describe(cases[i], settings);
    for (std::size_t r = 0; r < replications; ++r) {
      add_figures(outcome, cases[i].figures, results[i * replications + r]->measurement);
      add(outcome, std::move(*results[i * replications + r]), r == 0);
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace hotline::experiment
