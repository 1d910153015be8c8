#pragma once

#include <memory>
#include <vector>

#include "models/rcu/tree/expedited.hpp"
#include "models/rcu/tree/grace_period.hpp"

namespace hotline::models::tree_rcu {

/// What each CPU does for RCU: notices quiescent states at context switches and ticks, reports
/// them, asks for grace periods and invokes callbacks, the latter three in a softirq that the tick
/// raises or, under PREEMPT_RT, in a thread.
class CpuSide final : public os::CpuWatcher {
 public:
  CpuSide(State& state, GracePeriods& normal, Expedited& expedited);

  /// Queues a callback on the CPU of `self`.
  Task<> call(Thread& self, std::unique_ptr<RcuCallback> callback);

  void switched(CpuId id, Thread* from, Thread* to) override;
  void ticked(CpuId id, Thread* current) override;

 private:
  /// One of the things a CPU does in interrupts.
  class Work final : public os::InterruptWork {
   public:
    using Does = Task<> (CpuSide::*)(Thread& self, Cpu& cpu);
    Work(CpuSide& side, Cpu& cpu, Does does) : side_(side), cpu_(cpu), does_(does) {}
    Task<> run(Thread& context) override { return (side_.*does_)(context, cpu_); }

   private:
    CpuSide& side_;
    Cpu& cpu_;
    Does does_;
  };
  struct Works {
    std::unique_ptr<Work> softirq, note_idle, note_preempted;
  };

  bool has_work(const Cpu& cpu) const;
  bool has_ready(const Cpu& cpu) const;
  static bool has_unnumbered(const Cpu& cpu);
  void raise(Cpu& cpu);
  void wake_helper(Cpu& cpu);
  Task<> help(Thread& self, Cpu& cpu);
  void preempted(Cpu& cpu, Reader& reader);

  Task<> softirq(Thread& self, Cpu& cpu);
  Task<> core(Thread& self, Cpu& cpu);
  Task<> note_changes(Thread& self, Cpu& cpu);
  Task<bool> number_callbacks(Thread& self, Cpu& cpu);
  Task<> report(Thread& self, Cpu& cpu);
  Task<> invoke(Thread& self, Cpu& cpu);
  Task<> hasten(Thread& self, Cpu& cpu);
  Task<> note_idle(Thread& self, Cpu& cpu);
  Task<> note_preempted(Thread& self, Cpu& cpu);

  State& s_;
  GracePeriods& normal_;
  Expedited& expedited_;
  std::vector<Works> works_;
};

}  // namespace hotline::models::tree_rcu
