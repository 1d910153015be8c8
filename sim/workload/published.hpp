#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hotline::workload {

/// What of a run a figure is about.
struct Quantity {
  enum class Kind : std::uint8_t {
    kRate,      ///< units of work a second
    kTime,      ///< time that an amount of work takes
    kLock,      ///< a column of the lock table
    kFunction,  ///< a column of the profile
    kShare,     ///< work of one kind for one of another
  };
  Kind kind = Kind::kRate;
  std::string name;  ///< of the work, lock or function; empty: the first kind of work
  std::string column;
  std::string of;           ///< of a share: the other kind of work
  std::string caller;       ///< of a function: only as called by this one; empty: all callers
  double amount = 1;        ///< of work, for kTime
  bool per_thread = false;  ///< kTime: that amount by each thread

  /// What its values are in.
  enum class Unit : std::uint8_t { kPerSecond, kNanoseconds, kPercent, kRatio };
  [[nodiscard]] Unit unit() const;
};

/// A figure that somebody published about a workload, to be printed beside the simulated one.
struct Published {
  std::string name;     ///< what it is called in reports
  std::string variant;  ///< of this variant; for a ratio: over `baseline`
  std::optional<std::string> baseline;
  Quantity quantity;
  double value = 0;                      ///< a ratio, or in the quantity's unit
  std::optional<std::uint32_t> threads;  ///< at which point
  std::string source;
  bool informational = false;  ///< of another form of the patch, or another base: not compared
  bool calibrated = false;     ///< the workload was calibrated on it: compared, but no prediction
};

}  // namespace hotline::workload
