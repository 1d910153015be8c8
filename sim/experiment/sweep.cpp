#include "sim/experiment/sweep.hpp"

#include <algorithm>

#include "sim/experiment/warm_up.hpp"
#include "sim/workload/resolver.hpp"

namespace hotline::experiment {

namespace {

constexpr std::size_t kMostPoints = 1'000'000;

/// Counts through all combinations of the axes' values, the last axis fastest.
std::vector<std::vector<std::size_t>> product(const std::vector<Axis>& axes) {
  std::vector<std::vector<std::size_t>> points{{}};
  for (const Axis& axis : axes) {
    if (points.size() * axis.values.size() > kMostPoints) {
      input::Diagnostics diagnostics;
      diagnostics.error({"--set", {}, axis.name}, "makes more than a million points");
      throw input::InputError(std::move(diagnostics));
    }
    std::vector<std::vector<std::size_t>> longer;
    for (const auto& point : points) {
      for (std::size_t value = 0; value < axis.values.size(); ++value) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    }
    points = std::move(longer);
  }
  return points;
}

/// Adds up what is wrong with many points; each message once.
class Complaints {
 public:
  template <class Work>
  void collect(Work work) {
    try {
      work();
    } catch (const input::InputError& error) {
      for (const input::Diagnostic& one : error.diagnostics().sorted()) {
        if (one.severity == input::Severity::kError) all_.error(one.place, one.message);
      }
    }
  }
  void throw_if_any() const { all_.throw_if_errors(); }

 private:
  input::Diagnostics all_;
};

/// Another machine comes first: what is said about its parameters belongs to it.
void machine_first(std::vector<workload::Change>& changes) {
  std::stable_partition(changes.begin(), changes.end(),
                        [](const workload::Change& change) { return change.path == "machine"; });
}

/// Digests of machines' texts, which are long, and the same at many points.
class MachineDigests {
 public:
  const std::string& of(const workload::Resolved& resolved) {
    const auto [known, is_new] = digests_.try_emplace(resolved.machine);
    if (is_new && resolved.machine != nullptr) known->second = digest(*resolved.machine);
    return known->second;
  }

 private:
  std::map<const std::string*, std::string> digests_;
};

/// The changes that one point's values stand for, and the same in words.
struct PointChanges {
  workload::Overrides overrides;
  std::string words;
};

/// By axis and value; each is read once.
using AxisChanges = std::vector<std::vector<workload::Change>>;

AxisChanges changes_of(const std::vector<Axis>& axes) {
  AxisChanges changes(axes.size());
  Complaints complaints;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    for (std::size_t v = 0; v < axes[a].values.size(); ++v) {
      complaints.collect([&] { changes[a].push_back(axes[a].change(v, "--set")); });
    }
  }
  complaints.throw_if_any();
  return changes;
}

PointChanges changes_at(const SweepRequest& request, const AxisChanges& changes,
                        const std::vector<std::size_t>& values) {
  PointChanges result;
  result.overrides.changes = request.fixed;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Axis& axis = request.axes[i];
    result.overrides.changes.push_back(changes[i][values[i]]);
    result.words += (i == 0 ? "" : " ") + axis.name + "=" + axis.values[values[i]];
  }
  machine_first(result.overrides.changes);
  return result;
}

}  // namespace

SweepPlan plan_sweep(const workload::Workload& workload, const SweepRequest& request) {
  SweepPlan plan{
      workload.name(), workload.description(), request.axes, request.variants, {}, {}, 0};
  workload::Resolver resolver(workload);
  MachineDigests machines;
  Complaints complaints;
  const auto all = product(request.axes);
  const AxisChanges axis_changes = changes_of(request.axes);
  for (std::size_t i = request.shard - 1; i < all.size(); i += request.shards) {
    complaints.collect([&] {
      const PointChanges changes = changes_at(request, axis_changes, all[i]);
      for (const std::string& variant : request.variants) {
        const workload::Resolved resolved = resolver.resolve(variant, changes.overrides);
        if (plan.items.empty()) plan.replications = resolved.replications;
        plan.items.push_back({plan.points.size(),
                              variant,
                              changes.overrides,
                              digest(resolved.text + machines.of(resolved) + request.plugins),
                              request.seed.value_or(resolved.seed),
                              {workload.name(), variant, changes.words}});
      }
    });
    plan.points.push_back(all[i]);
  }
  complaints.throw_if_any();
  return plan;
}

bool Sweep::is_stuck() const {
  return std::any_of(points.begin(), points.end(), [](const SweptPoint& point) {
    return std::any_of(point.variants.begin(), point.variants.end(),
                       [](const Summary& summary) { return !summary.stuck.empty(); });
  });
}

