#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/machine/types.hpp"

namespace hotline::os {

class Thread;

/// The threads that are ready to run on one CPU, the running one excluded. Queues are short, so a
/// plain list is searched.
class RunQueue {
 public:
  void push(Thread& thread);
  /// Before its equals: a real-time thread that was preempted keeps its turn.
  void push_front(Thread& thread);
  void remove(Thread& thread);
  /// Who runs next: the real-time thread of the highest priority, of equals who came first; else
  /// the thread that has had least time for its weight. Null if there is none.
  Thread* first() const;
  /// The one that runs last of those that may run on `cpu`, or null: the one to be moved there.
  Thread* movable_to(machine::CpuId cpu) const;
  bool empty() const { return threads_.empty(); }
  std::size_t size() const { return threads_.size(); }

 private:
  static bool runs_before(const Thread& a, const Thread& b);

  std::vector<Thread*> threads_;
  std::int64_t pushed_ = 0;
  std::int64_t pushed_front_ = 0;
};

}  // namespace hotline::os
