#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/simulator.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/topology.hpp"
#include "sim/model/model.hpp"
#include "sim/model/site.hpp"
#include "sim/os/scheduler.hpp"
#include "sim/os/thread.hpp"

namespace hotline::tests {

constexpr engine::Duration ns(std::uint64_t count) {
  return engine::Duration::from_ps(count * 1000);
}

/// Small machines of different shapes; latencies are round figures, not any machine's.
machine::Description one_socket(std::uint32_t cores);
machine::Description two_sockets(std::uint32_t cores_per_socket);
machine::Description smt_pair_cores();
machine::Description clusters_without_socket_agent();
machine::Description load_linked();

/// Every transaction on a line, reads and upgrades included, takes 50 ns, one after the other, and
/// nothing else about a line costs anything: the machine of the reference counts.
machine::Description one_serialisation_point(std::uint32_t cores);

/// The row of the catalogue; fails the test if there is none.
const model::Entry& entry(std::string_view name);

/// One instance of a model on a machine of its own, with threads on its CPUs in turn.
class Rig {
 public:
  struct Setup {
    machine::Description machine;
    std::uint32_t threads = 1;
    std::string_view model;
    model::ParamValues params = {};
    std::uint64_t seed = 1;
    engine::TieOrder ties = {};
    bool batching = true;
    os::Parameters os = {};  ///< the ideal one: sleeping and waking cost nothing
    bool pinned = true;      ///< to its CPU; else a thread may run on all
  };

  explicit Rig(Setup setup);
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  engine::Simulator& simulator() { return simulator_; }
  machine::Machine& machine() { return machine_; }
  os::Scheduler& scheduler() { return scheduler_; }
  model::Site& site() { return site_; }
  const model::Site& site() const { return site_; }
  model::Lock& lock() { return *model_->lock(); }
  model::ReadWriteLock& read_write_lock() { return *model_->read_write_lock(); }
  model::SequenceLock& sequence_lock() { return *model_->sequence_lock(); }
  bool is_sequence_lock() { return model_->sequence_lock() != nullptr; }
  model::ConditionVariable& condition() { return *model_->condition_variable(); }
  model::Counter& counter() { return *model_->counter(); }
  model::Reference& reference() { return *model_->reference(); }
  /// There if the model uses it and the operating system ticks.
  model::Rcu* kernel_rcu() { return commons_->kernel_rcu; }
  os::Thread& thread(std::uint32_t number) { return *threads_.at(number); }
  std::uint32_t threads() const { return static_cast<std::uint32_t>(threads_.size()); }
  /// A plain word of the test's own, on a line of its own.
  machine::Word scratch(std::string_view name);

  /// Runs until nothing is left to do; fails the test if that takes longer than `limit` or leaves a
  /// task waiting, or if a line ends up with two writers.
  void run(engine::Duration limit = ns(1'000'000'000));

 private:
  void add_kernel_rcu(const Setup& setup);

  machine::Topology topology_;
  engine::Simulator simulator_;
  machine::Machine machine_;
  os::Scheduler scheduler_;
  std::vector<std::unique_ptr<os::Thread>> threads_;
  std::shared_ptr<model::Commons> commons_;
  model::Site site_;
  std::unique_ptr<model::Model> rcu_;  // of the kernel
  std::unique_ptr<model::Model> model_;
};

}  // namespace hotline::tests
