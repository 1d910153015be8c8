#pragma once

#include <string>
#include <vector>

#include "sim/cli/scenario_options.hpp"

namespace hotline::cli {

/// `hotline compare W --crossover threads`, or `PATH=LOW..HIGH`: finds where variants swap places
/// with the first of them. Results come from and go to the store.
int find_crossover(const ScenarioOptions& options, const workload::Workload& workload,
                   const std::string& range, const std::vector<std::string>& variants,
                   const std::string& store);

}  // namespace hotline::cli
