#pragma once

#include <optional>

#include "sim/measure/measurement.hpp"
#include "sim/workload/published.hpp"

namespace hotline::experiment {

/// What a measurement says to a quantity, in the quantity's unit; nothing if it has no such work,
/// lock or function, or if no work was done that should take a time.
[[nodiscard]] std::optional<double> figure_of(const workload::Quantity& quantity,
                                              const measure::Measurement& measurement);

}  // namespace hotline::experiment
