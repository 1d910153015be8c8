#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sim/os/scheduler.hpp"

// From one thread of a CPU to the next.
namespace hotline::os {

void Scheduler::block(Thread& thread) {
  if (thread.preempt_disabled_ > 0) {
    throw std::logic_error(thread.name() + " blocks while its preemption is disabled");
  }
  charge(*thread.home_);
  switch_out(*thread.home_, ThreadState::kBlocked);
}

void Scheduler::yield(Thread& thread, GiveWay way) {
  Cpu& cpu = *thread.home_;
  thread.defer_here();
  cpu.giving_way = thread.preempt_disabled_ > 0 ? GiveWay::kNot : way;
  if (way == GiveWay::kAlways) cpu.debt += parameters_.system_call + parameters_.sched_yield;
  resolve(cpu);
}

/// The current thread, which has stopped, makes room for another.
void Scheduler::preempt(Cpu& cpu) {
  charge(cpu);
  const Thread* first = cpu.queue.first();
  const bool gives_way = std::exchange(cpu.giving_way, GiveWay::kNot) == GiveWay::kAlways;
  if (first == nullptr) {
    cpu.need_resched = false;
    tell_watchers(cpu, cpu.current, cpu.current);
    if (takes_interrupts(cpu)) {
      serve(cpu);
      return;
    }
    cpu.current->go_on();
    return;
  }
  // As CFS skips the yielding thread for once: it queues behind the one that goes before it.
  if (gives_way && cpu.current->virtual_time_ <= first->virtual_time_) {
    cpu.current->virtual_time_ = first->virtual_time_ + 1;
  }
  cpu.current->keeps_turn_ = !gives_way;
  switch_out(cpu, ThreadState::kRunnable);
}

void Scheduler::switch_out(Cpu& cpu, ThreadState into) {
  Thread& thread = *cpu.current;
  thread.set_state(into);
  cpu.current = nullptr;
  cpu.leaving = &thread;
  cpu.need_resched = false;
  cpu.halted = false;
  release_optimists(thread);
  // Its stores must be seen before it runs elsewhere; the kernel has a full barrier here.
  if (thread.allowed_.size() == 1 || into == ThreadState::kEnded) {
    left(cpu);
  } else {
    cpu.port->start({machine::Op::kFence, {}, 0, 0}, engine::as_continuation(cpu.drained));
  }
}

/// The thread has left the CPU altogether: others may run it now.
void Scheduler::left(Cpu& cpu) {
  Thread& thread = *cpu.leaving;
  if (thread.state_ == ThreadState::kRunnable) enqueue(cpu, thread);
  cpu.leaving = nullptr;
  const bool woken = thread.state_ == ThreadState::kBlocked && thread.woken_;
  thread.woken_ = false;
  if (woken) {
    thread.set_state(ThreadState::kRunnable);
    enqueue(cpu, thread);
  }
  switch_in(cpu, &thread);
}

void Scheduler::switch_in(Cpu& cpu, Thread* from) {
  Thread* next = cpu.queue.first();
  if (next != nullptr) {
    dequeue(*next);
  } else {
    next = pull(cpu);
  }
  tell_watchers(cpu, from, next);
  if (next == nullptr) {
    cpu.idle_since = now();
    if (cpu.serving) return;
    cpu.port->set_busy(false);
    if (!cpu.works.empty()) serve(cpu);
    return;
  }
  cpu.next = next;
  cpu.port->set_busy(true);
  arm(cpu);
  Duration takes = parameters_.context_switch;
  if (next->port_ != cpu.port) takes += parameters_.migration;
  if (takes == Duration{}) {
    run_next(cpu);
  } else {
    simulator_.schedule(takes, cpu.switched, engine::Phase::kThread);
  }
}

void Scheduler::run_next(Cpu& cpu) {
  Thread& thread = *cpu.next;
  cpu.next = nullptr;
  cpu.current = &thread;
  cpu.charged_at = now();
  if (thread.home_ != &cpu) thread.virtual_time_ += cpu.floor - thread.home_->floor;
  thread.home_ = &cpu;
  thread.port_ = cpu.port;
  thread.ran_ = {};
  thread.set_state(ThreadState::kRunning);
  cpu.halted = true;
  const Thread* first = cpu.queue.first();
  if (first != nullptr && goes_before(first->priority_, thread.priority_)) cpu.need_resched = true;
  resolve(cpu);
}

/// An idle CPU has left its idle state: somebody may have taken what it was woken for.
void Scheduler::wake_up(Cpu& cpu) {
  cpu.waking = false;
  if (cpu.idle()) switch_in(cpu, nullptr);
}

void Scheduler::charge(Cpu& cpu) {
  Thread& thread = *cpu.current;
  const Duration ran = now() - cpu.charged_at;
  cpu.charged_at = now();
  thread.ran_ += ran;
  if (thread.priority_.real_time != 0) return;
  thread.virtual_time_ += static_cast<std::int64_t>(ran.ps()) / weight_of(thread.priority_) * 1024;
  std::int64_t least = thread.virtual_time_;
  const Thread* first = cpu.queue.first();
  if (first != nullptr && first->priority_.real_time == 0) {
    least = std::min(least, first->virtual_time_);
  }
  cpu.floor = std::max(cpu.floor, least);
}

void Scheduler::tell_watchers(Cpu& cpu, Thread* from, Thread* to) {
  for (CpuWatcher* watcher : watchers_) watcher->switched(cpu.id(), from, to);
}

/// Ends the optimistic spinning of those who waited for a thread that has lost its CPU.
void Scheduler::release_optimists(const Thread& gone) {
  std::erase_if(optimists_, [&](Thread* thread) {
    const bool waits = thread->watched_ == &gone;
    if (waits) thread->end_optimism();
    thread->listed_ = thread->watched_ != nullptr && !waits;
    return !thread->listed_;
  });
}

}  // namespace hotline::os
