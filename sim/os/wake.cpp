#include <algorithm>
#include <utility>

#include "sim/os/scheduler.hpp"

// Which CPU a thread gets when it is woken, and who is moved to which CPU.
namespace hotline::os {

void Scheduler::wake(Thread& thread, CpuId on) {
  if (thread.state_ != ThreadState::kBlocked) {
    thread.woken_ = thread.preparing_;
    return;
  }
  if (thread.home_->leaving == &thread) {
    thread.woken_ = true;
    return;
  }
  thread.set_state(ThreadState::kRunnable);
  wake_on(choose(thread), thread, on);
}

void Scheduler::enqueue(Cpu& cpu, Thread& thread) {
  if (thread.home_ != &cpu) {
    thread.virtual_time_ += cpu.floor - thread.home_->floor;
    thread.home_ = &cpu;
  }
  if (std::exchange(thread.keeps_turn_, false)) {
    cpu.queue.push_front(thread);
  } else {
    cpu.queue.push(thread);
  }
  ++queued_;
}

void Scheduler::dequeue(Thread& thread) {
  thread.home_->queue.remove(thread);
  --queued_;
}

void Scheduler::wake_on(Cpu& cpu, Thread& thread, CpuId waker) {
  enqueue(cpu, thread);
  // A sleeper is not given all the time it slept, but goes before those who ran (CFS: half a
  // latency).
  const auto credit = static_cast<std::int64_t>(parameters_.latency.ps() / 2);
  thread.virtual_time_ = std::max(thread.virtual_time_, cpu.floor - credit);
  const Duration flight = waker == cpu.id() ? Duration{} : parameters_.ipi;
  if (cpu.idle()) {
    if (cpu.waking) return;
    const Duration until_up = flight + exit_latency(cpu);
    if (until_up == Duration{}) {
      switch_in(cpu, nullptr);
      return;
    }
    cpu.waking = true;
    simulator_.schedule(until_up, cpu.kicked, engine::Phase::kThread);
    return;
  }
  if (cpu.current == nullptr || cpu.need_resched || !should_preempt(cpu, thread)) return;
  cpu.need_resched = true;
  if (flight == Duration{}) {
    interrupt(cpu);
  } else {
    simulator_.schedule(flight, cpu.poked);
  }
}

bool Scheduler::should_preempt(const Cpu& cpu, const Thread& thread) const {
  const Thread& current = *cpu.current;
  if (current.priority_.real_time != 0 || thread.priority_.real_time != 0) {
    return goes_before(thread.priority_, current.priority_);
  }
  const auto lead = static_cast<std::int64_t>((now() - cpu.charged_at).ps()) +
                    current.virtual_time_ - thread.virtual_time_;
  return lead > static_cast<std::int64_t>(parameters_.wakeup_granularity.ps());
}

Duration Scheduler::exit_latency(const Cpu& cpu) const {
  if (cpu.serving) return {};
  const Duration idled = now() - cpu.idle_since;
  Duration latency;
  for (const IdleState& state : parameters_.idle_states) {
    if (state.residency <= idled) latency = state.exit_latency;
  }
  return latency;
}

/// Where a woken thread goes: to its last CPU or an idle one near it; a real-time thread, if there
/// is none, to where the least important thread runs.
Cpu& Scheduler::choose(Thread& thread) {
  Cpu& last = *thread.home_;
  if (thread.allowed_.size() == 1 || (last.idle() && last.queue.empty())) return last;
  if (Cpu* idle = idle_near(thread, last)) return *idle;
  if (thread.priority_.real_time != 0) return least_important(thread, last);
  return last;
}

bool Scheduler::near(const Cpu& a, const Cpu& b) const {
  const machine::Topology& topology = machine_.topology();
  const bool by_cluster = topology.description().cluster_agent.has_value();
  return by_cluster ? topology.cluster_of(a.port->core()) == topology.cluster_of(b.port->core())
                    : topology.socket_of(a.port->core()) == topology.socket_of(b.port->core());
}

/// The next CPU after `from` that idles and shares its last-level cache: of a core that idles
/// altogether if there is one.
Cpu* Scheduler::idle_near(const Thread& thread, const Cpu& from) {
  const machine::Topology& topology = machine_.topology();
  const std::uint32_t siblings = topology.description().threads_per_core;
  Cpu* found = nullptr;
  for (std::uint32_t step = 1; step < cpus_.size(); ++step) {
    Cpu& cpu = cpus_[(from.id().value + step) % cpus_.size()];
    if (!near(cpu, from) || !cpu.idle() || !cpu.queue.empty() || !thread.may_run_on(cpu.id())) {
      continue;
    }
    std::uint32_t idle = 0;
    for (std::uint32_t k = 0; k < siblings; ++k) {
      if (cpus_[topology.cpu_of(cpu.port->core(), k).value].idle()) ++idle;
    }
    if (idle == siblings) return &cpu;
    if (found == nullptr) found = &cpu;
  }
  return found;
}

/// An idle CPU, else the one whose thread matters least.
Cpu& Scheduler::least_important(const Thread& thread, Cpu& last) {
  Cpu* found = &last;
  for (Cpu& cpu : cpus_) {
    if (!thread.may_run_on(cpu.id())) continue;
    if (cpu.idle() && cpu.queue.empty()) return cpu;
    if (cpu.current == nullptr) continue;
    if (found->current == nullptr ||
        goes_before(found->current->priority_, cpu.current->priority_)) {
      found = &cpu;
    }
  }
  return *found;
}

/// A thread from the longest queue for a CPU that has nothing to do: of those that share its cache
/// if possible.
Thread* Scheduler::pull(Cpu& to) {
  if (queued_ == 0) return nullptr;
  Thread* moved = nullptr;
  for (const bool only_near : {true, false}) {
    std::size_t longest = 0;
    for (Cpu& cpu : cpus_) {
      if (cpu.queue.size() <= longest || (only_near && !near(cpu, to))) continue;
      Thread* thread = cpu.queue.movable_to(to.id());
      if (thread == nullptr) continue;
      longest = cpu.queue.size();
      moved = thread;
    }
    if (moved != nullptr) break;
  }
  if (moved != nullptr) dequeue(*moved);
  return moved;
}

/// Load balancing at the tick: a thread for a CPU that has at least two fewer to run.
void Scheduler::push(Cpu& from) {
  Cpu* lightest = nullptr;
  Thread* moved = nullptr;
  for (Cpu& cpu : cpus_) {
    if (cpu.load() + 2 > from.load() || (lightest != nullptr && cpu.load() >= lightest->load())) {
      continue;
    }
    Thread* thread = from.queue.movable_to(cpu.id());
    if (thread == nullptr) continue;
    lightest = &cpu;
    moved = thread;
  }
  if (moved == nullptr) return;
  dequeue(*moved);
  wake_on(*lightest, *moved, from.id());
}

}  // namespace hotline::os
