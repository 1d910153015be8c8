#pragma once

#include "sim/input/diagnostics.hpp"

namespace hotline::cli {

/// Sends log lines to stderr: "hotline: warning: ...".
void start_log();

/// Logs the warnings among `diagnostics` and throws input::InputError if there are errors.
void report_problems(const input::Diagnostics& diagnostics);

}  // namespace hotline::cli
