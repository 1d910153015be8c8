#pragma once

#include <string>

#include "sim/experiment/comparison.hpp"
#include "sim/measure/measurement.hpp"

namespace hotline::report {

/// What `perf report --stdio` with caller-based call graph prints: functions by self time as a
/// share of the time that threads had a CPU; below each its callers, as shares of the function's
/// own time, outward until the program itself. Functions and branches below `least` percent are
/// left out.
[[nodiscard]] std::string profile_text(const measure::Measurement& measurement, double least);

/// One line a stack for flame graphs: "group;outer;inner NANOSECONDS". What a function does, waits
/// or stalls for is its last frame: "[lock wait]", "[line stall]" and so on; work has none.
[[nodiscard]] std::string folded_text(const measure::Measurement& measurement);

/// What `perf diff` prints, for each variant but the baseline at each point: the baseline's shares
/// by function, and how the variant's differ.
[[nodiscard]] std::string profile_diffs_text(const experiment::Comparison& comparison);

}  // namespace hotline::report
