#include "sim/experiment/replication.hpp"

#include <optional>

#include "sim/measure/fan_out.hpp"
#include "sim/measure/recorder.hpp"
#include "sim/workload/run.hpp"

namespace hotline::experiment {

namespace {

constexpr double kPicosecondsPerSecond = 1e12;

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
    if (timeline) timeline->measurement_began(now);
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

}  // namespace

double Replication::rate() const {
  if (measurement.works.empty() || measurement.length == engine::Duration()) return 0;
  return static_cast<double>(measurement.works.front().count) * kPicosecondsPerSecond /
         static_cast<double>(measurement.length.ps());
}

Replication simulate(const workload::Scenario& scenario, const Settings& settings,
                     std::uint32_t replication, engine::Duration warm_up) {
  Listener recorder(settings, replication);
  measure::ProbeList probes;
  if (recorder.sharing) probes.add(*recorder.sharing);
  if (recorder.timeline) probes.add(*recorder.timeline);
  workload::RunOptions options;
  options.seed = replication_seed(settings.seed, replication);
  options.tie_order = settings.tie_order;
  options.batching = settings.batching;
  options.warm_up = warm_up;
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

}  // namespace hotline::experiment
