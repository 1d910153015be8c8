#include <algorithm>
#include <string>
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
  if (cpu.need_resched && thread.hurried_) thread.end_optimism();
  const bool must_stop = gives_up || takes_interrupts(cpu);
  if (!must_stop && cpu.debt == Duration{}) return;
  if (thread.stop(must_stop)) resolve(cpu);
}

/// The current thread has stopped: what next?
void Scheduler::resolve(Cpu& cpu) {
  if (cpu.stolen || cpu.paying || cpu.serving) return;
  if (cpu.debt != Duration{}) {
    cpu.paying = true;
    simulator_.schedule(std::exchange(cpu.debt, {}), cpu.paid, engine::Phase::kThread);
    return;
  }
  if (takes_interrupts(cpu)) {
    serve(cpu);
    return;
  }
  Thread& thread = *cpu.current;
  if (cpu.giving_way != GiveWay::kNot || (cpu.need_resched && thread.preemptible())) {
    preempt(cpu);
    return;
  }
  thread.go_on();
}

void Scheduler::paid(Cpu& cpu) {
  cpu.paying = false;
  resolve(cpu);
}

bool Scheduler::takes_interrupts(const Cpu& cpu) {
  return !cpu.works.empty() && cpu.current->interrupts_disabled_ == 0;
}

void Scheduler::raise(CpuId id, InterruptWork& work) {
  Cpu& cpu = this->cpu(id);
  if (std::find(cpu.works.begin(), cpu.works.end(), &work) != cpu.works.end()) return;
  cpu.works.push_back(&work);
  if (!cpu.idle()) {
    interrupt(cpu);
  } else if (!cpu.serving) {
    serve(cpu);
  }
}

/// Does what was raised; whatever the CPU ran has stopped, or it idles.
void Scheduler::serve(Cpu& cpu) {
  cpu.serving = true;
  cpu.port->set_busy(true);
  if (cpu.context == nullptr) {
    const std::string name = "interrupts of CPU " + std::to_string(cpu.id().value);
    kernel_threads_.push_back(std::make_unique<Thread>(
        simulator_, *cpu.port, ThreadId{kFirstKernelThread + cpu.id().value}, name));
    cpu.context = kernel_threads_.back().get();
    cpu.context->scheduler_ = this;
    cpu.context->in_kernel_ = true;
  }
  simulator_.spawn(work_off(cpu));
}

engine::Task<> Scheduler::work_off(Cpu& cpu) {
  while (!cpu.works.empty()) {
    InterruptWork& work = *cpu.works.front();
    cpu.works.erase(cpu.works.begin());
    co_await work.run(*cpu.context);
  }
  cpu.serving = false;
  if (cpu.current != nullptr) {
    resolve(cpu);
  } else if (cpu.next == nullptr) {
    cpu.port->set_busy(false);
    cpu.idle_since = now();
  }
}

void Scheduler::reschedule(CpuId id) {
  Cpu& cpu = this->cpu(id);
  if (cpu.current == nullptr) return;  // idle, or looking already
  cpu.need_resched = true;
  interrupt(cpu);
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

/// Until the next multiple of the period, counted from a phase of less than two.
Duration Scheduler::until_next(Duration period, Duration phase) const {
  const Duration since = Duration::from_ps(now().ps()) + period * 2 - phase;
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

Duration Scheduler::until_tick(CpuId id, std::uint64_t count) const {
  const Duration period = tick_period();
  return until_next(period, cpus_[id.value].tick_phase) + period * (count - 1);
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
