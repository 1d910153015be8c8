#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/measure/histogram.hpp"
#include "sim/measure/level_series.hpp"
#include "sim/measure/lock_stats.hpp"
#include "sim/workload/observer.hpp"
#include "sim/workload/run.hpp"

namespace hotline::measure {

/// Listens to one run and keeps what happens between measurement_began and measurement_ended.
///
/// When the measuring begins is the run's decision (a fixed warm-up today); the recorder only needs
/// to be told, so a rule that detects the end of the transient can take that decision later.
class Recorder : public workload::Observer {
 public:
  using LockSite = std::pair<workload::LockId, workload::CallSiteId>;

  void measurement_began(engine::SimTime now) override;
  void measurement_ended(engine::SimTime now) override;
  void acquire_began(workload::ThreadId thread, workload::LockId lock, workload::CallSiteId site,
                     engine::SimTime now) override;
  void acquired(workload::ThreadId thread, workload::LockId lock, workload::CallSiteId site,
                bool waited, engine::SimTime now) override;
  void read_repeated(workload::ThreadId thread, workload::LockId lock,
                     engine::SimTime now) override;
  void release_began(workload::ThreadId thread, workload::LockId lock,
                     engine::SimTime now) override;
  void counted(workload::ThreadId thread, workload::WorkId work, std::uint64_t amount,
               engine::SimTime now) override;
  void shared_set(std::uint32_t slot, std::int64_t value, engine::SimTime now) override;
  void entered(workload::ThreadId thread, workload::FunctionId function,
               engine::SimTime now) override;
  void left(workload::ThreadId thread, engine::SimTime now) override;

  /// From now on the profile by function, the threads' CPUs and the first values of variables are
  /// taken from this run; it must outlive the recorder's last event. Without it there are none, and
  /// each thread has a CPU.
  void profile(const workload::Run& run) { run_ = &run; }

  /// By lock instance and call site.
  [[nodiscard]] const std::map<LockSite, LockCounts>& locks() const { return locks_; }
  /// Work of each kind over the window, by its number.
  [[nodiscard]] const std::vector<LevelSeries>& works() const { return works_; }
  /// The variables that all threads share, by their slots.
  [[nodiscard]] const std::map<std::uint32_t, LevelSeries>& variables() const { return variables_; }
  /// How long calls took that ended in the window, by function; of the last functions there may be
  /// none.
  [[nodiscard]] const std::vector<Histogram>& calls() const { return calls_; }
  /// Its waits for locks inside the window.
  [[nodiscard]] Contention waits_of(workload::ThreadId thread) const;
  /// Self time by function, over the threads of one group.
  using Functions = std::vector<os::TimeAccounts>;
  /// os::Thread::stalls(), over the threads of one group.
  using Stalls = std::vector<std::vector<engine::Duration>>;
  /// The same inside the window by group of threads; functions that never ran may be missing.
  [[nodiscard]] const std::map<std::string, Functions>& functions() const { return functions_; }
  [[nodiscard]] const std::map<std::string, Stalls>& stalls() const { return stalls_; }

 private:
  /// An acquisition under way: since when the thread waits for the lock or has it.
  struct Acquisition {
    workload::LockId lock;
    workload::CallSiteId site;
    engine::SimTime since;
    bool has_lock = false;
    bool bounces = false;  ///< the lock was taken last on another CPU when the wait began
    std::optional<workload::CallSiteId> taken_at;  ///< where it was taken last then
    LockCounts* counts = nullptr;                  ///< its own, once something was counted
  };

  /// Who took a lock last.
  struct Taken {
    machine::CpuId cpu;
    workload::CallSiteId site;
  };

  struct Call {
    workload::FunctionId function;
    engine::SimTime since;
  };

  std::vector<Acquisition>& of(workload::ThreadId thread);
  /// The acquisition of that lock by that thread, or the end. Locks need not be released in the
  /// reverse order of their acquisition.
  std::vector<Acquisition>::iterator find(workload::ThreadId thread, workload::LockId lock);
  /// The part of the time from `since` to `now` that lies in the window.
  [[nodiscard]] engine::Duration inside(engine::SimTime since, engine::SimTime now) const;
  [[nodiscard]] std::map<std::string, Functions> profile_so_far() const;
  [[nodiscard]] std::map<std::string, Stalls> stalls_so_far() const;
  [[nodiscard]] machine::CpuId cpu_of(workload::ThreadId thread) const;
  LockCounts& counts_of(Acquisition& acquisition);
  /// Of an acquisition whose counts are known.
  void count_wait(const Acquisition& acquisition, workload::ThreadId thread, engine::SimTime now);

  bool measuring_ = false;
  engine::SimTime began_;
  std::vector<std::vector<Acquisition>> by_thread_;  // innermost last
  std::map<LockSite, LockCounts> locks_;
  std::vector<std::vector<Call>> calls_by_thread_;  // innermost last
  std::vector<Histogram> calls_;
  std::vector<LevelSeries> works_;
  std::map<std::uint32_t, LevelSeries> variables_;
  const workload::Run* run_ = nullptr;
  std::map<std::string, Functions> functions_;
  std::map<std::string, Stalls> stalls_;
  std::vector<std::optional<Taken>> taken_;  // by lock
  std::vector<Contention> waits_;            // by thread
};

}  // namespace hotline::measure
