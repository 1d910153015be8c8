#include <algorithm>
#include <utility>

#include "sim/os/scheduler.hpp"

// How a running thread is interrupted: by the tick, by another CPU, by the hypervisor. A
// computation stops at once and a spin loop after the look under way; any other memory operation is
// finished first, as interrupts on real cores are precise, and the thread stops before its next.
namespace hotline::os {

void Scheduler::interrupt(Cpu& cpu) {
  if (cpu.current == nullptr || cpu.halted) return;
  Thread& thread = *cpu.current;
  const bool gives_up = cpu.stolen || (cpu.need_resched && thread.preemptible());
  if (cpu.need_resched) thread.end_optimism();
  if (!gives_up && cpu.debt == Duration{}) return;
  if (thread.stop(gives_up)) resolve(cpu);
}

/// The current thread has stopped: what next?
void Scheduler::resolve(Cpu& cpu) {
  if (cpu.stolen || cpu.paying) return;
  if (cpu.debt != Duration{}) {
    cpu.paying = true;
    simulator_.schedule(std::exchange(cpu.debt, {}), cpu.paid, engine::Phase::kThread);
    return;
  }
  Thread& thread = *cpu.current;
  if (cpu.yielding || (cpu.need_resched && thread.preemptible())) {
    preempt(cpu);
    return;
  }
  thread.go_on();
}

void Scheduler::paid(Cpu& cpu) {
  cpu.paying = false;
  resolve(cpu);
}

/// Has the CPU, which is busy now, ticked and stolen from.
void Scheduler::arm(Cpu& cpu) {
  if (parameters_.hz != 0 && !cpu.ticking) {
    cpu.ticking = true;
    simulator_.schedule(until_next(tick_period(), cpu.tick_phase), cpu.ticked);
  }
  if (parameters_.steal && !cpu.stealing) {
    cpu.stealing = true;
    simulator_.schedule(until_next(parameters_.steal->period, cpu.steal_phase), cpu.steal_begins);
  }
}

Duration Scheduler::tick_period() const {
  return Duration::from_ps(1'000'000'000'000 / parameters_.hz);
}

/// Until the next multiple of the period, counted from a phase within it.
Duration Scheduler::until_next(Duration period, Duration phase) const {
  const Duration since = Duration::from_ps(now().ps()) + period - phase;
  return period - since % period;
}

void Scheduler::tick(Cpu& cpu) {
  if (cpu.idle() && !cpu.keep_ticking) {
    cpu.ticking = false;
    return;
  }
  simulator_.schedule(tick_period(), cpu.ticked);
  if (cpu.stolen) return;
  for (CpuWatcher* watcher : watchers_) watcher->ticked(cpu.id(), cpu.current);
  if (cpu.current == nullptr) return;
  cpu.debt += parameters_.tick_handler;
  charge(cpu);
  if (!cpu.queue.empty()) {
    push(cpu);
    if (slice_is_over(cpu)) cpu.need_resched = true;
  }
  interrupt(cpu);
}

bool Scheduler::slice_is_over(const Cpu& cpu) const {
  const Thread* first = cpu.queue.first();
  if (first == nullptr) return false;
  const Thread& current = *cpu.current;
  if (goes_before(first->priority_, current.priority_)) return true;
  if (current.priority_.real_time != 0) return false;
  const Duration share = parameters_.latency / (cpu.queue.size() + 1);
  return current.ran_ >= std::max(share, parameters_.minimum_slice);
}

void Scheduler::request_tick(CpuId id, bool wanted) {
  Cpu& cpu = this->cpu(id);
  cpu.keep_ticking = wanted;
  if (wanted) arm(cpu);
}

void Scheduler::send_ipi(CpuId to, IpiHandler& handler) {
  if (free_ipis_.empty()) {
    Ipi& made = ipis_.emplace_back();
    made.scheduler = this;
    made.fire = [](engine::Event* event) {
      Ipi& ipi = *static_cast<Ipi*>(event);
      ipi.scheduler->ipi_arrived(ipi);
    };
    free_ipis_.push_back(&made);
  }
  Ipi& ipi = *free_ipis_.back();
  free_ipis_.pop_back();
  ipi.cpu = &cpu(to);
  ipi.handler = &handler;
  const Duration exit = ipi.cpu->idle() ? exit_latency(*ipi.cpu) : Duration{};
  simulator_.schedule(parameters_.ipi + exit, ipi);
}

void Scheduler::ipi_arrived(Ipi& ipi) {
  Cpu& cpu = *ipi.cpu;
  if (cpu.stolen) {  // the hypervisor delivers it when the vCPU runs again
    simulator_.schedule_at(cpu.returns_at, ipi);
    return;
  }
  IpiHandler& handler = *ipi.handler;
  free_ipis_.push_back(&ipi);
  if (cpu.current != nullptr) cpu.debt += parameters_.ipi_handler;
  handler.handle_ipi(cpu.id());
  interrupt(cpu);
}

void Scheduler::steal(Cpu& cpu) {
  if (cpu.idle()) {
    cpu.stealing = false;
    return;
  }
  const Duration away = parameters_.steal->period * parameters_.steal->permille / 1000;
  cpu.stolen = true;
  cpu.returns_at = now() + away;
  simulator_.schedule(away, cpu.steal_ends);
  if (cpu.current != nullptr) release_optimists(*cpu.current);
  interrupt(cpu);
}

void Scheduler::give_back(Cpu& cpu) {
  cpu.stolen = false;
  simulator_.schedule(parameters_.steal->period * (1000 - parameters_.steal->permille) / 1000,
                      cpu.steal_begins);
  if (cpu.current != nullptr && cpu.halted) resolve(cpu);
}

}  // namespace hotline::os
