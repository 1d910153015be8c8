#pragma once

#include <cstdint>
#include <string>

#include "sim/measure/measurement.hpp"

namespace hotline::report {

/// What the waits are added up by.
enum class ContentionBy : std::uint8_t { kCaller, kTask, kLock };

/// What `perf lock contention` prints: how often somebody waited, how long in all, at most and on
/// average, longest total first. As type stands the lock's model.
[[nodiscard]] std::string lock_contention_text(const measure::Measurement& measurement,
                                               ContentionBy by);

}  // namespace hotline::report
