#pragma once

#include <cstdint>
#include <optional>

#include "tests/model/rig.hpp"

namespace hotline::tests {

/// What every thread of a closed loop does.
struct LoopPlan {
  std::uint32_t rounds = 50;
  engine::Duration hold;
  engine::Duration think;
  bool random_think = false;                ///< uniform from 0 to twice `think` instead of fixed
  std::optional<machine::Word> check = {};  ///< incremented inside, without any lock prefix
  bool ends = false;                        ///< gives its CPU up afterwards
  bool in_kernel = false;                   ///< runs there
  bool unpreempted = false;                 ///< from before it acquires until it has released
};

/// What the threads of a closed loop on a lock saw together.
struct LoopLog {
  std::uint32_t inside = 0;  ///< threads that hold the lock now
  std::uint32_t broken = 0;  ///< times a thread got in while another was inside
  std::uint64_t acquisitions = 0;
  std::uint32_t unfinished = 0;
  std::uint64_t waiters_seen = 0;  ///< sum over releases of the threads that wait then
  std::uint32_t waiting = 0;
  std::uint64_t handovers = 0;     ///< releases with a waiter
  engine::Duration handover_time;  ///< from the release's beginning to the next one inside
  engine::SimTime last_release;
  bool handing_over = false;
};

/// Told which thread is about to acquire the lock, and which has just got it.
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void begins(std::uint32_t thread) = 0;
  virtual void acquired(std::uint32_t thread) = 0;
};

/// Has every thread do `plan.rounds` times: acquire, increment, hold, release, think. All start at
/// once. `watcher` may be null.
void spawn_loops(Rig& rig, const LoopPlan& plan, LoopLog& log, Watcher* watcher = nullptr);

}  // namespace hotline::tests
