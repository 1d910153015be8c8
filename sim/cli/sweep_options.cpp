#include "sim/cli/sweep_options.hpp"

#include <fstream>
#include <iterator>

#include "sim/cli/progress.hpp"

namespace hotline::cli {

namespace {

void run_here(experiment::Schedule& schedule, experiment::SweepRunner& runner,
              unsigned host_threads, const experiment::Progress& progress) {
  experiment::run_schedule(
      schedule, host_threads,
      [&](experiment::Job job) -> std::optional<double> {
        const experiment::SweepRunner::Turn turn = runner.reserve(job);
        if (turn.is_ours) return runner.keep(job, runner.run(job));
        return turn.rate;
      },
      progress);
}

}  // namespace

experiment::SweepRequest sweep_request(const ScenarioOptions& options) {
  experiment::SweepRequest request;
  ScenarioOptions fixed = options;
  fixed.changes.clear();
  request.fixed = fixed.overrides().changes;
  request.seed = options.seed;
  for (const std::string& library : options.libraries) {
    std::ifstream in(library, std::ios::binary);
    request.plugins += experiment::digest(std::string(std::istreambuf_iterator<char>(in), {}));
  }
  return request;
}

experiment::Settings settings_for(const experiment::SweepPlan& plan,
                                  const ScenarioOptions& options) {
  workload::MeasureSpec measure;
  measure.replications = plan.replications;
  return options.settings(measure);
}

experiment::Sweep run_sweep(const workload::Workload& workload,
                            const experiment::SweepRequest& request, const ScenarioOptions& options,
                            experiment::Store& store, const Drive& drive) {
  experiment::SweepPlan plan = experiment::plan_sweep(workload, request);
  const experiment::Settings settings = settings_for(plan, options);
  experiment::SweepRunner runner(workload, std::move(plan), settings, &store);
  experiment::Schedule schedule = runner.prepare();
  ProgressLine line("sweep " + workload.name());
  const experiment::Progress progress = [&](std::size_t done, std::size_t all) {
    line.update(done, all, schedule.cost_left());
  };
  if (drive) {
    drive(schedule, runner, progress);
  } else {
    run_here(schedule, runner, settings.host_threads, progress);
  }
  return runner.result();
}

}  // namespace hotline::cli
