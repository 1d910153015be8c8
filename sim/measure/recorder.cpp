#include "sim/measure/recorder.hpp"

#include <algorithm>
#include <utility>

namespace hotline::measure {

using engine::Duration;
using engine::SimTime;
using workload::CallSiteId;
using workload::FunctionId;
using workload::LockId;
using workload::ThreadId;

std::vector<Recorder::Acquisition>& Recorder::of(ThreadId thread) {
  if (thread.value >= by_thread_.size()) by_thread_.resize(thread.value + 1);
  return by_thread_[thread.value];
}

std::vector<Recorder::Acquisition>::iterator Recorder::find(ThreadId thread, LockId lock) {
  std::vector<Acquisition>& all = of(thread);
  return std::find_if(all.begin(), all.end(),
                      [&](const Acquisition& acquisition) { return acquisition.lock == lock; });
}

Duration Recorder::inside(SimTime since, SimTime now) const {
  return now - std::max(since, began_);
}

void Recorder::measurement_began(SimTime now) {
  measuring_ = true;
  began_ = now;
  functions_ = profile_so_far();
  stalls_ = stalls_so_far();
  if (run_ == nullptr) return;
  for (const workload::SharedVariable& variable : run_->shared_variables()) {
    variables_.emplace(variable.slot, LevelSeries(variable.value));
  }
}

void Recorder::measurement_ended(SimTime now) {
  const std::map<std::string, Functions> before = std::move(functions_);
  functions_ = profile_so_far();
  for (const auto& [group, functions] : before) {
    for (std::size_t function = 0; function < functions.size(); ++function) {
      for (std::size_t account = 0; account < os::kAccounts; ++account) {
        functions_[group][function][account] -= functions[function][account];
      }
    }
  }
  const std::map<std::string, Stalls> stalls_before = std::move(stalls_);
  stalls_ = stalls_so_far();
  for (const auto& [group, stalls] : stalls_before) {
    for (std::size_t function = 0; function < stalls.size(); ++function) {
      for (std::size_t source = 0; source < stalls[function].size(); ++source) {
        stalls_[group][function][source] -= stalls[function][source];
      }
    }
  }
  for (const auto& acquisitions : by_thread_) {
    for (const Acquisition& acquisition : acquisitions) {
      LockCounts& counts = locks_[{acquisition.lock, acquisition.site}];
      (acquisition.has_lock ? counts.held : counts.waiting) += inside(acquisition.since, now);
    }
  }
  measuring_ = false;
}

void Recorder::acquire_began(ThreadId thread, LockId lock, CallSiteId site, SimTime now) {
  if (lock.value >= taken_.size()) taken_.resize(lock.value + 1);
  Acquisition acquisition{lock, site, now, false, false, {}, nullptr};
  if (const std::optional<Taken>& taken = taken_[lock.value]) {
    acquisition.bounces = taken->cpu != cpu_of(thread);
    acquisition.taken_at = taken->site;
  }
  of(thread).push_back(acquisition);
}

void Recorder::acquired(ThreadId thread, LockId lock, CallSiteId site, bool waited, SimTime now) {
  Acquisition& acquisition = of(thread).back();
  std::optional<Taken>& taken = taken_[lock.value];
  const machine::CpuId cpu = cpu_of(thread);
  if (measuring_) {
    LockCounts& counts = counts_of(acquisition);
    ++counts.total;
    if (taken && taken->cpu != cpu) ++counts.acq_bounces;
    if (waited) count_wait(acquisition, thread, now);
  }
  taken = {cpu, site};
  acquisition.has_lock = true;
  acquisition.since = now;
}

LockCounts& Recorder::counts_of(Acquisition& acquisition) {
  if (acquisition.counts == nullptr) {
    acquisition.counts = &locks_[{acquisition.lock, acquisition.site}];
  }
  return *acquisition.counts;
}

void Recorder::count_wait(const Acquisition& acquisition, ThreadId thread, SimTime now) {
  const Duration wait = now - acquisition.since;
  LockCounts& counts = *acquisition.counts;
  ++counts.waited;
  counts.wait.add(wait);
  counts.waiting += inside(acquisition.since, now);
  if (acquisition.bounces) ++counts.con_bounces;
  if (acquisition.taken_at == acquisition.site) {
    ++counts.kept_out;
  } else if (acquisition.taken_at) {
    ++locks_[{acquisition.lock, *acquisition.taken_at}].kept_out;
  }
  if (thread.value >= waits_.size()) waits_.resize(thread.value + 1);
  waits_[thread.value].add({1, wait, wait});
}

machine::CpuId Recorder::cpu_of(ThreadId thread) const {
  return run_ == nullptr ? machine::CpuId{thread.value} : run_->thread(thread).cpu();
}

Contention Recorder::waits_of(ThreadId thread) const {
  return thread.value < waits_.size() ? waits_[thread.value] : Contention();
}

void Recorder::read_repeated(ThreadId thread, LockId lock, SimTime) {
  const auto found = find(thread, lock);
  if (measuring_ && found != of(thread).end()) ++locks_[{lock, found->site}].repeated;
}

void Recorder::release_began(ThreadId thread, LockId lock, SimTime now) {
  const auto found = find(thread, lock);
  if (found == of(thread).end()) return;
  if (measuring_) {
    LockCounts& counts = counts_of(*found);
    counts.hold.add(now - found->since);
    counts.held += inside(found->since, now);
  }
  of(thread).erase(found);
}

void Recorder::counted(ThreadId, workload::WorkId work, std::uint64_t amount, SimTime now) {
  if (!measuring_) return;
  if (work.value >= works_.size()) works_.resize(work.value + 1);
  works_[work.value].add(now - began_, static_cast<std::int64_t>(amount));
}

void Recorder::shared_set(std::uint32_t slot, std::int64_t value, SimTime now) {
  const auto found = variables_.find(slot);
  if (found != variables_.end()) found->second.set(now - began_, value);
}

void Recorder::entered(ThreadId thread, FunctionId function, SimTime now) {
  if (thread.value >= calls_by_thread_.size()) calls_by_thread_.resize(thread.value + 1);
  calls_by_thread_[thread.value].push_back({function, now});
}

void Recorder::left(ThreadId thread, SimTime now) {
  const Call call = calls_by_thread_[thread.value].back();
  calls_by_thread_[thread.value].pop_back();
  if (!measuring_) return;
  if (call.function.value >= calls_.size()) calls_.resize(call.function.value + 1);
  calls_[call.function.value].add(now - call.since);
}

std::map<std::string, Recorder::Functions> Recorder::profile_so_far() const {
  std::map<std::string, Functions> by_group;
  if (run_ == nullptr) return by_group;
  for (std::uint32_t thread = 0; thread < run_->threads(); ++thread) {
    const Functions& own = run_->thread({thread}).by_function();
    Functions& sum = by_group[run_->group_of({thread})];
    if (own.size() > sum.size()) sum.resize(own.size());
    for (std::size_t function = 0; function < own.size(); ++function) {
      for (std::size_t account = 0; account < os::kAccounts; ++account) {
        sum[function][account] += own[function][account];
      }
    }
  }
  return by_group;
}

std::map<std::string, Recorder::Stalls> Recorder::stalls_so_far() const {
  std::map<std::string, Stalls> by_group;
  if (run_ == nullptr) return by_group;
  for (std::uint32_t thread = 0; thread < run_->threads(); ++thread) {
    const Stalls& own = run_->thread({thread}).stalls();
    Stalls& sum = by_group[run_->group_of({thread})];
    if (own.size() > sum.size()) sum.resize(own.size());
    for (std::size_t function = 0; function < own.size(); ++function) {
      const auto& by_source = own[function];
      if (by_source.size() > sum[function].size()) sum[function].resize(by_source.size());
      for (std::size_t i = 0; i < by_source.size(); ++i) sum[function][i] += by_source[i];
    }
  }
  return by_group;
}

}  // namespace hotline::measure
