#include "sim/experiment/ping_pong.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include "sim/os/thread.hpp"

namespace hotline::experiment {

namespace {

using engine::Task;
using machine::Value;
using machine::Word;
using os::Thread;

constexpr std::uint32_t kWarmUp = 10;

/// What both sides share: the word, and when each turn was taken.
struct Game {
  Word word;
  Value turns = 0;
  machine::SimTime warm = {};
  machine::SimTime end = {};
};

void note(const Thread& self, Game& game, Value taken) {
  if (taken == kWarmUp) game.warm = self.now();
  if (taken == game.turns) game.end = self.now();
}

Task<> blind(Thread& self, Game& game, Value mine) {
  for (Value turn = mine; turn <= game.turns; turn += 2) {
    Value seen = turn + 1;
    while (seen != turn) seen = co_await self.compare_exchange(game.word, turn, turn + 1);
    note(self, game, turn);
  }
}

Task<> load_first(Thread& self, Game& game, Value mine) {
  for (Value turn = mine; turn <= game.turns; turn += 2) {
    co_await self.spin_until(game.word, turn, os::Pace::kTight);
    co_await self.compare_exchange(game.word, turn, turn + 1);
    note(self, game, turn);
  }
}

machine::Duration play(std::array<machine::CpuId, 2> cpus, machine::Machine& machine, Game game,
                       Turn turn) {
  engine::Simulator& simulator = machine.simulator();
  std::array<std::unique_ptr<Thread>, 2> sides;
  for (std::uint32_t i = 0; i < 2; ++i) {
    machine::Port& port = machine.port(cpus[i]);
    port.set_busy(true);
    sides[i] = std::make_unique<Thread>(simulator, port, os::ThreadId{i}, "side");
    simulator.spawn(turn == Turn::kBlind ? blind(*sides[i], game, i)
                                         : load_first(*sides[i], game, i));
  }
  simulator.run();
  for (const machine::CpuId cpu : cpus) machine.port(cpu).set_busy(false);
  return game.end - game.warm;
}

}  // namespace

machine::Duration PingPong::one_way(machine::CpuId a, machine::CpuId b, machine::NodeId home,
                                    Turn turn, std::uint32_t lines, std::uint32_t hand_overs) {
  machine::Duration sum;
  for (std::uint32_t line = 0; line < lines; ++line) {
    const machine::Address address = machine_.allocate(1, home, "turn");
    sum += play({a, b}, machine_,
                {.word = machine_.word(address, 8), .turns = kWarmUp + hand_overs}, turn);
  }
  return sum / (std::uint64_t{lines} * hand_overs);
}

std::vector<Pairing> class_pairs(const machine::Topology& topology, const std::string& distance,
                                 bool is_home_remote) {
  constexpr std::uint32_t kMost = 40;
  std::vector<Pairing> pairs;
  const std::uint32_t cores = topology.cores();
  for (std::uint32_t i = 0; pairs.size() < kMost && i < 40 * cores; ++i) {
    const machine::CoreId a{i * 7919 % cores};
    const machine::CoreId b{(i * 104'729 + i / cores) % cores};
    const std::string& found = topology.distance_classes()[topology.distance(a, b)].name;
    const bool is_same_node = distance == "same socket" && found == "same node";
    if (!found.starts_with(distance) && !is_same_node) continue;
    if (a == b && topology.description().threads_per_core == 1) continue;
    const machine::CpuId other = a == b ? topology.cpu_of(a, 1) : topology.cpu_of(b, 0);
    const machine::NodeId local = topology.node_of(a);
    const machine::NodeId home =
        is_home_remote ? machine::NodeId{topology.nodes() - 1 - local.value} : local;
    pairs.push_back({topology.cpu_of(a, 0), other, home});
  }
  return pairs;
}

std::vector<double> one_ways(const machine::Topology& topology, std::span<const Pairing> pairs) {
  PingPong ping_pong(topology);
  std::vector<double> all;
  for (const Pairing& pair : pairs) {
    all.push_back(ping_pong.one_way(pair.a, pair.b, pair.home).ns());
  }
  return all;
}

double class_median(const machine::Topology& topology, const std::string& distance,
                    bool is_home_remote) {
  const std::vector<Pairing> pairs = class_pairs(topology, distance, is_home_remote);
  if (pairs.empty()) {
    throw std::invalid_argument("no two cores are at distance \"" + distance + "\"");
  }
  std::vector<double> all = one_ways(topology, pairs);
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

}  // namespace hotline::experiment
