#include "models/parts/priority_inheritance.hpp"

#include <algorithm>

namespace hotline::models {

namespace {

constexpr Value kNobody = 0;

}  // namespace

PriorityQueue::PriorityQueue(Site& site, RawSpinlock& wait_lock)
    : wait_lock_(wait_lock),
      root_(site.word("root")),
      leftmost_(site.word("leftmost")),
      nodes_(site.common_per_thread("rt_waiter", {{"tree", 64}})) {}

// Who stands where changes at once; the operations on the tree follow.

Task<> PriorityQueue::insert(Thread& self, Value waiter, os::Priority priority) {
  return link(self, waiter, put(waiter, priority));
}

Task<> PriorityQueue::remove(Thread& self, Value waiter) {
  const bool was_top = top() == waiter;
  take_off(waiter);
  return unlink(self, waiter, was_top);
}

Task<> PriorityQueue::move(Thread& self, Value waiter, os::Priority priority) {
  const bool was_top = top() == waiter;
  take_off(waiter);
  const std::size_t rank = put(waiter, priority);
  co_await unlink(self, waiter, was_top);
  co_await link(self, waiter, rank);
}

/// Of threads that are not real-time none goes before another.
std::size_t PriorityQueue::put(Value waiter, os::Priority priority) {
  const auto place = std::find_if(waiters_.begin(), waiters_.end(), [&](const Waiter& each) {
    return os::goes_before(priority, each.priority);
  });
  const auto rank = static_cast<std::size_t>(place - waiters_.begin());
  waiters_.insert(place, {waiter, priority});
  return rank;
}

void PriorityQueue::take_off(Value waiter) {
  waiters_.erase(std::find_if(waiters_.begin(), waiters_.end(),
                              [&](const Waiter& each) { return each.name == waiter; }));
}

/// Whom a search in a balanced tree meets on its way.
std::vector<Value> PriorityQueue::path_to(std::size_t rank) const {
  std::vector<Value> path;
  for (std::size_t low = 0, high = waiters_.size(); low < high;) {
    const std::size_t middle = (low + high) / 2;
    if (middle == rank) break;
    path.push_back(waiters_[middle].name);
    if (middle < rank) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return path;
}

Task<> PriorityQueue::link(Thread& self, Value waiter, std::size_t rank) {
  const std::vector<Value> path = path_to(rank);
  const Word parent = path.empty() ? root_ : node(path.back());
  co_await self.load(root_);
  for (const Value each : path) co_await self.load(node(each));
  co_await self.store(node(waiter), waiter);
  co_await self.store(parent, waiter);
  if (rank == 0) co_await self.store(leftmost_, waiter);
}

Task<> PriorityQueue::unlink(Thread& self, Value waiter, bool was_top) {
  co_await self.load(node(waiter));
  co_await self.store(root_, top());
  if (was_top) co_await self.store(leftmost_, top());
}

PriorityInheritance::PriorityInheritance(Site& site) : tasks_(site), states_(site.threads()) {
  for (std::uint32_t thread = 0; thread < site.threads(); ++thread) {
    pi_locks_.emplace_back(site.part("task[" + std::to_string(thread) + "].pi", site.home()));
  }
}

/// Gives the thread the priority it should have; true if that is another than before.
bool PriorityInheritance::adjust(Value name) {
  State& its = state(name);
  Thread& thread = tasks_.thread(name);
  const os::Priority own = its.own.value_or(thread.priority());
  os::Priority highest = own;
  for (const PriorityQueue* queue : its.holds) {
    if (os::goes_before(queue->top_priority(), highest)) highest = queue->top_priority();
  }
  if (highest == thread.priority()) return false;
  its.own.reset();
  if (highest != own) its.own = own;
  thread.set_priority(highest);
  return true;
}

Task<bool> PriorityInheritance::adjust_locked(Thread& self, Value name) {
  RawSpinlock& pi_lock = pi_locks_[Tasks::index(name)];
  co_await pi_lock.acquire(self);
  const bool changed = adjust(name);
  co_await pi_lock.release(self);
  co_return changed;
}

Task<> PriorityInheritance::lend(Thread& self, PriorityQueue& queue, Value owner) {
  queue.owner_ = owner;
  std::vector<PriorityQueue*>& holds = state(owner).holds;
  if (std::find(holds.begin(), holds.end(), &queue) == holds.end()) holds.push_back(&queue);
  const bool changed = co_await adjust_locked(self, owner);
  if (!changed || state(owner).waits_in == nullptr) co_return;
  co_await queue.wait_lock_.release(self);
  Value waiter = owner;
  while (waiter != kNobody) waiter = co_await pass_on(self, waiter);
  co_await queue.wait_lock_.acquire(self);
}

/// A waiter has another priority: so may have the owner of what it waits for, whom it returns then.
Task<Value> PriorityInheritance::pass_on(Thread& self, Value waiter) {
  PriorityQueue* queue = state(waiter).waits_in;
  if (queue == nullptr) co_return kNobody;
  co_await queue->wait_lock_.acquire(self);
  Value next = kNobody;
  Value to_wake = kNobody;
  if (state(waiter).waits_in == queue) {  // still
    const Value top = queue->top();
    co_await queue->move(self, waiter, tasks_.thread(waiter).priority());
    const Value owner = queue->owner_;
    if (owner != kNobody) {
      const bool changed = co_await adjust_locked(self, owner);
      if (changed) next = owner;
    } else if (queue->top() != top) {
      to_wake = queue->top();  // the lock is free, and another has been woken for it
    }
  }
  co_await queue->wait_lock_.release(self);
  if (to_wake != kNobody) co_await self.wake(tasks_.thread(to_wake));
  co_return next;
}

Task<> PriorityInheritance::take_over(Thread& self, PriorityQueue& queue, Value owner) {
  queue.owner_ = owner;
  state(owner).holds.push_back(&queue);
  co_await adjust_locked(self, owner);
}

Task<> PriorityInheritance::give_back(Thread& self, PriorityQueue& queue, Value owner) {
  queue.owner_ = kNobody;
  std::erase(state(owner).holds, &queue);
  co_await adjust_locked(self, owner);
}

}  // namespace hotline::models
