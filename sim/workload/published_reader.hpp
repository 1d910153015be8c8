#pragma once

#include "sim/input/reader.hpp"
#include "sim/workload/published.hpp"

namespace hotline::workload {

/// Reads key `quantity` of a map: what of a run is meant.
[[nodiscard]] Quantity read_quantity(input::MapReader& map);

}  // namespace hotline::workload
