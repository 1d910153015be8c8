// What one memory operation, one contended hand-over and one simulated thread cost the host.
// usage: bench_machine hit|rmw|stores|mcs|memory|ticket|all [--cores N] [--operations M]
//
//   hit     one core adds to a word it owns
//   rmw     N cores add to one word, one operation a hand-over: agent, snoop, answer, fill
//   stores  N cores store to one line without pause, as in gem5's Ruby crossbar (7 a hand-over)
//   mcs     N threads hand an MCS lock on: six transactions, everything included
//   memory  bytes of the host a simulated thread, N threads with a private line and a lock
//   ticket  events a hand-over of a ticket lock of N threads on the first CPUs of 64 sockets
//   all     each of them once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/catalog.hpp"
#include "sim/engine/simulator.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/shapes.hpp"
#include "sim/model/catalog.hpp"
#include "sim/model/model.hpp"
#include "sim/os/thread.hpp"
#include "tests/bench/options.hpp"

namespace hotline::bench {
namespace {

using engine::Duration;
using engine::Simulator;
using engine::Task;
using machine::CpuId;
using machine::Description;
using machine::Word;
using os::Thread;

Duration ns(double value) { return Duration::from_ns(value); }

/// One agent over all cores, the crossbar of configs/gem5-ruby-crossbar.yaml.
Description crossbar(std::uint32_t cores, machine::Consistency consistency) {
  Description machine;
  machine.cores_per_cluster = cores;
  machine.consistency = consistency;
  machine.core.clock = {{.up_to_active_cores = cores, .megahertz = 2000}};
  machine.core.issue.time = ns(0.5);
  machine.core.store.time = ns(1);
  machine.core.load.time = ns(1);
  machine.core.fetch_add.time = ns(1);
  machine.core.exchange.time = ns(1);
  machine.core.compare_exchange.time = ns(1);
  machine::AgentDescription agent;
  agent.hop = {ns(3.5), ns(3.5)};
  agent.direct = {ns(4), ns(4)};
  agent.take_up = machine::TakeUp::kCompletion;
  machine.socket_agent = agent;
  return machine;
}

/// The same, but the agent goes on when the old owner answers, and an operation fills a tenure.
Description one_a_tenure(std::uint32_t cores) {
  Description machine = crossbar(cores, machine::Consistency::kTso);
  machine.core.fetch_add.time = ns(8);
  machine.core.snoop.time = ns(1);
  machine.socket_agent->look_up.time = ns(2);
  machine.socket_agent->take_up = machine::TakeUp::kResponse;
  machine.socket_agent->read_interval = ns(0.5);
  return machine;
}

/// Sockets of 16 such cores, each linked with each.
Description sockets(std::uint32_t count) {
  Description machine = one_a_tenure(16);
  machine.sockets = count;
  machine.home.look_up = ns(15);
  machine.home.memory = ns(60);
  machine::Shape full;
  full.link = ns(40);
  machine.links = machine::links_of(full, count, 1);
  return machine;
}

/// A machine with one thread on each of its cores, or of its first ones.
struct Bench {
  explicit Bench(const Description& description)
      : Bench(description, machine::Topology(description).cpus()) {}
  Bench(const Description& description, std::uint32_t cpus)
      : topology(description), memory(simulator, topology) {
    for (std::uint32_t cpu = 0; cpu < cpus; ++cpu) {
      memory.port(CpuId{cpu}).set_busy(true);
      threads.push_back(std::make_unique<Thread>(simulator, memory.port(CpuId{cpu}),
                                                 os::ThreadId{cpu}, std::string()));
    }
  }

  Word word() { return memory.word(memory.allocate(64, machine::NodeId{}, "hot"), 8); }

  Simulator simulator;
  machine::Topology topology;
  machine::Machine memory;
  std::vector<std::unique_ptr<Thread>> threads;
};

Task<> adds(Thread& self, Word word, std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; ++i) co_await self.fetch_add(word, 1);
}

Task<> stores(Thread& self, Word word, std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; ++i) co_await self.store(word, 1);
}

Task<> locks(Thread& self, model::Lock& lock, std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; ++i) {
    co_await lock.acquire(self);
    co_await self.compute(ns(400));
    co_await lock.release(self);
    co_await self.compute(ns(5));
  }
}

