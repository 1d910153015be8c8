#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/os/thread.hpp"
#include "sim/workload/scenario.hpp"

namespace hotline::workload {

/// Where a thread stands whose program has not ended.
struct Standstill {
  const os::Thread* thread = nullptr;
  std::string where;                   ///< "12:7": of the step under way
  std::vector<std::string> holds;      ///< names of locks, in the order of acquisition
  std::string lock;                    ///< that it acquires; empty if none
  bool lock_is_free = false;           ///< nobody holds that one
  std::optional<os::ThreadId> holder;  ///< who holds it, if one thread alone does
  std::uint32_t readers = 0;           ///< or how many readers hold it
  std::string event;                   ///< that it waits for, by signals or a wake; empty if none
  engine::SimTime since;               ///< it began to wait
};

/// A report on a run in which nothing gets done any more, in the manner of a kernel's hung-task
/// report: first what is wrong (a cycle in the wait-for graph, a wake-up that was lost, a holder
/// without a CPU), then a line a thread.
std::vector<std::string> diagnose(const std::vector<Standstill>& threads, const Scenario& scenario,
                                  engine::SimTime now);

}  // namespace hotline::workload
