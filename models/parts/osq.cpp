#include "models/parts/osq.hpp"

namespace hotline::models {

namespace {

constexpr Value kNobody = 0;

}  // namespace

OptimisticSpinQueue::OptimisticSpinQueue(Site& site)
    : tail_(site.word("osq", 32)),
      nodes_(site.per_cpu_stack("osq node",
                                {{"next", 64}, {"previous", 64}, {"locked", 32}, {"cpu", 32}}, 1)),
      spinners_(site.cpus(), nullptr) {}

Task<bool> OptimisticSpinQueue::acquire(Thread& self) {
  const Value me = Value{self.cpu().value} + 1;
  spinners_[self.cpu().value] = &self;
  co_await self.store(locked(me), 0);
  co_await self.store(next(me), kNobody);
  const Value predecessor = co_await self.exchange(tail_, me);
  if (predecessor == kNobody) co_return true;
  co_await self.store(previous(me), predecessor);
  co_await self.store(next(predecessor), me);
  const bool mine = co_await wait_behind(self, me, predecessor);
  co_return mine;
}

Task<bool> OptimisticSpinQueue::wait_behind(Thread& self, Value me, Value predecessor) {
  for (;;) {
    const Thread* ahead = spinners_[predecessor - 1];
    const Value seen = co_await self.spin_optimistically(locked(me), equals(1), ahead);
    if (seen == 1) co_return true;
    const Value before = predecessor;
    predecessor = co_await self.load(previous(me));
    if (predecessor != before && !self.need_resched()) continue;  // that one has left the queue
    const bool mine = co_await leave(self, me, predecessor);
    co_return mine;
  }
}

/// True if it was too late: the queue's head has passed it on.
Task<bool> OptimisticSpinQueue::leave(Thread& self, Value me, Value predecessor) {
  for (;;) {  // from now on, the predecessor cannot pass it on to us
    const Value its_next = co_await self.load(next(predecessor));
    if (its_next == me) {
      const Value before = co_await self.compare_exchange(next(predecessor), me, kNobody);
      if (before == me) break;
    }
    const Value passed = co_await self.load(locked(me));
    if (passed == 1) co_return true;
    co_await self.pause();
    predecessor = co_await self.load(previous(me));
  }
  const Value successor = co_await detach_successor(self, me, predecessor);
  if (successor == kNobody) co_return false;
  co_await self.store(previous(successor), predecessor);
  co_await self.store(next(predecessor), successor);
  co_return false;
}

/// Makes `new_tail` the tail if we are it, or takes our successor off our node.
Task<Value> OptimisticSpinQueue::detach_successor(Thread& self, Value me, Value new_tail) {
  for (;;) {
    const Value tail = co_await self.load(tail_);
    if (tail == me) {
      const Value before = co_await self.compare_exchange(tail_, me, new_tail);
      if (before == me) co_return kNobody;
    }
    const Value seen = co_await self.load(next(me));
    if (seen != kNobody) {
      const Value successor = co_await self.exchange(next(me), kNobody);
      if (successor != kNobody) co_return successor;
    }
    co_await self.pause();
  }
}

Task<> OptimisticSpinQueue::release(Thread& self) {
  const Value me = Value{self.cpu().value} + 1;
  const Value tail = co_await self.compare_exchange(tail_, me, kNobody);
  if (tail == me) co_return;
  Value successor = co_await self.exchange(next(me), kNobody);
  if (successor == kNobody) successor = co_await detach_successor(self, me, kNobody);
  if (successor != kNobody) co_await self.store(locked(successor), 1);
}

}  // namespace hotline::models
