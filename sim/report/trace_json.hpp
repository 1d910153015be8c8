#pragma once

#include <string>

#include "sim/measure/timeline.hpp"

namespace hotline::report {

/// A timeline in the Trace Event Format that Chrome and Perfetto open: a process of CPUs, one of
/// locks and one of lines, a thread a track; spans are complete events (X), waiters of a lock
/// counters (C), hand-overs and moved lines flows (s and f). Times in microseconds, to the
/// picosecond.
[[nodiscard]] std::string trace_json(const measure::Timeline& timeline, const std::string& title);

}  // namespace hotline::report
