#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/experiment/axis.hpp"
#include "sim/experiment/comparison.hpp"
#include "sim/experiment/sample.hpp"
#include "sim/experiment/schedule.hpp"
#include "sim/experiment/store.hpp"

namespace hotline::experiment {

/// What a sweep is asked for.
struct SweepRequest {
  std::vector<workload::Change> fixed;  ///< apply to every point, before the axes
  std::vector<Axis> axes;
  std::vector<std::string> variants;  ///< at least one; the first is the baseline
  std::string plugins;                ///< digest of what was loaded from plug-ins
  std::optional<std::uint64_t> seed;  ///< without one each point has the workload's
  std::uint32_t shard = 1;            ///< only every `shards`-th point, from this one on
  std::uint32_t shards = 1;
};

/// One variant at one point: a simulation but for its replication.
struct SweepItem {
  std::size_t point = 0;
  std::string variant;
  workload::Overrides overrides;
  std::string inputs;  ///< digest of everything resolved
  std::uint64_t seed = 0;
  SampleLabels labels;
};

/// All points of a sweep with their variants, resolved.
struct SweepPlan {
  std::string workload;
  std::string description;
  std::vector<Axis> axes;
  std::vector<std::string> variants;
  std::vector<std::vector<std::size_t>> points;  ///< which value of each axis, by point
  std::vector<SweepItem> items;                  ///< point by point, variant by variant
  std::uint32_t replications = 0;                ///< the workload's, without a say of the user
};

/// Throws input::InputError with what is wrong with any point's variant or paths.
[[nodiscard]] SweepPlan plan_sweep(const workload::Workload& workload, const SweepRequest& request);

/// One point with all its variants.
struct SweptPoint {
  std::vector<std::string> values;  ///< of each axis
  std::string machine;              ///< name
  std::uint32_t threads = 0;
  std::vector<Summary> variants;    ///< in the order of the plan
  std::vector<Contrast> contrasts;  ///< of all but the first
};

/// A finished sweep.
struct Sweep {
  std::string workload;
  std::string description;
  std::vector<Axis> axes;
  std::vector<std::string> variants;
  std::string work;  ///< name of what the rates count; empty if nothing is counted
  std::vector<SweptPoint> points;

  [[nodiscard]] bool is_stuck() const;
};

/// Runs the simulations of a plan that a store does not have yet, and puts each into the store when
/// it has ended. All but prepare() may be called from any host thread.
class SweepRunner {
 public:
  /// `settings`: the seed comes with the plan. Without a store nothing is kept.
  SweepRunner(const workload::Workload& workload, SweepPlan plan, const Settings& settings,
              Store* store);

  /// Reads every point that is not stored yet and throws input::InputError with all that is wrong.
  /// Whoever hands out jobs calls this first; then what is to be run, and in which order.
  [[nodiscard]] Schedule prepare();
  /// Whose job it is now, with its rate if its sample is stored, which is then taken up.
  struct Turn {
    std::optional<double> rate;
    bool is_ours = false;  ///< else: simulate it, and keep() its sample
  };
  [[nodiscard]] Turn reserve(Job job);
  [[nodiscard]] Sample run(Job job) const;
  /// Stores and takes up a sample; returns its rate.
  double keep(Job job, const Sample& sample);
  [[nodiscard]] Sweep result() const;

 private:
  [[nodiscard]] SampleKey key(Job job) const;
  double take(Job job, const Sample& sample);
  /// Takes up what the store has of all items; by item, whether that is everything.
  [[nodiscard]] std::vector<bool> recall_stored();

  const workload::Workload& workload_;
  SweepPlan plan_;
  Settings settings_;
  Store* store_;
  std::vector<std::optional<workload::Scenario>> scenarios_;  // by item, where prepared
  std::mutex mutex_;                                          // of the samples
  std::vector<std::map<std::uint32_t, Sample>> samples_;      // by item and replication
};

}  // namespace hotline::experiment
