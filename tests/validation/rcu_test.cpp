#include "models/rcu/rcu.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/rcu/reference_count.hpp"
#include "models/rcu/srcu.hpp"
#include "sim/engine/simulator.hpp"
#include "sim/machine/machine.hpp"
#include "sim/model/rcu.hpp"
#include "sim/os/thread.hpp"
#include "tests/catch.hpp"
#include "tests/validation/support.hpp"

/// Read-side sections of RCU and its rivals against refscale.
namespace hotline::tests {
namespace {

using engine::SimTime;
using machine::CpuId;
using machine::Topology;

engine::Task<> read_for_ever(os::Thread& self, model::Rcu& rcu, std::uint64_t& done) {
  for (;;) {
    const model::ReadToken token = co_await rcu.read_lock(self);
    co_await rcu.read_unlock(self, token);
    ++done;
  }
}

std::vector<CpuId> first_cpus(std::uint32_t count) {
  std::vector<CpuId> cpus;
  for (std::uint32_t cpu = 0; cpu < count; ++cpu) cpus.push_back({cpu});
  return cpus;
}

/// Readers on CPUs 0..N-1 that do nothing but read.
class Readers {
 public:
  using MakeModel = std::unique_ptr<model::Model>(model::Site& site, model::ParamReader& params);

  Readers(const Topology& topology, std::uint32_t count, MakeModel* make_model,
          model::ParamValues params)
      : machine_(simulator_, topology),
        params_(std::move(params)),
        site_(machine_, {"domain", {0}, std::nullopt, first_cpus(count), nullptr}),
        model_(make_model(site_, params_)),
        count_(count) {
    for (const CpuId cpu : first_cpus(count)) {
      machine::Port& port = machine_.port(cpu);
      port.set_busy(true);
      threads_.push_back(
          std::make_unique<os::Thread>(simulator_, port, os::ThreadId{cpu.value}, "reader"));
      simulator_.spawn(read_for_ever(*threads_.back(), *model_->rcu(), done_));
    }
  }

  /// ns a section of one thread, after a warm-up.
  double ns_per_section() {
    const engine::Duration warm_up = engine::Duration::from_ps(10'000'000);
    simulator_.run_until(SimTime() + warm_up);
    const std::uint64_t before = done_;
    simulator_.run_until(SimTime() + warm_up * 5);
    REQUIRE(done_ > before);
    return (warm_up * 4).ns() * count_ / static_cast<double>(done_ - before);
  }

 private:
  engine::Simulator simulator_;
  machine::Machine machine_;
  model::ParamReader params_;
  model::Site site_;
  std::unique_ptr<model::Model> model_;
  std::uint32_t count_;
  std::uint64_t done_ = 0;
  std::vector<std::unique_ptr<os::Thread>> threads_;
};

void check_rows(const std::string& kernel, const std::string& primitive,
                Readers::MakeModel* make_model, const model::ParamValues& params,
                double within = 0.25) {
  const Topology topology = topology_of("hps448");
  int rows = 0;
  for (const Row& row : rows_of("refscale_rcu_hps448.csv")) {
    if (row[1] != kernel || row[2] != primitive) continue;
    const auto readers = static_cast<std::uint32_t>(std::stoul(row[3]));
    const double simulated = Readers(topology, readers, make_model, params).ns_per_section();
    const double measured = std::stod(row[5]);
    CAPTURE(primitive, readers, measured, simulated);
    CHECK(simulated / measured == Approx(1.0).margin(within));
    ++rows;
  }
  CHECK(rows == 15);
}

TEST_CASE("hps448: 16 to 192 readers of SRCU cost what was measured within 25 %") {
  check_rows("NOPREEMPT", "srcu", models::srcu, {});
}

TEST_CASE("hps448: 16 to 192 readers of preemptible RCU cost what was measured within 25 %") {
  check_rows("PREEMPT", "rcu", models::rcu, {{"preemptible", std::string("yes")}});
}

// refscale has no pointer to look at twice, which here breaks up the reuse of the line.
TEST_CASE("hps448: 16 to 192 readers of a reference count cost what was measured within 45 %") {
  check_rows("NOPREEMPT", "refcnt", models::reference_count, {}, 0.45);
}

engine::Task<> read_once(os::Thread& self, model::Rcu& rcu) {
  const model::ReadToken token = co_await rcu.read_lock(self);
  co_await rcu.read_unlock(self, token);
}

TEST_CASE("sections that nothing can preempt cost nothing: what was measured is a loop's cycle") {
  const Topology topology = topology_of("hps448");
  engine::Simulator simulator;
  machine::Machine machine(simulator, topology);
  model::Site site(machine, {"domain", {0}, std::nullopt, first_cpus(1), nullptr});
  model::ParamReader params;
  const auto model = models::rcu(site, params);
  os::Thread thread(simulator, machine.port({0}), {0}, "reader");
  simulator.spawn(read_once(thread, *model->rcu()));
  simulator.run();
  CHECK(simulator.now() == SimTime());
  for (const Row& row : rows_of("refscale_rcu_hps448.csv")) {
    if (row[1] == "NOPREEMPT" && row[2] == "rcu") CHECK(std::stod(row[5]) < 0.6);
  }
}

}  // namespace
}  // namespace hotline::tests
