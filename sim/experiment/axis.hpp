#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/workload/workload.hpp"

namespace hotline::experiment {

/// One thing that a sweep varies: a path of the workload and the values that it takes.
struct Axis {
  std::string name;                 ///< as the user wrote it: "threads", "objects.lock.model"
  std::vector<std::string> values;  ///< as they are written in a workload; at least one
  bool doubles = false;             ///< came from a range that doubles

  /// The change that one of the values stands for; `origin` ("--set") stands in messages. Throws
  /// input::InputError.
  [[nodiscard]] workload::Change change(std::size_t value, std::string_view origin) const;
};

/// Reads `path=values`. Values are a list `a,b,c` (commas inside brackets, braces and quotes are
/// part of a value), of which each may be a range of whole numbers or durations: `1..16` takes
/// steps of one, `1..16:5` of five (1, 6, 11, 16: the end is always there), and `1..12:log` doubles
/// (1, 2, 4, 8, 12). Throws input::InputError.
[[nodiscard]] Axis parse_axis(std::string_view text, std::string_view origin);

/// A value as a number for a curve's axis, durations in nanoseconds; nothing if it is none.
[[nodiscard]] std::optional<double> number_of(const std::string& value);

}  // namespace hotline::experiment
