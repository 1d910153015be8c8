#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/experiment/outcome.hpp"
#include "sim/experiment/schedule.hpp"
#include "sim/workload/published.hpp"
#include "sim/workload/scenario.hpp"

namespace hotline::experiment {

/// A scenario to run, the label of the point it stands for, and what figures to take of it.
struct Case {
  workload::Scenario scenario;
  std::string label;
  std::vector<workload::Quantity> figures = {};
};

/// Runs every replication of every case, one simulation a host thread. The outcomes come in the
/// order of the cases and depend on nothing but cases and settings; replication r of every case has
/// the same seed, so that variants share their randomness. `paired`: so many consecutive cases are
/// compared with one another and get equally many replications. Throws input::InputError if a case
/// cannot be built or run.
[[nodiscard]] std::vector<Outcome> run_cases(const std::vector<Case>& cases,
                                             const Settings& settings,
                                             const Progress& progress = {}, std::size_t paired = 1);

}  // namespace hotline::experiment
