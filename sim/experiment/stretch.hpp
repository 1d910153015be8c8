#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/measure/steps.hpp"
#include "sim/workload/run.hpp"

namespace hotline::experiment {

/// What happened in a stretch of one run, with the run that names things.
struct WatchedRun {
  std::unique_ptr<workload::Run> run;
  std::vector<measure::Step> steps;
  bool is_cut = false;  ///< there was more than could be kept
};

/// Runs a scenario until `to` and keeps each step from `from` on. Throws what running throws.
[[nodiscard]] WatchedRun watch(workload::Scenario scenario, std::uint64_t seed,
                               engine::SimTime from, engine::SimTime to);

}  // namespace hotline::experiment
