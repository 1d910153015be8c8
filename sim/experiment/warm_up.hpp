#pragma once

#include "sim/engine/time.hpp"
#include "sim/experiment/outcome.hpp"
#include "sim/workload/scenario.hpp"

namespace hotline::experiment {

/// How long the scenario is to warm up: what it says, or for `auto` what a run of its own needs
/// until its rate of work no longer changes (measure::find_transient). Its seed is none of a
/// replication's: a length chosen by looking at what is then measured would favour quiet runs. It
/// lasts as long as the measurement, or up to eight times as long if its transient has not
/// ended by its half; half of the longest is the answer then, and Outcome::is_steady() has to be
/// asked.
[[nodiscard]] engine::Duration warm_up_of(const workload::Scenario& scenario,
                                          const Settings& settings);

}  // namespace hotline::experiment
