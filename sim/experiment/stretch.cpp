#include "sim/experiment/stretch.hpp"

#include <utility>

namespace hotline::experiment {

WatchedRun watch(workload::Scenario scenario, std::uint64_t seed, engine::SimTime from,
                 engine::SimTime to) {
  constexpr std::size_t kMostSteps = 20'000;
  // Nothing is measured: the run ends with the stretch, be it long before or after its measurement.
  scenario.measure.warm_up = {};
  scenario.measure.duration = to - engine::SimTime();
  measure::StepRecorder recorder(from, to, kMostSteps);
  workload::RunOptions options;
  options.seed = seed;
  options.batching = false;
  options.observer = &recorder;
  options.probe = &recorder;
  WatchedRun watched{std::make_unique<workload::Run>(scenario, options), {}, false};
  recorder.listen_to(*watched.run);
  static_cast<void>(watched.run->run());
  watched.steps = recorder.take();
  watched.is_cut = recorder.overflowed();
  return watched;
}

}  // namespace hotline::experiment