SweepRunner::SweepRunner(const workload::Workload& workload, SweepPlan plan,
                         const Settings& settings, Store* store)
    : workload_(workload),
      plan_(std::move(plan)),
      settings_(settings),
      store_(store),
      scenarios_(plan_.items.size()),
      samples_(plan_.items.size()) {}

SampleKey SweepRunner::key(Job job) const {
  const SweepItem& item = plan_.items[job.item];
  return {item.inputs, replication_seed(item.seed, job.replication), settings_.tie_order,
          settings_.batching};
}

std::vector<bool> SweepRunner::recall_stored() {
  std::vector<bool> is_stored(plan_.items.size(), store_ != nullptr);
  if (store_ == nullptr) return is_stored;
  std::vector<Job> jobs;
  std::vector<SampleKey> keys;
  for (std::size_t item = 0; item < plan_.items.size(); ++item) {
    for (std::uint32_t r = 0; r < settings_.replications; ++r) {
      jobs.push_back({item, r});
      keys.push_back(key(jobs.back()));
    }
  }
  const std::vector<std::optional<Sample>> samples = store_->find(keys);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (samples[i]) {
      take(jobs[i], *samples[i]);
    } else {
      is_stored[jobs[i].item] = false;
    }
  }
  return is_stored;
}

Schedule SweepRunner::prepare() {
  Complaints complaints;
  std::vector<Group> groups(plan_.points.size());
  const std::vector<bool> is_stored = recall_stored();
  for (std::size_t i = 0; i < plan_.items.size(); ++i) {
    const SweepItem& item = plan_.items[i];
    groups[item.point].items.push_back(i);
    if (is_stored[i]) {
      groups[item.point].cost = 0;
      continue;
    }
    complaints.collect([&] {
      scenarios_[i] = workload_.scenario(item.variant, item.overrides);
      groups[item.point].cost = scenarios_[i]->threads;
    });
  }
  complaints.throw_if_any();
  return {std::move(groups), plan_.items.size(), settings_};
}

SweepRunner::Turn SweepRunner::reserve(Job job) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = samples_[job.item].find(job.replication);
    if (known != samples_[job.item].end()) return {known->second.rate(), false};
  }
  if (store_ == nullptr) return {std::nullopt, true};
  const Reservation reserved = store_->reserve(key(job));
  if (reserved.sample) return {take(job, *reserved.sample), false};
  return {std::nullopt, reserved.is_ours};
}

Sample SweepRunner::run(Job job) const {
  const SweepItem& item = plan_.items[job.item];
  Settings settings = settings_;
  settings.seed = item.seed;
  const auto simulate_it = [&](const workload::Scenario& scenario) {
    const engine::Duration warm_up = warm_up_of(scenario, settings);
    return sample_of(scenario, simulate(scenario, settings, job.replication, warm_up));
  };
  const std::optional<workload::Scenario>& prepared = scenarios_[job.item];
  return simulate_it(prepared ? *prepared : workload_.scenario(item.variant, item.overrides));
}

double SweepRunner::keep(Job job, const Sample& sample) {
  if (store_ != nullptr) store_->put(key(job), plan_.items[job.item].labels, sample);
  return take(job, sample);
}

double SweepRunner::take(Job job, const Sample& sample) {
  const std::lock_guard lock(mutex_);
  samples_[job.item].insert_or_assign(job.replication, sample);
  return sample.rate();
}

Sweep SweepRunner::result() const {
  Sweep sweep{plan_.workload, plan_.description, plan_.axes, plan_.variants, "", {}};
  sweep.points.resize(plan_.points.size());
  for (std::size_t i = 0; i < plan_.items.size(); ++i) {
    SweptPoint& point = sweep.points[plan_.items[i].point];
    std::vector<Sample> samples;
    for (const auto& [replication, sample] : samples_[i]) samples.push_back(sample);
    if (samples.empty()) continue;
    point.machine = samples.front().machine;
    point.threads = samples.front().threads;
    sweep.work = samples.front().work;
    point.variants.push_back(summarise(samples));
    if (point.variants.size() == 1) continue;
    point.contrasts.push_back(contrast(plan_.items[i].variant, point.variants.front().rates,
                                       point.variants.back().rates));
  }
  for (std::size_t p = 0; p < plan_.points.size(); ++p) {
    for (std::size_t a = 0; a < plan_.axes.size(); ++a) {
      sweep.points[p].values.push_back(plan_.axes[a].values[plan_.points[p][a]]);
    }
  }
  return sweep;
}

}  // namespace hotline::experiment
