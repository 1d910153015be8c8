#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/machine/topology.hpp"
#include "sim/model/rcu.hpp"
#include "sim/os/parameters.hpp"

namespace hotline::experiment {

/// One caller that waits for a grace period of the kernel's RCU.
struct GracePeriodSetup {
  os::Parameters os;
  bool expedited = false;
  std::uint32_t busy = 0;     ///< CPUs beside the caller's that compute, from CPU 1 on
  bool in_kernel = false;     ///< they do so in the kernel
  std::uint32_t callers = 1;  ///< on CPUs 0, 1, ...: all at the same time
  std::uint64_t seed = 1;
  bool details = false;  ///< for reports: each CPU of an expedited one
};

/// What happened, from the request to the last caller's return.
struct GracePeriodTimeline {
  std::vector<model::RcuEvent> events;
  engine::SimTime requested;
  engine::SimTime returned;  ///< of the last caller; or when the run was given up
  bool over = true;          ///< every caller has returned
};

/// Runs it after the machine has idled or computed for some ticks, for ten seconds at most.
GracePeriodTimeline trace_grace_period(const machine::Topology& topology,
                                       const GracePeriodSetup& setup);

}  // namespace hotline::experiment
