#pragma once

#include <optional>
#include <string>

#include "sim/cli/scenario_options.hpp"

namespace hotline::cli {

/// Runs what the published figures of all workloads of a folder (and of those below it) need, and
/// prints them in one table. Exit code 1 if a simulation got stuck or, with `within`, a prediction
/// lies farther from what was published than that share.
[[nodiscard]] int compare_all(const std::string& folder, const ScenarioOptions& options,
                              std::optional<double> within);

}  // namespace hotline::cli
