#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/engine/task.hpp"
#include "sim/os/thread.hpp"

namespace hotline::workload {

/// The events of `signal` and `wait_for`: each holds the signals that nobody has taken yet. Waiters
/// block, and are served in the order of waiting. None of this touches memory.
class Rendezvous {
 public:
  explicit Rendezvous(std::size_t events) : events_(events) {}

  /// Waits for `count` signals of an event and takes them.
  engine::Task<> wait(os::Thread& self, std::uint32_t event, std::uint64_t count);
  /// Gives `times` signals, and wakes whose count they complete.
  engine::Task<> signal(os::Thread& self, std::uint32_t event, std::uint64_t times);

 private:
  struct Waiter {
    os::Thread* thread;
    std::uint64_t count;
    bool* served;  ///< a wake may be meant for what the thread did before
  };
  struct State {
    std::uint64_t signals = 0;
    std::deque<Waiter> waiters;
  };

  std::vector<State> events_;
};

}  // namespace hotline::workload
