#pragma once

#include <functional>

#include "sim/cli/scenario_options.hpp"
#include "sim/experiment/sweep.hpp"

/// What commands that keep their results in a store have in common.
namespace hotline::cli {

/// In the current folder, unless the user names another.
inline constexpr const char* kUsualStore = "hotline.db";

/// What --machine, --with, --models and --seed ask for; no axes and no variants yet.
[[nodiscard]] experiment::SweepRequest sweep_request(const ScenarioOptions& options);

/// Works through a schedule by any means, here or elsewhere.
using Drive = std::function<void(experiment::Schedule&, experiment::SweepRunner&,
                                 const experiment::Progress&)>;

/// Runs what the store does not have, with a line of progress; on this host's cores unless there is
/// another way.
[[nodiscard]] experiment::Sweep run_sweep(const workload::Workload& workload,
                                          const experiment::SweepRequest& request,
                                          const ScenarioOptions& options, experiment::Store& store,
                                          const Drive& drive = {});

/// What the options say about a plan's settings.
[[nodiscard]] experiment::Settings settings_for(const experiment::SweepPlan& plan,
                                                const ScenarioOptions& options);

}  // namespace hotline::cli
