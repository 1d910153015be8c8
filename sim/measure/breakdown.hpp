#pragma once

#include <string>
#include <vector>

#include "sim/measure/measurement.hpp"

namespace hotline::measure {

/// One kind of time. What the kinds of a breakdown take adds up to all the threads' time.
struct TimeKind {
  enum class Class : std::uint8_t { kWork, kStall, kSpinning, kBlocked, kScheduling, kIdle };
  std::string name;  ///< "work", "line from other socket, 33 ns", "blocked"
  Class kind = Class::kWork;
};

/// The time of one function (or of all) by kind.
struct BreakdownEntry {
  std::string name;
  std::vector<engine::Duration> times;  ///< in the order of Breakdown::kinds

  [[nodiscard]] engine::Duration total() const;
};

/// Where all threads' time has gone: useful work, line stalls by where the line came from, spinning
/// for locks, asleep for locks, ready without a CPU, and idle (asleep otherwise, or ended).
struct Breakdown {
  std::vector<TimeKind> kinds;
  BreakdownEntry all;
  std::vector<BreakdownEntry> functions;  ///< longest first; a group's own steps are one
};

[[nodiscard]] Breakdown breakdown_of(const Measurement& measurement);

}  // namespace hotline::measure
