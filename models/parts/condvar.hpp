#pragma once

#include "models/make.hpp"
#include "models/parts/futex.hpp"

namespace hotline::models {

/// A condition variable of user space: a sequence number that every signal changes, and a futex on
/// it. A wait may end for no reason, so it belongs into a loop.
class Condvar {
 public:
  explicit Condvar(Site& site);

  /// Releases the mutex, sleeps until signalled, and acquires the mutex again.
  Task<> wait(Thread& self, Lock& mutex);
  /// Wakes one of those that wait.
  Task<> signal(Thread& self);
  Task<> broadcast(Thread& self);

 private:
  Task<> wake(Thread& self, std::uint32_t count);

  Word sequence_;
  Word waiters_;
  Futex futex_;
};

}  // namespace hotline::models
