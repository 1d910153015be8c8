#include <memory>
#include <string>
#include <vector>

#include "sim/engine/simulator.hpp"
#include "sim/experiment/ping_pong.hpp"
#include "sim/machine/machine.hpp"
#include "sim/os/thread.hpp"
#include "tests/catch.hpp"
#include "tests/validation/support.hpp"

/// The shipped machine files against what was measured on the machines they describe.
namespace hotline {
namespace {

using engine::Duration;
using engine::SimTime;
using engine::Task;
using machine::CpuId;
using machine::NodeId;
using machine::Topology;
using machine::Word;
using os::Thread;
using tests::Row;
using tests::rows_of;
using tests::topology_of;

/// What the threads of one measurement share.
struct Shared {
  Word word;
  std::uint64_t done = 0;
};

Task<> count_references(Thread& self, Shared& shared) {
  for (;;) {
    co_await self.fetch_add(shared.word, 1);
    co_await self.fetch_add(shared.word, ~machine::Value{0});
    ++shared.done;
  }
}

Task<> atomic_add(Thread& self, Shared& shared) {
  co_await self.store(shared.word, 0);  // the thread that starts the count has the line
  for (;;) {
    co_await self.add(shared.word, 1);
    ++shared.done;
  }
}

Task<> cas_add(Thread& self, Shared& shared) {
  for (;;) {
    machine::Value expected = co_await self.load(shared.word);
    for (;;) {
      const machine::Value seen =
          co_await self.compare_exchange(shared.word, expected, expected + 1);
      if (seen == expected) break;
      expected = seen;
    }
    ++shared.done;
  }
}

Task<> plain_add(Thread& self, Shared& shared) {
  for (;;) {
    const machine::Value seen = co_await self.load(shared.word);
    co_await self.store(shared.word, seen + 1);
    ++shared.done;
  }
}

/// N threads on CPUs 0..N-1 do one thing to one word.
class Hammer {
 public:
  using Body = Task<> (*)(Thread&, Shared&);

  Hammer(const Topology& topology, std::uint32_t threads, Body body)
      : machine_(simulator_, topology) {
    shared_.word = machine_.word(machine_.allocate(8, NodeId{}, "word"), 8);
    for (std::uint32_t cpu = 0; cpu < threads; ++cpu) {
      machine::Port& port = machine_.port(CpuId{cpu});
      port.set_busy(true);
      threads_.push_back(std::make_unique<Thread>(simulator_, port, os::ThreadId{cpu}, "hammer"));
    }
    for (const auto& thread : threads_) simulator_.spawn(body(*thread, shared_));
  }

  /// ns an operation, system-wide, after a warm-up.
  double ns_per_operation() {
    simulator_.run_until(SimTime::from_ps(10'000'000));
    const std::uint64_t before = shared_.done;
    simulator_.run_until(SimTime::from_ps(70'000'000));
    REQUIRE(shared_.done > before);
    return 60'000.0 / static_cast<double>(shared_.done - before);
  }

  double lost_share() {
    simulator_.run_until(SimTime::from_ps(100'000'000));
    return 1 - static_cast<double>(machine_.peek(shared_.word)) / static_cast<double>(shared_.done);
  }

 private:
  engine::Simulator simulator_;
  machine::Machine machine_;
  Shared shared_;
  std::vector<std::unique_ptr<Thread>> threads_;
};

TEST_CASE(
    "hps448: a ping-pong takes what was measured, blind within 10 %, load-first within 25 %") {
  const Topology topology = topology_of("hps448");
  experiment::PingPong ping_pong(topology);
  for (const Row& row : rows_of("pingpong_hps448.csv")) {
    const std::string& operation = row[0];
    const auto from = static_cast<std::uint32_t>(std::stoul(row[1]));
    const auto to_socket = static_cast<std::uint32_t>(std::stoul(row[3]));
    const bool sibling = row[4] == "smt_sibling";
    const std::uint32_t other = sibling ? (from + 224) % 448 : to_socket * 28 + 14;
    const bool blind = operation == "blindcmpxchg";
    const NodeId home = topology.node_of(topology.core_of(CpuId{from}));
    const double simulated =
        ping_pong
            .one_way(CpuId{from}, CpuId{other}, home,
                     blind ? experiment::Turn::kBlind : experiment::Turn::kLoadFirst)
            .ns();
    const double measured = std::stod(row[7]);
    CAPTURE(operation, from, other, row[4], measured, simulated);
    CHECK(simulated / measured == tests::Approx(1.0).margin(blind ? 0.10 : 0.25));
  }
}

TEST_CASE("hps448: a reference count under 16 to 192 threads costs what was measured within 25 %") {
  const Topology topology = topology_of("hps448");
  for (const Row& row : rows_of("refscale_refcnt_hps448.csv")) {
    const auto threads = static_cast<std::uint32_t>(std::stoul(row[3]));
    if (threads < 16) continue;
    const double simulated = Hammer(topology, threads, count_references).ns_per_operation();
    const double measured = std::stod(row[8]);
    CAPTURE(threads, measured, simulated);
    CHECK(simulated / measured == tests::Approx(1.0).margin(0.25));
  }
}

TEST_CASE(
    "Skylake client and Graviton2: contended adds within 20 %, compare-exchange within 35 %") {
  for (const Row& row : rows_of("hierarchy_atomic_cas.csv")) {
    const bool client = row[0] == "skl";
    const auto threads = static_cast<std::uint32_t>(std::stoul(row[2]));
    if (threads > (client ? 4U : 16U)) continue;  // more threads than CPUs: needs the OS layer
    const bool add = row[1] == "atomic add";
    const Topology topology = topology_of(client ? "skylake-client-4c" : "graviton2");
    const double simulated =
        threads * Hammer(topology, threads, add ? atomic_add : cas_add).ns_per_operation();
    const double measured = std::stod(row[4]);
    CAPTURE(row[0], row[1], threads, measured, simulated);
    CHECK(simulated / measured == tests::Approx(1.0).margin(add ? 0.20 : 0.35));
  }
}

TEST_CASE("hps448: racy increments lose 1 - 1/N of the updates, within 0.03") {
  const Topology topology = topology_of("hps448");
  for (const Row& row : rows_of("lost_updates_hps448.csv")) {
    const auto threads = static_cast<std::uint32_t>(std::stoul(row[1]));
    const double simulated = Hammer(topology, threads, plain_add).lost_share();
    CAPTURE(threads, simulated);
    CHECK(simulated == tests::Approx(1.0 - 1.0 / threads).margin(0.03));
  }
}

}  // namespace
}  // namespace hotline
