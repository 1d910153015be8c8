#include "sim/experiment/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

#include "sim/experiment/pool.hpp"

namespace hotline::experiment {

Schedule::Schedule(std::vector<Group> groups, std::size_t items, const Settings& settings)
    : groups_(std::move(groups)),
      group_of_(items),
      rates_(items),
      missing_(groups_.size()),
      precision_(settings.precision),
      most_(settings.max_replications) {
  std::vector<std::size_t> order(groups_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // The longest simulations should not be the last ones that the other workers wait for.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return groups_[a].cost > groups_[b].cost; });
  std::uint32_t first = std::max(settings.replications, 1U);
  if (precision_) first = std::min(std::max(first, 2U), std::max(most_, 2U));
  for (const std::size_t group : order) {
    for (const std::size_t item : groups_[group].items) group_of_[item] = group;
    plan(group, 0, first);
  }
}

void Schedule::plan(std::size_t group, std::uint32_t from, std::uint32_t to) {
  for (const std::size_t item : groups_[group].items) {
    rates_[item].resize(to);
    for (std::uint32_t replication = from; replication < to; ++replication) {
      waiting_.push_back({item, replication});
    }
  }
  const std::size_t jobs = groups_[group].items.size() * (to - from);
  missing_[group] = jobs;
  planned_ += jobs;
  cost_left_ += groups_[group].cost * static_cast<double>(jobs);
}

std::optional<Job> Schedule::take() {
  if (waiting_.empty()) return std::nullopt;
  const Job job = waiting_.front();
  waiting_.pop_front();
  return job;
}

void Schedule::come_back() {
  waiting_.insert(waiting_.end(), postponed_.begin(), postponed_.end());
  postponed_.clear();
}

void Schedule::finish(Job job, double rate) {
  const std::size_t group = group_of_[job.item];
  rates_[job.item][job.replication] = rate;
  ++finished_;
  cost_left_ -= groups_[group].cost;
  if (--missing_[group] > 0 || !precision_) return;
  const auto have = static_cast<std::uint32_t>(rates_[job.item].size());
  const std::uint32_t want = wanted(group);
  if (want > have) plan(group, have, want);
}

std::uint32_t Schedule::wanted(std::size_t group) const {
  std::uint64_t want = 0;
  std::uint64_t have = 0;
  for (const std::size_t item : groups_[group].items) {
    have = rates_[item].size();
    const measure::Interval rate = measure::mean_interval(rates_[item]);
    const double target = *precision_ * rate.mean;
    if (rate.half_width() <= target) continue;
    want = std::max(want, replications_for(rate.half_width(), target, have));
  }
  // The estimate of the spread is rough while there are few: never more than twice as many at once.
  return static_cast<std::uint32_t>(std::min({want, 2 * have, std::uint64_t{most_}}));
}

std::uint64_t replications_for(double half_width, double wanted, std::uint64_t samples) {
  const double factor = half_width / wanted;
  constexpr double kMost = 1e9;
  const double needed = std::min(kMost, std::ceil(static_cast<double>(samples) * factor * factor));
  return std::max(static_cast<std::uint64_t>(needed), samples + 1);
}

namespace {

/// The host threads that work through one schedule together.
class Crew {
 public:
  Crew(Schedule& schedule, const JobWork& work, const Progress& progress)
      : schedule_(schedule), work_(work), progress_(progress) {}

  void work_until_done() {
    std::unique_lock lock(mutex_);
    while (true) {
      const std::optional<Job> job = schedule_.take();
      if (!job) {
        if (schedule_.is_done() || !failures_.empty()) return;
        // Others have what is left: this crew's jobs wake it at once, another process does not.
        changed_.wait_for(lock, kLookAgain);
        schedule_.come_back();
        continue;
      }
      if (!failures_.empty()) return;
      perform(*job, lock);
    }
  }

  void rethrow_failure() const {
    if (!failures_.empty()) std::rethrow_exception(failures_.begin()->second);
  }

 private:
  void perform(Job job, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    std::optional<double> rate;
    std::exception_ptr failure;
    try {
      rate = work_(job);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure) {
      failures_.emplace(std::pair(job.item, job.replication), failure);
    } else if (!rate) {
      schedule_.postpone(job);
      return;
    } else {
      schedule_.finish(job, *rate);
      if (progress_) progress_(schedule_.finished(), schedule_.planned());
    }
    changed_.notify_all();
  }

  Schedule& schedule_;
  const JobWork& work_;
  const Progress& progress_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<std::size_t, std::uint32_t>, std::exception_ptr> failures_;
};

}  // namespace

void run_schedule(Schedule& schedule, unsigned host_threads, const JobWork& work,
                  const Progress& progress) {
  Crew crew(schedule, work, progress);
  const unsigned wanted = host_threads != 0 ? host_threads : std::thread::hardware_concurrency();
  const std::size_t hands = std::min<std::size_t>(std::max(wanted, 1U), schedule.planned());
  for_each_job(hands, static_cast<unsigned>(hands), [&](std::size_t) { crew.work_until_done(); });
  crew.rethrow_failure();
}

}  // namespace hotline::experiment
