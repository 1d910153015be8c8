#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "models/rcu/tree/state.hpp"

namespace hotline::models::tree_rcu {

/// Expedited grace periods: one caller at a time drives one, later ones that it will serve meet it
/// on their way up the tree; threads of the kernel interrupt every CPU that does not idle.
class Expedited {
 public:
  explicit Expedited(State& state);

  /// Makes the threads.
  void start();
  Task<> synchronize(Thread& self);

  /// The CPU has had the quiescent state that an interrupt asked for: has it say so.
  void report_soon(Cpu& cpu);
  /// The last thing of a section that an interrupt has found.
  Task<> report(Thread& self, Cpu& cpu);
  static bool blocked(const Node& node);
  /// A reader that was preempted on that leaf was the last that the grace period waited for; the
  /// caller holds the leaf's lock, which is released.
  Task<> report_reader(Thread& self, Node& leaf);

 private:
  /// The two things that CPUs do for it in interrupts.
  class Work final : public os::InterruptWork {
   public:
    using Does = Task<> (Expedited::*)(Thread& self, Cpu& cpu);
    Work(Expedited& expedited, Cpu& cpu, Does does)
        : expedited_(expedited), cpu_(cpu), does_(does) {}
    Task<> run(Thread& context) override { return (expedited_.*does_)(context, cpu_); }

   private:
    Expedited& expedited_;
    Cpu& cpu_;
    Does does_;
  };
  /// The interrupt itself: leaves the rest to a Work.
  class Interrupt final : public os::IpiHandler {
   public:
    explicit Interrupt(Expedited& expedited) : expedited_(expedited) {}
    void handle_ipi(CpuId cpu) override;

   private:
    Expedited& expedited_;
  };
  struct Works {
    std::unique_ptr<Work> handler, report;
  };
  /// The thread that asks the CPUs of one leaf.
  struct Worker {
    Node* leaf = nullptr;
    Thread* thread = nullptr;
    bool wanted = false;
  };

  Task<bool> join(Thread& self, Value target);
  Task<bool> join_at(Thread& self, Node& node, Value target);
  Task<> sleep_until(Thread& self, Node& node, Value target);
  Task<bool> try_lead(Thread& self);
  Task<> lead(Thread& self);
  Task<> stop_leading(Thread& self);

  Task<> drive(Thread& self);
  Task<> serve(Thread& self, Worker& worker);
  Task<> select_all(Thread& self);
  Task<> select(Thread& self, Node& leaf);
  Task<Value> look_at(Thread& self, Node& leaf);
  Task<> interrupt(Thread& self, Cpu& cpu);
  Task<> finish(Thread& self, Value target);
  Task<> handle(Thread& self, Cpu& cpu);
  Task<> quiescent(Thread& self, Node& node, Value mask);
  Task<> leave(Thread& self, Node& node);

  State& s_;
  Interrupt interrupt_;
  std::vector<Works> works_;
  Thread* driver_ = nullptr;
  std::deque<Worker> workers_;
  Value wanted_ = 0;           // 0, or what exp_seq will be at the end of the one to be driven
  std::size_t selecting_ = 0;  // leaves that workers have not done
  bool quiet_ = false;
  bool led_ = false;  // somebody has the mutex
  std::deque<Thread*> leaders_;
};

}  // namespace hotline::models::tree_rcu