void report(const char* what, Bench& bench, double seconds) {
  const machine::Counts& counts = bench.memory.counts();
  const auto rate = [seconds](std::uint64_t n) { return static_cast<double>(n) / seconds / 1e6; };
  std::printf("%-7s %5zu cores: %8.2f M operations/s %8.2f M hand-overs/s %8.2f M events/s\n", what,
              bench.threads.size(), rate(counts.operations), rate(counts.ownerships),
              rate(bench.simulator.events()));
}

template <class Spawn>
void run(const char* what, Bench& bench, Spawn spawn) {
  for (const auto& thread : bench.threads) bench.simulator.spawn(spawn(*thread));
  const double start = cpu_seconds();
  bench.simulator.run();
  report(what, bench, cpu_seconds() - start);
}

void run_locks(Bench& bench, std::uint64_t times, std::string_view name = "mcs",
               model::ParamValues values = {}) {
  model::Site::Place place;
  place.name = "lock";
  for (std::uint32_t cpu = 0; cpu < bench.threads.size(); ++cpu) {
    place.thread_cpus.push_back(CpuId{cpu});
  }
  model::Site site(bench.memory, place);
  model::ParamReader parameters(std::move(values));
  const model::Catalog catalog(models::built_in());
  const std::unique_ptr<model::Model> lock = catalog.find(name)->make(site, parameters);
  run(name.data(), bench, [&](Thread& self) { return locks(self, *lock->lock(), times); });
}

/// Heap bytes in use, as the C library counts them.
std::size_t heap_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

void run_memory(std::uint32_t cores) {
  const std::size_t before = heap_bytes();
  Bench bench(one_a_tenure(cores));
  run_locks(bench, 2);
  std::printf("memory  %5u threads: %zu bytes each\n", cores, (heap_bytes() - before) / cores);
}

void run_ticket(std::uint32_t threads, std::uint64_t operations) {
  Bench bench(sockets(64), threads);
  const std::uint64_t times = operations / threads;
  run_locks(bench, times, "ticket", {{"layout", std::string("split-lines")}});
  std::printf("ticket  %5u threads on 64 sockets: %.1f events a hand-over\n", threads,
              static_cast<double>(bench.simulator.events()) / static_cast<double>(times * threads));
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value != 0) return value;
  std::fprintf(stderr, "bench_machine: not a positive number: %.*s\n",
               static_cast<int>(text.size()), text.data());
  std::exit(2);
}

void one(std::string_view what, std::uint32_t cores, std::uint64_t operations) {
  if (what == "hit") {
    Bench bench(one_a_tenure(1));
    const Word word = bench.word();
    run("hit", bench, [&](Thread& self) { return adds(self, word, operations); });
  } else if (what == "rmw") {
    Bench bench(one_a_tenure(cores));
    const Word word = bench.word();
    run("rmw", bench, [&](Thread& self) { return adds(self, word, operations / cores); });
  } else if (what == "stores") {
    Bench bench(crossbar(cores, machine::Consistency::kSc));
    const Word word = bench.word();
    run("stores", bench, [&](Thread& self) { return stores(self, word, operations / cores); });
  } else if (what == "mcs") {
    Bench bench(one_a_tenure(cores));
    run_locks(bench, operations / cores);
  } else if (what == "memory") {
    run_memory(cores);
  } else if (what == "ticket") {
    run_ticket(cores, operations);
  } else {
    std::fprintf(stderr,
                 "usage: bench_machine hit|rmw|stores|mcs|memory|ticket|all [--cores N] "
                 "[--operations M]\n");
    std::exit(2);
  }
}

void all() {
  one("hit", 1, 4'000'000);
  one("rmw", 16, 1'000'000);
  one("stores", 16, 7'000'000);
  one("stores", 64, 7'000'000);
  one("mcs", 64, 200'000);
  one("memory", 4096, 1);
  one("ticket", 16, 16384);
  one("ticket", 1024, 16384);
}

int main_of(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "all";
  std::uint32_t cores = 16;
  std::uint64_t operations = 1'000'000;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--cores") cores = static_cast<std::uint32_t>(number(argv[i + 1]));
    if (name == "--operations") operations = number(argv[i + 1]);
  }
  if (what == "all") {
    all();
  } else {
    one(what, cores, operations);
  }
  return 0;
}

}  // namespace
}  // namespace hotline::bench

int main(int argc, char** argv) { return hotline::bench::main_of(argc, argv); }
