#include "sim/experiment/hammer.hpp"

#include <algorithm>
#include <iterator>
#include <memory>

#include "sim/engine/simulator.hpp"
#include "sim/machine/machine.hpp"
#include "sim/os/thread.hpp"

namespace hotline::experiment {

namespace {

using engine::Duration;
using engine::Task;
using machine::Value;
using machine::Word;
using os::Thread;

constexpr const char* kNames[] = {"add", "fetch_add", "exchange", "compare_exchange"};

/// The word, and what is counted in the measured time.
struct Anvil {
  Word word;
  machine::SimTime warm;
  machine::SimTime end;
  std::uint64_t operations = 0;
};

Task<> add_by_compare(Thread& self, Word word) {
  Value seen = co_await self.load(word);
  for (bool is_done = false; !is_done;) {
    const Value expected = seen;
    seen = co_await self.compare_exchange(word, expected, expected + 1);
    is_done = seen == expected;
  }
}

Task<> operate(Thread& self, Word word, Hammer hammer) {
  switch (hammer) {
    case Hammer::kAdd:
      co_await self.add(word, 1);
      break;
    case Hammer::kFetchAdd:
      co_await self.fetch_add(word, 1);
      break;
    case Hammer::kExchange:
      co_await self.exchange(word, 1);
      break;
    case Hammer::kCompareExchange:
      co_await add_by_compare(self, word);
      break;
  }
}

Task<> work(Thread& self, Anvil& anvil, Hammer hammer) {
  while (self.now() < anvil.end) {
    co_await operate(self, anvil.word, hammer);
    if (self.now() >= anvil.warm && self.now() < anvil.end) ++anvil.operations;
  }
}

}  // namespace

std::optional<Hammer> parse_hammer(std::string_view name) {
  const auto* const at = std::find(std::begin(kNames), std::end(kNames), name);
  if (at == std::end(kNames)) return std::nullopt;
  return static_cast<Hammer>(at - std::begin(kNames));
}

std::vector<std::string> hammer_names() { return {std::begin(kNames), std::end(kNames)}; }

double contended_ns(const machine::Topology& topology, Hammer hammer, std::uint32_t threads) {
  const Duration warm_up = Duration::from_ps(10'000'000);
  const Duration measured = Duration::from_ps(60'000'000);
  engine::Simulator simulator;
  machine::Machine machine(simulator, topology);
  const machine::NodeId home = topology.node_of(topology.core_of(machine::CpuId{0}));
  Anvil anvil;
  anvil.word = machine.word(machine.allocate(1, home, "anvil"), 8);
  anvil.warm = simulator.now() + warm_up;
  anvil.end = anvil.warm + measured;
  std::vector<std::unique_ptr<Thread>> all;
  for (std::uint32_t i = 0; i < threads; ++i) {
    machine::Port& port = machine.port(machine::CpuId{i});
    port.set_busy(true);
    all.push_back(std::make_unique<Thread>(simulator, port, os::ThreadId{i}, "worker"));
    simulator.spawn(work(*all.back(), anvil, hammer));
  }
  simulator.run();
  return measured.ns() / static_cast<double>(std::max<std::uint64_t>(anvil.operations, 1));
}

}  // namespace hotline::experiment
