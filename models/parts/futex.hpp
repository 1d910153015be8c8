#pragma once

#include "models/make.hpp"
#include "models/parts/raw_spinlock.hpp"
#include "models/parts/tasks.hpp"
#include "models/parts/wait_list.hpp"

namespace hotline::models {

/// The kernel's half of locks in user space (Linux 6.12 kernel/futex/): threads that sleep until
/// somebody wakes those who wait for a word. Its bucket of the kernel's hash table has a line of
/// its own, which it shares with no other futex.
class Futex {
 public:
  explicit Futex(Site& site);

  /// Sleeps if the word holds `expected`, until woken; may return for no reason.
  Task<> wait(Thread& self, Word word, Value expected);
  /// Wakes the first `count` sleepers.
  Task<> wake(Thread& self, std::uint32_t count);

 private:
  Task<> sleep(Thread& self, Value me);
  Task<> unqueue(Thread& self, Value me);
  Task<> wake_queued(Thread& self, std::uint32_t count);

  /// Of a sleeper: not 0 as long as it is in the list.
  Word queued(Value waiter) const { return list_.more(waiter); }

  Word waiters_;
  RawSpinlock lock_;
  WaitList list_;
  Tasks tasks_;
};

}  // namespace hotline::models
