#include "sim/os/scheduler.hpp"

#include <algorithm>
#include <utility>

namespace hotline::os {

namespace {

// Timers that are set to the same time do not interrupt their CPUs at the same picosecond.
constexpr Duration kTickSpread = Duration::from_ps(10'000'000);

}  // namespace

/// Makes `signal` call a member function for its CPU.
template <void (Scheduler::*do_it)(Cpu&)>
void Scheduler::connect(Cpu& cpu, Cpu::Signal& signal) {
  signal.cpu = &cpu;
  signal.fire = [](engine::Event* event) {
    Cpu& its = *static_cast<Cpu::Signal*>(event)->cpu;
    (its.scheduler->*do_it)(its);
  };
}

Scheduler::Scheduler(machine::Machine& machine, Parameters parameters)
    : machine_(machine), simulator_(machine.simulator()), parameters_(std::move(parameters)) {
  const std::uint32_t cpus = machine.topology().cpus();
  const Duration tick = parameters_.hz == 0 ? Duration{} : tick_period();
  const Duration phase = simulator_.stream("phases").uniform({}, tick);
  for (std::uint32_t id = 0; id < cpus; ++id) {
    Cpu& cpu = cpus_.emplace_back();
    cpu.scheduler = this;
    cpu.port = &machine.port({id});
    // A hypervisor's slices follow no guest's clock.
    engine::Random random = simulator_.stream("phases", id);
    cpu.tick_phase = phase;
    if (parameters_.hz != 0) cpu.tick_phase += random.uniform({}, std::min(kTickSpread, tick / 4));
    if (parameters_.skew_tick) cpu.tick_phase += tick / 2 / cpus * id;
    if (parameters_.steal) cpu.steal_phase = random.uniform({}, parameters_.steal->period);
    connect<&Scheduler::run_next>(cpu, cpu.switched);
    connect<&Scheduler::left>(cpu, cpu.drained);
    connect<&Scheduler::wake_up>(cpu, cpu.kicked);
    connect<&Scheduler::interrupt>(cpu, cpu.poked);
    connect<&Scheduler::tick>(cpu, cpu.ticked);
    connect<&Scheduler::paid>(cpu, cpu.paid);
    connect<&Scheduler::steal>(cpu, cpu.steal_begins);
    connect<&Scheduler::give_back>(cpu, cpu.steal_ends);
  }
}

void Scheduler::adopt(Thread& thread, Priority priority, std::vector<CpuId> allowed) {
  Cpu& cpu = this->cpu(thread.cpu());
  thread.scheduler_ = this;
  thread.home_ = &cpu;
  thread.priority_ = priority;
  thread.allowed_ = std::move(allowed);
  thread.virtual_time_ = cpu.floor;
  thread.state_since_ = now();
  announce(thread);
  if (!cpu.idle()) {
    thread.state_ = ThreadState::kRunnable;
    enqueue(cpu, thread);
    return;
  }
  tell_watchers(cpu, nullptr, &thread);
  cpu.current = &thread;
  cpu.charged_at = now();
  cpu.port->set_busy(true);
  arm(cpu);
}

std::size_t Scheduler::kernel_threads() const {
  const auto has_program = [&](const std::unique_ptr<Thread>& thread) {
    return thread->id().value >= kFirstKernelThread + cpus_.size();  // else an interrupt's context
  };
  return static_cast<std::size_t>(
      std::count_if(kernel_threads_.begin(), kernel_threads_.end(), has_program));
}

Thread& Scheduler::add_kernel_thread(std::string name, CpuId id, Priority priority,
                                     std::vector<CpuId> allowed) {
  Cpu& cpu = this->cpu(id);
  const auto number = static_cast<std::uint32_t>(kernel_threads_.size() + cpus_.size());
  kernel_threads_.push_back(std::make_unique<Thread>(
      simulator_, *cpu.port, ThreadId{kFirstKernelThread + number}, std::move(name)));
  Thread& thread = *kernel_threads_.back();
  thread.scheduler_ = this;
  thread.home_ = &cpu;
  thread.priority_ = priority;
  thread.allowed_ = std::move(allowed);
  thread.virtual_time_ = cpu.floor;
  thread.in_kernel_ = true;
  thread.state_ = ThreadState::kBlocked;
  thread.state_since_ = now();
  announce(thread);
  return thread;
}

/// Tells the hardware threads that this thread may become busy there.
void Scheduler::announce(const Thread& thread) {
  for (const CpuId id : thread.allowed_) cpu(id).port->set_inhabited();
  if (!thread.allowed_.empty()) return;
  for (const Cpu& each : cpus_) each.port->set_inhabited();
}

void Scheduler::end(Thread& thread) {
  Cpu& cpu = *thread.home_;
  thread.begin_stretch();
  charge(cpu);
  switch_out(cpu, ThreadState::kEnded);
}

void Scheduler::set_priority(Thread& thread, Priority priority) {
  if (thread.priority_ == priority) return;
  Cpu& cpu = *thread.home_;
  thread.priority_ = priority;
  // The queue is searched anew at each choice, so nothing need be moved in it.
  const Thread* first = cpu.queue.first();
  if (cpu.current == nullptr || first == nullptr || !should_preempt(cpu, *first)) return;
  cpu.need_resched = true;
  interrupt(cpu);
}

}  // namespace hotline::os
