#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sim/model/rcu.hpp"
#include "tests/model/rig.hpp"

namespace hotline::tests {

constexpr engine::Duration us(std::uint64_t count) { return ns(count * 1000); }
constexpr engine::Duration ms(std::uint64_t count) { return us(count * 1000); }

/// Linux's costs at `hz` ticks a second, with that preemption model.
os::Parameters ticking(std::uint32_t hz, os::Preemption preemption = os::Preemption::kNone);

/// An RCU domain with an operating system and threads, and everything that its grace periods do.
class RcuRig : private model::RcuObserver {
 public:
  struct Setup {
    machine::Description machine;
    os::Parameters os;
    std::uint32_t threads = 1;  ///< thread k on CPU k, round the machine
    std::string_view model = "rcu";
    model::ParamValues params = {};
    std::uint64_t seed = 1;
    engine::TieOrder ties = {};
    bool pinned = true;
  };

  explicit RcuRig(Setup setup);

  engine::Simulator& simulator() { return simulator_; }
  machine::Machine& machine() { return machine_; }
  os::Scheduler& scheduler() { return scheduler_; }
  model::Site& site() { return site_; }
  model::Rcu& rcu() { return *model_->rcu(); }
  os::Thread& thread(std::uint32_t number) { return *threads_.at(number); }
  std::uint32_t threads() const { return static_cast<std::uint32_t>(threads_.size()); }
  /// Runs `body` as the program of thread `number`, which otherwise leaves its CPU at once.
  void start(std::uint32_t number, engine::Task<> body);
  /// Runs until all programs have ended; fails the test if that takes longer than `limit`.
  void run(engine::Duration limit = ms(60'000));

  const std::vector<model::RcuEvent>& events() const { return events_; }
  std::uint64_t count(model::Milestone what, bool expedited = false) const;
  engine::SimTime first(model::Milestone what) const;

 private:
  void happened(const model::RcuEvent& event) override { events_.push_back(event); }
  engine::Task<> program(os::Thread& thread, engine::Task<> body);

  machine::Topology topology_;
  engine::Simulator simulator_;
  machine::Machine machine_;
  os::Scheduler scheduler_;
  std::vector<std::unique_ptr<os::Thread>> threads_;
  model::Site site_;
  std::unique_ptr<model::Model> model_;
  bool pinned_;
  std::size_t running_ = 0;
  std::vector<model::RcuEvent> events_;
};

}  // namespace hotline::tests
