#pragma once

#include <cstddef>
#include <string>

#include "sim/measure/measurement.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// The hot-line table, hottest first: share of all stalls and of CPU time, requests, invalidations
/// and what is on the line; below each its transfers by distance and, where several fields stall,
/// each field's share. At most `most` lines; lines without stalls are left out.
[[nodiscard]] std::string line_table(const measure::Measurement& measurement, std::size_t most,
                                     const Style& style);

/// "ns.msg_bytes, ns.msg_hdrs": the hottest line; empty if none stalled.
[[nodiscard]] std::string hottest_line(const measure::Measurement& measurement);

/// "smt sibling 3.0%, same socket 48.1%, ...": the transfers of one line by distance.
[[nodiscard]] std::string transfers_text(const measure::Measurement& measurement,
                                         const std::string& line);

}  // namespace hotline::report
