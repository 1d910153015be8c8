#include "models/rcu/tree/expedited.hpp"

#include <algorithm>
#include <string>
#include <utility>

// What callers do, and who drives. What is done to the CPUs is in expedited_cpus.cpp.
namespace hotline::models::tree_rcu {

Expedited::Expedited(State& state) : s_(state), interrupt_(*this) {
  for (Cpu& cpu : s_.cpus) {
    works_.push_back({std::make_unique<Work>(*this, cpu, &Expedited::handle),
                      std::make_unique<Work>(*this, cpu, &Expedited::report)});
  }
}

void Expedited::start() {
  Scheduler& scheduler = *s_.scheduler;
  const os::Priority priority{.real_time = static_cast<std::uint8_t>(s_.params.threaded ? 1 : 0)};
  driver_ = &scheduler.add_kernel_thread("rcu_exp_gp", {0}, priority);
  scheduler.simulator().spawn(drive(*driver_));
  // The driver itself does the last leaf.
  for (std::size_t k = s_.first_leaf; k + 1 < s_.nodes.size(); ++k) {
    Worker& worker = workers_.emplace_back();
    worker.leaf = &s_.nodes[k];
    const std::string name = "rcu_exp_par_gp/" + std::to_string(k - s_.first_leaf);
    worker.thread = &scheduler.add_kernel_thread(name, {worker.leaf->first_cpu}, priority);
    scheduler.simulator().spawn(serve(*worker.thread, worker));
  }
}

Task<> Expedited::synchronize(Thread& self) {
  co_await self.fence();
  const Value now = co_await self.load(s_.exp_seq);
  const Value target = after_full(std::max(now, s_.exp_now));
  const bool joined = co_await join(self, target);
  if (joined) co_return;
  s_.exp_now = target - 1;
  co_await self.store(s_.exp_seq, target - 1);
  s_.tell_of(Milestone::kStarted, s_.cpu(self.cpu()), 0, true);
  wanted_ = target;
  co_await self.wake(*driver_);
  co_await sleep_until(self, s_.root(), target);
  co_await stop_leading(self);
}

/// The funnel: true when somebody else's grace period has served the caller; else the caller leads.
Task<bool> Expedited::join(Thread& self, Value target) {
  Node& leaf = *s_.cpu(self.cpu()).leaf;
  const Value at_leaf = co_await self.load(leaf.exp_asked);
  const Value at_root = co_await self.load(s_.root().exp_asked);
  bool leads = false;
  if (at_leaf < target && at_root < target) leads = co_await try_lead(self);
  if (!leads) {
    for (Node* node = &leaf; node != nullptr; node = node->parent) {
      const bool served = co_await join_at(self, *node, target);
      if (served) co_return true;
    }
    co_await lead(self);
  }
  if (s_.exp_now < target) co_return false;
  co_await stop_leading(self);  // it came to pass while this caller waited for its turn
  co_return true;
}

/// True if somebody asked at that node for the same before, and has got it now.
Task<bool> Expedited::join_at(Thread& self, Node& node, Value target) {
  if (s_.exp_now >= target) co_return true;
  self.preempt_disable();
  co_await node.exp_lock->lock()->acquire(self);
  const Value asked = co_await self.load(node.exp_asked);
  if (asked < target) co_await self.store(node.exp_asked, target);
  co_await node.exp_lock->lock()->release(self);
  self.preempt_enable();
  if (asked < target) co_return false;
  s_.tell_of(Milestone::kJoined, s_.cpu(self.cpu()), 0, true);
  co_await sleep_until(self, node, target);
  co_return true;
}

Task<> Expedited::sleep_until(Thread& self, Node& node, Value target) {
  if (s_.exp_now >= target) co_return;
  node.sleepers.push_back({&self, target});
  while (s_.exp_now < target) co_await self.block();
}

// The mutex of those who drive: a queue behind one word.

Task<bool> Expedited::try_lead(Thread& self) {
  co_await self.compare_exchange(s_.exp_mutex, 0, 1);
  if (led_) co_return false;
  led_ = true;
  co_return true;
}

Task<> Expedited::lead(Thread& self) {
  const bool at_once = co_await try_lead(self);
  if (at_once) co_return;
  leaders_.push_back(&self);
  const auto waits = [this, &self] {
    return std::find(leaders_.begin(), leaders_.end(), &self) != leaders_.end();
  };
  while (waits()) co_await self.block();
}

/// Hands over to who has waited longest.
Task<> Expedited::stop_leading(Thread& self) {
  if (leaders_.empty()) {
    led_ = false;
    co_await self.store(s_.exp_mutex, 0);
    co_return;
  }
  Thread* next = leaders_.front();
  leaders_.pop_front();
  co_await self.wake(*next);
}

// The threads.

Task<> Expedited::drive(Thread& self) {
  co_await self.started();
  while (true) {
    while (wanted_ == 0) co_await self.block();
    const Value target = std::exchange(wanted_, 0);
    co_await select_all(self);
    while (!quiet_) co_await self.block();
    co_await finish(self, target);
  }
}

Task<> Expedited::serve(Thread& self, Worker& worker) {
  co_await self.started();
  while (true) {
    while (!worker.wanted) co_await self.block();
    worker.wanted = false;
    co_await select(self, *worker.leaf);
    if (--selecting_ == 0) co_await self.wake(*driver_);
  }
}

Task<> Expedited::select_all(Thread& self) {
  quiet_ = false;
  for (Node& node : s_.nodes) {
    co_await s_.acquire(self, node);
    node.exp_missing_now = node.all;
    co_await self.store(node.exp_missing, node.all);
    co_await s_.release(self, node);
  }
  selecting_ = workers_.size();
  for (Worker& worker : workers_) {
    worker.wanted = true;
    co_await self.wake(*worker.thread);
  }
  co_await select(self, s_.nodes.back());
  while (selecting_ > 0) co_await self.block();
}

Task<> Expedited::finish(Thread& self, Value target) {
  s_.tell({Milestone::kEnded, {}, s_.exp_now, true});
  s_.exp_now = target;
  co_await self.store(s_.exp_seq, target);
  for (Node& node : s_.nodes) {
    const Value asked = co_await self.load(node.exp_asked);
    if (asked < target) {
      self.preempt_disable();
      co_await node.exp_lock->lock()->acquire(self);
      const Value again = co_await self.load(node.exp_asked);
      if (again < target) co_await self.store(node.exp_asked, target);
      co_await node.exp_lock->lock()->release(self);
      self.preempt_enable();
    }
    std::vector<Thread*> served;
    std::erase_if(node.sleepers, [&](const Sleeper& sleeper) {
      if (sleeper.target > target) return false;
      served.push_back(sleeper.thread);
      return true;
    });
    for (Thread* thread : served) co_await self.wake(*thread);
  }
}

}  // namespace hotline::models::tree_rcu
