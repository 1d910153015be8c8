#include "tests/model/loops.hpp"

namespace hotline::tests {

namespace {

void got_in(LoopLog& log, engine::SimTime now) {
  --log.waiting;
  if (log.inside++ != 0) ++log.broken;
  ++log.acquisitions;
  if (!log.handing_over) return;
  log.handing_over = false;
  ++log.handovers;
  log.handover_time += now - log.last_release;
}

void about_to_leave(LoopLog& log, engine::SimTime now) {
  --log.inside;
  log.waiters_seen += log.waiting;
  log.handing_over = log.waiting != 0;
  log.last_release = now;
}

struct Loop {
  Rig& rig;
  const LoopPlan plan;
  LoopLog& log;
  Watcher* watcher;
};

engine::Task<> critical_section(os::Thread& self, LoopPlan plan) {
  if (plan.check) {
    const auto seen = co_await self.load(*plan.check);
    co_await self.compute(plan.hold);
    co_await self.store(*plan.check, seen + 1);
  } else {
    co_await self.compute(plan.hold);
  }
}

engine::Task<> loop_on_lock(Loop loop, os::Thread& self) {
  ++loop.log.unfinished;
  co_await self.started();
  self.set_in_kernel(loop.plan.in_kernel);
  for (std::uint32_t round = 0; round < loop.plan.rounds; ++round) {
    ++loop.log.waiting;
    if (loop.watcher != nullptr) loop.watcher->begins(self.id().value);
    if (loop.plan.unpreempted) self.preempt_disable();
    co_await loop.rig.lock().acquire(self);
    got_in(loop.log, loop.rig.simulator().now());
    if (loop.watcher != nullptr) loop.watcher->acquired(self.id().value);
    co_await critical_section(self, loop.plan);
    about_to_leave(loop.log, loop.rig.simulator().now());
    co_await loop.rig.lock().release(self);
    if (loop.plan.unpreempted) self.preempt_enable();
    const auto mean = loop.plan.think;
    const auto think = loop.plan.random_think ? self.random().uniform({}, mean * 2) : mean;
    co_await self.compute(think);
  }
  --loop.log.unfinished;
  if (loop.plan.ends) loop.rig.scheduler().end(self);
}

}  // namespace

void spawn_loops(Rig& rig, const LoopPlan& plan, LoopLog& log, Watcher* watcher) {
  for (std::uint32_t k = 0; k < rig.threads(); ++k) {
    rig.simulator().spawn(loop_on_lock({rig, plan, log, watcher}, rig.thread(k)));
  }
}

}  // namespace hotline::tests
