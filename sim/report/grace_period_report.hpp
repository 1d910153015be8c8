#pragma once

#include <string>

#include "sim/experiment/grace_period.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// A grace period's events by time: what happens to several CPUs in a row is one line, with the
/// time of the last.
[[nodiscard]] std::string grace_period_text(const machine::Topology& topology,
                                            const experiment::GracePeriodSetup& setup,
                                            const experiment::GracePeriodTimeline& timeline,
                                            const Style& style);

}  // namespace hotline::report
