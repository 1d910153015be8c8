#include "tests/model/rig.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/catalog.hpp"
#include "sim/model/rcu.hpp"
#include "tests/catch.hpp"

namespace hotline::tests {

namespace {

using machine::AgentDescription;
using machine::Description;
using machine::Hop;
using machine::Latency;

Latency latency(std::uint64_t nanoseconds) { return {ns(nanoseconds), {}}; }

Description bare(std::uint32_t sockets, std::uint32_t clusters, std::uint32_t cores) {
  Description d;
  d.name = "test";
  d.sockets = sockets;
  d.clusters_per_socket = clusters;
  d.cores_per_cluster = cores;
  d.core.clock = {{1, 2000}};
  return d;
}

AgentDescription agent() {
  AgentDescription a;
  a.look_up = latency(5);
  a.hop = {ns(4), ns(6)};
  a.direct = {ns(6), ns(9)};
  a.fabric = ns(8);
  a.cache = ns(3);
  a.read_interval = ns(1);
  return a;
}

Description with_latencies(Description d) {
  d.core.issue = latency(3);
  d.core.fill = latency(5);
  d.core.snoop = latency(4);
  d.core.load = latency(1);
  d.core.store = latency(1);
  d.core.fetch_add = latency(5);
  d.core.exchange = latency(5);
  d.core.compare_exchange = latency(6);
  d.core.fence = latency(5);
  d.core.pause = latency(12);
  d.core.spin_exit = latency(2);
  d.home.look_up = ns(15);
  d.home.memory = ns(60);
  d.home.hop = {ns(10), ns(14)};
  d.home.direct = {ns(12), ns(16)};
  d.home.read_interval = ns(2);
  if (d.sockets == 2) d.links = {{{0}, {1}, ns(40), ns(40)}};
  return d;
}

std::vector<machine::CpuId> in_turn(std::uint32_t threads, std::uint32_t cpus) {
  std::vector<machine::CpuId> all;
  for (std::uint32_t thread = 0; thread < threads; ++thread) all.push_back({thread % cpus});
  return all;
}

}  // namespace

Description one_socket(std::uint32_t cores) {
  Description d = with_latencies(bare(1, 1, cores));
  d.socket_agent = agent();
  return d;
}

Description two_sockets(std::uint32_t cores_per_socket) {
  Description d = with_latencies(bare(2, 1, cores_per_socket));
  d.socket_agent = agent();
  return d;
}

Description smt_pair_cores() {
  Description d = one_socket(3);
  d.threads_per_core = 2;
  d.core.smt_slowdown = 1.5;
  return d;
}

Description clusters_without_socket_agent() {
  Description d = with_latencies(bare(1, 3, 2));
  d.cluster_agent = agent();
  d.protocol = machine::Protocol::kMoesi;
  return d;
}

Description load_linked() {
  Description d = two_sockets(2);
  d.atomics = machine::Atomics::kLlSc;
  d.far.add = true;
  return d;
}

Description one_serialisation_point(std::uint32_t cores) {
  Description d = bare(1, 1, cores);
  AgentDescription a;
  a.look_up = latency(50);
  a.read_interval = ns(50);
  a.take_up = machine::TakeUp::kCompletion;
  d.socket_agent = a;
  d.core.load = latency(1);
  d.core.store = latency(1);
  d.core.fetch_add = latency(1);
  d.core.exchange = latency(1);
  d.core.compare_exchange = latency(1);
  d.core.pause = latency(1);
  return d;
}

const model::Entry& entry(std::string_view name) {
  const auto rows = models::built_in();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const model::Entry& each) { return each.name == name; });
  INFO("model " << name);
  REQUIRE(row != rows.end());
  return *row;
}

Rig::Rig(Setup setup)
    : topology_(setup.machine),
      simulator_(setup.seed, setup.ties),
      machine_(simulator_, topology_, {.batching = setup.batching}),
      scheduler_(machine_, setup.os),
      commons_(std::make_shared<model::Commons>()),
      site_(machine_, {std::string(setup.model),
                       {0},
                       std::nullopt,
                       in_turn(setup.threads, topology_.cpus()),
                       commons_}) {
  commons_->scheduler = &scheduler_;
  add_kernel_rcu(setup);
  for (std::uint32_t number = 0; number < setup.threads; ++number) {
    const machine::CpuId cpu{number % topology_.cpus()};
    machine::Port& port = machine_.port(cpu);
    threads_.push_back(std::make_unique<os::Thread>(simulator_, port, os::ThreadId{number},
                                                    "thread " + std::to_string(number)));
    std::vector<machine::CpuId> allowed;
    if (setup.pinned) allowed = {cpu};
    scheduler_.adopt(*threads_.back(), {}, std::move(allowed));
  }
  model::ParamReader params(std::move(setup.params));
  model_ = entry(setup.model).make(site_, params);
  for (const model::ParamProblem& problem : params.problems()) {
    FAIL(problem.name << ": " << problem.message);
  }
}

/// As a run has it: where the model uses it and the operating system ticks.
void Rig::add_kernel_rcu(const Setup& setup) {
  if (!entry(setup.model).promises.uses_rcu || setup.os.hz == 0) return;
  model::Site& site = site_.part("rcu", {0});
  model::ParamReader defaults;
  rcu_ = entry("rcu").make(site, defaults);
  commons_->kernel_rcu = rcu_->rcu();
}

machine::Word Rig::scratch(std::string_view name) {
  return machine_.word(machine_.allocate(machine_.line_bytes(), {0}, name), 8);
}

void Rig::run(engine::Duration limit) {
  simulator_.run_until(simulator_.now() + limit);
  REQUIRE(simulator_.unfinished_roots() == scheduler_.kernel_threads());
  machine_.check_single_writer();
}

}  // namespace hotline::tests
