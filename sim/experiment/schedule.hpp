#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "sim/experiment/outcome.hpp"

namespace hotline::experiment {

/// One replication of one case.
struct Job {
  std::size_t item = 0;  ///< of the cases
  std::uint32_t replication = 0;
};

/// Cases that are compared with one another and so get equally many replications.
struct Group {
  std::vector<std::size_t> items;
  double cost = 1;  ///< of one simulation, relative to other groups'; orders and estimates only
};

/// Decides which replications are run. Without a precision each case gets the number asked for;
/// with one, a group gets more of them until the 95 % interval of every rate in it is that tight.
/// What is decided follows from the rates alone, so it is the same however many workers there are
/// and in whichever order they finish. No locking; one caller at a time.
class Schedule {
 public:
  Schedule(std::vector<Group> groups, std::size_t items, const Settings& settings);

  /// The next job to begin, dearest first; none if all are under way or done for now.
  [[nodiscard]] std::optional<Job> take();
  /// Somebody else has a job that was taken: it waits apart until come_back().
  void postpone(Job job) { postponed_.push_back(job); }
  /// Jobs that were postponed may be taken again.
  void come_back();
  /// A job has ended with this rate. May make further jobs.
  void finish(Job job, double rate);
  [[nodiscard]] bool is_done() const { return finished_ == planned_; }

  [[nodiscard]] std::size_t finished() const { return finished_; }
  /// Jobs known so far.
  [[nodiscard]] std::size_t planned() const { return planned_; }
  [[nodiscard]] double cost(Job job) const { return groups_[group_of_[job.item]].cost; }
  /// Of all jobs that are planned but not finished.
  [[nodiscard]] double cost_left() const { return cost_left_; }

 private:
  void plan(std::size_t group, std::uint32_t from, std::uint32_t to);
  /// How many replications a group needs in all, as far as can be told now.
  [[nodiscard]] std::uint32_t wanted(std::size_t group) const;

  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;       // by item
  std::vector<std::vector<double>> rates_;  // by item and replication
  std::vector<std::size_t> missing_;        // by group: jobs under way or waiting
  std::deque<Job> waiting_;
  std::deque<Job> postponed_;
  std::optional<double> precision_;
  std::uint32_t most_ = 0;
  std::size_t planned_ = 0;
  std::size_t finished_ = 0;
  double cost_left_ = 0;
};

/// How long to do nothing before asking again what other processes have finished.
inline constexpr std::chrono::milliseconds kLookAgain{20};

/// How many replications a sample whose 95 % interval is `half_width` wide, each way, would need
/// for one of `wanted`: the interval shrinks with the square root of their number. More than
/// `samples`.
[[nodiscard]] std::uint64_t replications_for(double half_width, double wanted,
                                             std::uint64_t samples);

/// Told after each job, one call at a time, from any host thread.
using Progress = std::function<void(std::size_t done, std::size_t all)>;

/// Does a job and returns its rate, or nothing if another process is at it.
using JobWork = std::function<std::optional<double>(Job)>;

/// Works through a schedule on up to `host_threads` threads of the host (0: as many as it has).
/// `work` is called from all of them at once, for a job that another process is at again later.
/// What it throws keeps further jobs from beginning and is rethrown, that of the first case if
/// several do.
void run_schedule(Schedule& schedule, unsigned host_threads, const JobWork& work,
                  const Progress& progress = {});

}  // namespace hotline::experiment
