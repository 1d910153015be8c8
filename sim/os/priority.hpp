#pragma once

#include <algorithm>
#include <cstdint>

namespace hotline::os {

/// Who goes before whom: real-time threads in the order of their priority, each until it blocks or
/// yields (SCHED_FIFO); then the others, who share the CPU by weight.
struct Priority {
  std::uint8_t real_time = 0;  ///< 1 to 99, 99 first; 0: not real-time
  std::int32_t nice = 0;       ///< -20 to 19; the weight falls by a fifth a step

  friend bool operator==(const Priority&, const Priority&) = default;
};

/// True if `a` runs while `b` waits, whatever time they have had.
constexpr bool goes_before(Priority a, Priority b) { return a.real_time > b.real_time; }

/// What stands for a thread's share: 1024 at nice 0, as in the kernel (whose table rounds a little
/// differently: 1.25 a step).
constexpr std::int64_t weight_of(Priority priority) {
  std::int64_t weight = 1024;
  for (int step = priority.nice; step > 0; --step) weight = weight * 4 / 5;
  for (int step = priority.nice; step < 0; ++step) weight = weight * 5 / 4;
  return weight;
}

}  // namespace hotline::os
