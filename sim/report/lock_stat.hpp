#pragma once

#include <string>

#include "sim/measure/lock_stat_file.hpp"
#include "sim/measure/measurement.hpp"

namespace hotline::report {

/// What /proc/lock_stat would have said: a class is all instances of a lock, classes with most
/// contentions come first. A contention point is the function that acquires, or its caller if it
/// does nothing else; in place of an address, which has no meaning here, stands a hash of its name
/// (as a kernel prints hashes for %p).
[[nodiscard]] measure::LockStatFile lock_stat_of(const measure::Measurement& measurement);

/// The file's text in the kernel's layout, 220 columns wide.
[[nodiscard]] std::string lock_stat_text(const measure::LockStatFile& file);

}  // namespace hotline::report
