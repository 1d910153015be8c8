#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "models/rcu/tree/cpu_side.hpp"

namespace hotline::models::tree_rcu {

/// kfree_rcu: each CPU collects what it is given in pages of pointers, and a worker has whole
/// batches freed behind one grace period each: `free_delay` after the first, or at the next tick
/// once a page is full.
class Free {
 public:
  Free(State& state, CpuSide& cpus) : s_(state), cpus_(cpus), own_(state.cpus.size()) {}

  /// Makes the worker.
  void start(Site& site);
  Task<> queue(Thread& self, std::unique_ptr<RcuCallback> callback);
  std::uint64_t pending() const { return pending_; }

 private:
  using Batch = std::vector<std::unique_ptr<RcuCallback>>;
  /// What a CPU has collected.
  struct Own {
    Word lock;
    Word count;
    Batch open;
    SimTime due = SimTime::never();
    std::uint32_t in_flight = 0;
  };
  struct Ready {
    Own* own;
    Batch batch;
  };
  /// The grace period of a batch is over.
  class Over final : public RcuCallback {
   public:
    Over(Free& free, Own& own, Batch batch) : free_(free), own_(own), batch_(std::move(batch)) {}
    Task<> invoke(Thread& self) override;

   private:
    Free& free_;
    Own& own_;
    Batch batch_;
  };

  Task<> work();
  Task<> send(Own& own);
  Task<> free_batch(Ready ready);
  Own* earliest();

  State& s_;
  CpuSide& cpus_;
  std::vector<Own> own_;
  Thread* worker_ = nullptr;
  std::deque<Ready> ready_;
  std::uint64_t pending_ = 0;
};

}  // namespace hotline::models::tree_rcu
