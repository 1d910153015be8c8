#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/measure/lock_stats.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// The lock table in lockmeter's columns: UTIL and CON, hold mean and maximum, wait mean and
/// maximum with the share of CPU time, acquisitions, those without and with waiting, and rejected
/// attempts: those of readers of a sequence lock that must begin anew (no step of a workload tries
/// without waiting, so no try is ever rejected). Call sites stand indented below their lock. At
/// most `most` locks.
[[nodiscard]] std::string lock_table(const std::vector<measure::LockRow>& rows, std::size_t most,
                                     const Style& style);

/// The same in lockmeter's own widths and without what it has not, all locks; of a report of 2003:
///  20.7% 20.9%  0.5us( 146us)  2.9us( 144us)(0.81%)  31590840 79.1% 20.9%    0%  dcache_lock
[[nodiscard]] std::string lockmeter_text(const std::vector<measure::LockRow>& rows,
                                         const Style& style);

}  // namespace hotline::report
