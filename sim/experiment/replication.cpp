#include "sim/experiment/replication.hpp"

#include "sim/measure/recorder.hpp"
#include "sim/workload/run.hpp"

namespace hotline::experiment {

namespace {

constexpr double kPicosecondsPerSecond = 1e12;

}  // namespace

double Replication::rate() const {
  if (measurement.works.empty() || measurement.length == engine::Duration()) return 0;
  return static_cast<double>(measurement.works.front().count) * kPicosecondsPerSecond /
         static_cast<double>(measurement.length.ps());
}

Replication simulate(const workload::Scenario& scenario, const Settings& settings,
                     std::uint32_t replication, engine::Duration warm_up) {
  measure::Recorder recorder;
  workload::RunOptions options;
  options.seed = replication_seed(settings.seed, replication);
  options.tie_order = settings.tie_order;
  options.batching = settings.batching;
  options.warm_up = warm_up;
  options.observer = &recorder;
  workload::Run run(scenario, options);
  recorder.profile(run);
  const workload::Ending ending = run.run();
  Replication result{measure::read_off(run, recorder), {}, options.seed};
  if (ending == workload::Ending::kStuck) {
    result.stuck = run.stuck();
    if (result.stuck.empty()) result.stuck.emplace_back("no thread can go on");
  }
  return result;
}

}  // namespace hotline::experiment
