#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/time.hpp"
#include "sim/input/diagnostics.hpp"

/// /proc/lock_stat as Linux prints it (Documentation/locking/lockstat.rst), from a kernel or from
/// one of our runs.
namespace hotline::measure {

/// The titles of the columns after "class name".
inline constexpr std::array<std::string_view, 12> kLockStatColumns{
    "con-bounces",    "contentions",  "waittime-min",   "waittime-max",
    "waittime-total", "waittime-avg", "acq-bounces",    "acquisitions",
    "holdtime-min",   "holdtime-max", "holdtime-total", "holdtime-avg"};

/// Four columns; the file has them in microseconds with two decimals.
struct LockStatTimes {
  engine::Duration min, max, total, average;
};

/// How often waits came from, or ran into a holder that came from, one call.
struct LockStatPoint {
  std::uint64_t count = 0;
  std::string address;  ///< as it stands there, hexadecimal digits
  std::string symbol;   ///< "alloc_vmap_area+0x1c7/0x910"
};

/// One row, with the contention points that stand below it.
struct LockStatClass {
  std::string name;  ///< with -W or -R for one side of a lock that readers share
  std::uint64_t con_bounces = 0;
  std::uint64_t contentions = 0;
  LockStatTimes wait;
  std::uint64_t acq_bounces = 0;
  std::uint64_t acquisitions = 0;
  LockStatTimes hold;
  std::vector<LockStatPoint> waiters;  ///< where the waits began
  std::vector<LockStatPoint> holders;  ///< where the lock had been taken then
};

struct LockStatFile {
  std::string version = "0.4";
  std::vector<LockStatClass> classes;
};

/// "rw" for "rw-W" and "rw-R".
[[nodiscard]] std::string_view without_side(std::string_view name);

/// Reads a whole file; `file` names it in messages. What cannot be read is an error with line and
/// column, and left out of the result; times that contradict each other are a warning.
[[nodiscard]] LockStatFile parse_lock_stat(std::string_view text, const std::string& file,
                                           input::Diagnostics& diagnostics);

}  // namespace hotline::measure
