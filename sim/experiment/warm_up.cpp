#include "sim/experiment/warm_up.hpp"

#include <algorithm>
#include <vector>

#include "sim/measure/transient.hpp"
#include "sim/workload/run.hpp"

namespace hotline::experiment {

namespace {

using engine::Duration;
using engine::SimTime;

constexpr std::size_t kIntervals = 1000;  // two hundred batches of five
constexpr std::uint64_t kLongest = 8;     // times the measurement

/// Work of the first kind in equal intervals since the start.
class Series : public workload::Observer {
 public:
  explicit Series(Duration interval) : interval_(interval), work_(kIntervals) {}

  void counted(workload::ThreadId, workload::WorkId work, std::uint64_t amount,
               SimTime now) override {
    const auto at = static_cast<std::size_t>((now - SimTime()) / interval_);
    if (work.value == 0 && at < work_.size()) work_[at] += static_cast<double>(amount);
  }

  /// Without what came after the run's end.
  [[nodiscard]] std::span<const double> until(SimTime end) const {
    const auto whole = static_cast<std::size_t>((end - SimTime()) / interval_);
    return std::span(work_).first(std::min(whole, work_.size()));
  }

 private:
  Duration interval_;
  std::vector<double> work_;
};

}  // namespace

Duration warm_up_of(const workload::Scenario& scenario, const Settings& settings) {
  const workload::MeasureSpec& measure = scenario.measure;
  if (!measure.finds_warm_up || !measure.duration) return measure.warm_up;
  Duration length = *measure.duration;
  for (std::uint64_t times = 1; times <= kLongest; times *= 2) {
    length = *measure.duration * times;
    const Duration interval = std::max(length / kIntervals, Duration::from_ps(1));
    Series series(interval);
    workload::RunOptions options;
    options.seed = ~settings.seed;
    options.tie_order = settings.tie_order;
    options.batching = settings.batching;
    options.warm_up = Duration();
    options.duration = length;
    options.observer = &series;
    workload::Run run(scenario, options);
    const bool is_over = run.run() != workload::Ending::kTimeUp;
    const auto transient = measure::find_transient(series.until(run.measured_to()));
    if (transient.has_ended) return interval * transient.observations;
    if (is_over) return Duration();  // nothing would be left to measure
  }
  return length / 2;
}

}  // namespace hotline::experiment
