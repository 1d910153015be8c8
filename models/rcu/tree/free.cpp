#include "models/rcu/tree/free.hpp"

#include <algorithm>
#include <utility>

namespace hotline::models::tree_rcu {

namespace {

constexpr std::uint32_t kMostInFlight = 2;  // KFREE_N_BATCHES

}  // namespace

void Free::start(Site& site) {
  const Records data = site.per_cpu("kfree_rcu_cpu", {{"lock", 32}, {"count", 32}});
  for (std::uint32_t cpu = 0; cpu < site.cpus(); ++cpu) {
    own_[cpu].lock = data.word(cpu, 0);
    own_[cpu].count = data.word(cpu, 1);
  }
  worker_ = &s_.scheduler->add_kernel_thread("kfree_rcu", {0}, {});
  s_.scheduler->simulator().spawn(work());
}

/// The lock is the CPU's own, and nobody else wants it but the worker once a batch.
Task<> Free::queue(Thread& self, std::unique_ptr<RcuCallback> callback) {
  self.interrupts_disable();
  Own& own = own_[self.cpu().value];
  co_await self.compare_exchange(own.lock, 0, 1);
  const Value count = co_await self.load(own.count);
  co_await self.store(own.count, count + 1);
  co_await self.store(own.lock, 0);
  own.open.push_back(std::move(callback));
  ++pending_;
  SimTime due = own.due;
  if (own.open.size() == 1) due = self.now() + s_.params.free_delay;
  if (own.open.size() >= s_.params.free_page) {
    due = std::min(due, self.now() + s_.scheduler->until_tick(self.cpu(), 1));
  }
  if (due != own.due) {
    own.due = due;
    s_.scheduler->wake(*worker_, self.cpu());  // to set its timer
  }
  self.interrupts_enable();
}

Free::Own* Free::earliest() {
  const auto found = std::min_element(own_.begin(), own_.end(),
                                      [](const Own& a, const Own& b) { return a.due < b.due; });
  return found->due == SimTime::never() ? nullptr : &*found;
}

Task<> Free::work() {
  Thread& self = *worker_;
  co_await self.started();
  while (true) {
    if (!ready_.empty()) {
      Ready first = std::move(ready_.front());
      ready_.pop_front();
      co_await free_batch(std::move(first));
      continue;
    }
    Own* next = earliest();
    if (next == nullptr) {
      co_await self.block();
    } else if (next->due > self.now()) {
      co_await self.block_for(next->due - self.now());
    } else {
      co_await send(*next);
    }
  }
}

/// Two batches of a CPU may wait for grace periods; a third waits for one of them.
Task<> Free::send(Own& own) {
  Thread& self = *worker_;
  if (own.in_flight == kMostInFlight) {
    own.due = self.now() + s_.scheduler->until_tick(self.cpu(), 1);
    co_return;
  }
  own.due = SimTime::never();
  ++own.in_flight;
  co_await self.compare_exchange(own.lock, 0, 1);
  co_await self.store(own.count, 0);
  co_await self.store(own.lock, 0);
  auto over = std::make_unique<Over>(*this, own, std::exchange(own.open, {}));
  co_await cpus_.call(self, std::move(over));
}

Task<> Free::Over::invoke(Thread& self) {
  free_.ready_.push_back({&own_, std::move(batch_)});
  return self.wake(*free_.worker_);
}

Task<> Free::free_batch(Ready ready) {
  Thread& self = *worker_;
  for (const std::unique_ptr<RcuCallback>& callback : ready.batch) {
    co_await self.compute(s_.params.invocation);
    co_await callback->invoke(self);
    --pending_;
  }
  --ready.own->in_flight;
}

}  // namespace hotline::models::tree_rcu
