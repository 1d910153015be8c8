#pragma once

#include "models/rcu/tree/state.hpp"

namespace hotline::models::tree_rcu {

/// Normal grace periods: the kernel's thread that begins, watches and ends them, and how CPUs ask
/// for one and report to it.
class GracePeriods {
 public:
  explicit GracePeriods(State& state) : s_(state) {}

  /// Makes the thread.
  void start();
  bool in_progress() const { return tree_rcu::in_progress(s_.seq_now); }

  /// Asks for the grace period at whose end gp_seq is `target`, on the way from the leaf, whose
  /// lock the caller holds, to the root. True if the thread must be woken then, by wake().
  Task<bool> request(Thread& self, Node& leaf, Value target);
  Task<> wake(Thread& self) { return self.wake(*thread_); }
  /// Has the thread look at once for CPUs that have been idle.
  Task<> force(Thread& self);

  /// Says that the children `mask` of `node` have had a quiescent state in the grace period `seq`,
  /// and goes up to the root with that if they were the last. The caller holds the node's lock,
  /// which is released.
  Task<> report(Thread& self, Node& node, Value mask, Value seq);
  /// A reader that was preempted on that leaf was the last that the grace period waited for. As
  /// report() with the leaf's lock.
  Task<> report_reader(Thread& self, Node& leaf);
  static bool blocked(const Node& node);

 private:
  Task<> run(Thread& self);
  Task<> begin(Thread& self);
  Task<> watch(Thread& self);
  Task<> scan(Thread& self, bool first);
  Task<Value> look_at(Thread& self, Node& leaf, Value missing, bool first);
  Task<> end(Thread& self);
  bool late() const;

  State& s_;
  Thread* thread_ = nullptr;
  bool requested_ = false;
  bool quiet_ = false;
  bool forced_ = false;
  SimTime began_;
};

}  // namespace hotline::models::tree_rcu
