#include "sim/experiment/ping_pong.hpp"

#include <array>
#include <memory>

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

}  // namespace hotline::experiment
