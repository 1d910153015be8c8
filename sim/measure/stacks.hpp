#pragma once

#include <string>
#include <vector>

#include "sim/measure/recorder.hpp"
#include "sim/os/thread.hpp"
#include "sim/workload/run.hpp"

namespace hotline::measure {

/// Self time of a function when called in one way.
struct StackEntry {
  std::vector<std::string> frames;  ///< outermost first: the group of threads, then the functions
  os::TimeAccounts accounts{};
  /// The line stalls of its operations that are over, by os::stall_class(): no more than the
  /// account.
  std::vector<engine::Duration> stalls = {};

  [[nodiscard]] engine::Duration self() const;
  /// The frames with ; between them, as flame graphs are made of.
  [[nodiscard]] std::string folded() const;
};

/// One entry for each way into a function that took time, and one for each group's time outside
/// functions, by frames. Together they are all the time of all threads.
[[nodiscard]] std::vector<StackEntry> read_stacks(workload::Run& run, const Recorder& recorder);

/// Adds up two of them; both and the result are ordered by frames.
void add_stacks(std::vector<StackEntry>& sum, const std::vector<StackEntry>& other);

}  // namespace hotline::measure
