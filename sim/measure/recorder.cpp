#include "sim/measure/recorder.hpp"

#include <algorithm>
#include <utility>

namespace hotline::measure {

using engine::Duration;
using engine::SimTime;
using workload::CallSiteId;
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

/// Enough for a picture of some hand-overs, and no more than a result file should carry.
void Recorder::keep_span(ThreadId thread, const Acquisition& acquisition, SimTime now) {
  constexpr std::size_t kMostSpans = 256;
  if (spans_.size() == kMostSpans) return;
  spans_.push_back({thread, acquisition.lock, acquisition.has_lock,
                    std::max(acquisition.since, began_) - began_, now - began_});
}

void Recorder::measurement_began(SimTime now) {
  measuring_ = true;
  began_ = now;
  functions_ = profile_so_far();
}

void Recorder::measurement_ended(SimTime now) {
  const std::vector<os::TimeAccounts> before = std::move(functions_);
  functions_ = profile_so_far();
  for (std::size_t function = 0; function < before.size(); ++function) {
    for (std::size_t account = 0; account < os::kAccounts; ++account) {
      functions_[function][account] -= before[function][account];
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
  of(thread).push_back({lock, site, now, false});
}

void Recorder::acquired(ThreadId thread, LockId lock, CallSiteId site, bool waited, SimTime now) {
  Acquisition& acquisition = of(thread).back();
  if (measuring_) {
    LockCounts& counts = locks_[{lock, site}];
    ++counts.total;
    if (waited) {
      ++counts.waited;
      counts.wait.add(now - acquisition.since);
      counts.waiting += inside(acquisition.since, now);
      keep_span(thread, acquisition, now);
    }
  }
  acquisition.has_lock = true;
  acquisition.since = now;
}

void Recorder::read_repeated(ThreadId thread, LockId lock, SimTime) {
  const auto found = find(thread, lock);
  if (measuring_ && found != of(thread).end()) ++locks_[{lock, found->site}].repeated;
}

void Recorder::release_began(ThreadId thread, LockId lock, SimTime now) {
  const auto found = find(thread, lock);
  if (found == of(thread).end()) return;
  if (measuring_) {
    LockCounts& counts = locks_[{lock, found->site}];
    counts.hold.add(now - found->since);
    counts.held += inside(found->since, now);
    keep_span(thread, *found, now);
  }
  of(thread).erase(found);
}

void Recorder::counted(ThreadId, workload::WorkId work, std::uint64_t amount, SimTime now) {
  if (measuring_ && work.value == 0) work_.add(now - began_, amount);
}

std::vector<os::TimeAccounts> Recorder::profile_so_far() const {
  std::vector<os::TimeAccounts> sum;
  if (run_ == nullptr) return sum;
  for (std::uint32_t thread = 0; thread < run_->threads(); ++thread) {
    const auto& own = run_->thread({thread}).by_function();
    if (own.size() > sum.size()) sum.resize(own.size());
    for (std::size_t function = 0; function < own.size(); ++function) {
      for (std::size_t account = 0; account < os::kAccounts; ++account) {
        sum[function][account] += own[function][account];
      }
    }
  }
  return sum;
}

}  // namespace hotline::measure
