#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "models/make.hpp"
#include "models/parts/raw_spinlock.hpp"
#include "models/parts/tasks.hpp"

namespace hotline::models {

class PriorityInheritance;

/// The waiters of one lock with priority inheritance: by priority, equals by arrival. Its user
/// holds the lock's wait_lock around every call.
class PriorityQueue {
 public:
  PriorityQueue(Site& site, RawSpinlock& wait_lock);

  /// Puts a thread where its priority says: walks down a balanced tree of the waiters.
  Task<> insert(Thread& self, Value waiter, os::Priority priority);
  Task<> remove(Thread& self, Value waiter);
  /// Moves a thread to where its new priority says.
  Task<> move(Thread& self, Value waiter, os::Priority priority);
  /// 0 if there is none.
  Value top() const { return waiters_.empty() ? 0 : waiters_.front().name; }
  os::Priority top_priority() const { return waiters_.front().priority; }
  bool empty() const { return waiters_.empty(); }

 private:
  friend class PriorityInheritance;
  struct Waiter {
    Value name;
    os::Priority priority;
  };

  std::vector<Value> path_to(std::size_t rank) const;
  std::size_t put(Value waiter, os::Priority priority);
  void take_off(Value waiter);
  Task<> link(Thread& self, Value waiter, std::size_t rank);
  Task<> unlink(Thread& self, Value waiter, bool was_top);
  Word node(Value waiter) const { return nodes_->word(Tasks::index(waiter), 0); }

  RawSpinlock& wait_lock_;
  Word root_;
  Word leftmost_;
  std::shared_ptr<const Records> nodes_;
  std::vector<Waiter> waiters_;
  Value owner_ = 0;  // as long as it has waiters
};

/// Who lends which priority to whom, over all locks of a run: a thread runs at its own priority or
/// that of the first waiter of a lock it holds, whichever goes before; and so does, in turn, the
/// holder of the lock that this thread waits for.
class PriorityInheritance {
 public:
  explicit PriorityInheritance(Site& site);

  /// The thread has been put into the queue.
  void begin_waiting(Value waiter, PriorityQueue& queue) { state(waiter).waits_in = &queue; }
  /// Lends what the queue's waiters can lend to the lock's owner; goes on along the chain of owners
  /// with the queue's wait_lock given back meanwhile.
  Task<> lend(Thread& self, PriorityQueue& queue, Value owner);
  /// `owner` has taken the lock, at which others wait still.
  Task<> take_over(Thread& self, PriorityQueue& queue, Value owner);
  /// The thread gives the lock up, and with it what its waiters lent.
  Task<> give_back(Thread& self, PriorityQueue& queue, Value owner);
  /// The thread waits no longer.
  void stop_waiting(Value waiter) { state(waiter).waits_in = nullptr; }

  Tasks& tasks() { return tasks_; }

 private:
  struct State {
    std::optional<os::Priority> own;  ///< as long as it runs at another
    std::vector<PriorityQueue*> holds;
    PriorityQueue* waits_in = nullptr;
  };

  State& state(Value name) { return states_[Tasks::index(name)]; }
  bool adjust(Value name);
  Task<bool> adjust_locked(Thread& self, Value name);
  Task<Value> pass_on(Thread& self, Value waiter);

  Tasks tasks_;
  std::deque<RawSpinlock> pi_locks_;  // by thread
  std::vector<State> states_;
};

}  // namespace hotline::models
