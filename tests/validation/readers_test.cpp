#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/rwlocks/qrwlock.hpp"
#include "sim/engine/simulator.hpp"
#include "sim/machine/machine.hpp"
#include "sim/model/model.hpp"
#include "sim/os/thread.hpp"
#include "sim/workload/run.hpp"
#include "sim/workload/workload.hpp"
#include "tests/catch.hpp"
#include "tests/validation/support.hpp"

/// Locks that readers share against what was measured.
namespace hotline::tests {
namespace {

using engine::SimTime;
using machine::CpuId;
using machine::Topology;

/// What the readers of one measurement share.
struct Sections {
  engine::Duration length;
  std::uint64_t done = 0;
};

engine::Task<> read_for_ever(os::Thread& self, model::ReadWriteLock& lock, Sections& sections) {
  for (;;) {
    const model::ReadToken token = co_await lock.acquire_read(self);
    if (sections.length != engine::Duration()) co_await self.compute(sections.length);
    co_await lock.release_read(self, token);
    ++sections.done;
  }
}

std::vector<CpuId> first_cpus(std::uint32_t count) {
  std::vector<CpuId> cpus;
  for (std::uint32_t cpu = 0; cpu < count; ++cpu) cpus.push_back({cpu});
  return cpus;
}

/// Readers on CPUs 0..N-1 that do nothing but read, for `length` each time.
class Readers {
 public:
  Readers(const Topology& topology, std::uint32_t count, engine::Duration length = {})
      : machine_(simulator_, topology),
        site_(machine_, {"lock", {0}, std::nullopt, first_cpus(count), nullptr}),
        model_(models::qrwlock(site_, params_)),
        sections_{length} {
    for (const CpuId cpu : first_cpus(count)) {
      machine::Port& port = machine_.port(cpu);
      port.set_busy(true);
      threads_.push_back(
          std::make_unique<os::Thread>(simulator_, port, os::ThreadId{cpu.value}, "reader"));
      simulator_.spawn(read_for_ever(*threads_.back(), *model_->read_write_lock(), sections_));
    }
  }

  /// ns a section, system-wide, after a warm-up.
  double ns_per_section() {
    const engine::Duration warm_up = engine::Duration::from_ps(10'000'000) + sections_.length * 2;
    simulator_.run_until(SimTime() + warm_up);
    const std::uint64_t before = sections_.done;
    simulator_.run_until(SimTime() + warm_up * 7);
    REQUIRE(sections_.done > before);
    return (warm_up * 6).ns() / static_cast<double>(sections_.done - before);
  }

 private:
  engine::Simulator simulator_;
  machine::Machine machine_;
  model::ParamReader params_;
  model::Site site_;
  std::unique_ptr<model::Model> model_;
  Sections sections_;
  std::vector<std::unique_ptr<os::Thread>> threads_;
};

TEST_CASE("hps448: 16 to 192 readers of one rwlock cost what was measured within 25 %") {
  const Topology topology = topology_of("hps448");
  for (const Row& row : rows_of("refscale_rwlock_hps448.csv")) {
    const auto readers = static_cast<std::uint32_t>(std::stoul(row[3]));
    if (readers < 16) continue;  // fewer barely overlap in what was measured
    const double simulated = Readers(topology, readers).ns_per_section();
    const double measured = std::stod(row[8]);
    CAPTURE(readers, measured, simulated);
    CHECK(simulated / measured == Approx(1.0).margin(0.25));
  }
}

TEST_CASE("hps448: a hundred readers with longer sections take what was measured within 36 %") {
  const Topology topology = topology_of("hps448");
  constexpr double kLockAndUnlock = 11.32;  // ns, one reader, from refscale_rwlock_hps448.csv
  std::map<std::string, double> lengths;    // ns, of one reader's section, by the delay asked for
  for (const Row& row : rows_of("refscale_rwlock_delay_hps448.csv")) {
    const double measured = std::stod(row[6]);
    if (row[3] == "1") lengths[row[4]] = measured - kLockAndUnlock;
    if (row[3] != "100") continue;
    const auto ps = static_cast<std::uint64_t>(1000 * lengths.at(row[4]));
    const double simulated =
        100 * Readers(topology, 100, engine::Duration::from_ps(ps)).ns_per_section();
    CAPTURE(row[4], measured, simulated);
    CHECK(simulated / measured == Approx(1.0).margin(0.36));
  }
}

/// ns a section of readers of one rw_semaphore, system-wide.
double ns_of_semaphore(std::uint32_t readers) {
  const auto read = workload::Workload::parse(
      "machine: hps448\n"
      "measure: {duration: 60us, warm_up: 10us}\n"
      "objects: {sem: {model: rw-semaphore}}\n"
      "threads:\n"
      "  readers:\n"
      "    count: " +
          std::to_string(readers) +
          "\n"
          "    program: [{repeat: [{acquire_read: sem}, {release_read: sem}, {count: "
          "sections}]}]\n",
      "test.yaml");
  workload::Run run(read.scenario("base"), {});
  run.run();
  return 60'000.0 / static_cast<double>(run.work({0}));
}

TEST_CASE("hps448: 16 to 192 readers of one rw_semaphore cost what was measured within 55 %") {
  for (const Row& row : rows_of("refscale_rwsem_hps448.csv")) {
    const auto readers = static_cast<std::uint32_t>(std::stoul(row[3]));
    if (readers < 16) continue;
    const double simulated = ns_of_semaphore(readers);
    const double measured = std::stod(row[8]);
    CAPTURE(readers, measured, simulated);
    // 80 and 112 readers were measured a third slower than both their neighbours.
    const bool outlier = readers == 80 || readers == 112;
    CHECK(simulated / measured == Approx(1.0).margin(outlier ? 0.65 : 0.55));
  }
}

}  // namespace
}  // namespace hotline::tests
