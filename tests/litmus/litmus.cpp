#include "tests/litmus/litmus.hpp"

#include <array>
#include <numeric>

#include "tests/unit/machine/rig.hpp"

namespace hotline::tests {

namespace {

using engine::Random;

struct Ground {
  std::array<Word, 2> places;
  Word at(Place place) const { return places[static_cast<std::size_t>(place)]; }
};

Task<> run_thread(Thread& self, const std::vector<Instruction>& program, const Ground& ground,
                  Duration delay, Outcome& outcome) {
  co_await self.compute(delay);
  for (const Instruction& instruction : program) {
    switch (instruction.kind) {
      case Instruction::Kind::kStore:
        co_await self.store(ground.at(instruction.place), instruction.value);
        break;
      case Instruction::Kind::kLoad:
        outcome.loaded[instruction.destination] = co_await self.load(ground.at(instruction.place));
        break;
      case Instruction::Kind::kFence:
        co_await self.fence();
        break;
      case Instruction::Kind::kExchange:
        co_await self.exchange(ground.at(instruction.place), instruction.value);
        break;
    }
  }
}

/// Some cores read or own some lines before the test begins.
void prepare(Rig& rig, const Ground& ground, Random& chance) {
  for (const Word word : ground.places) {
    const std::uint64_t touches = chance.below(4);
    for (std::uint64_t i = 0; i < touches; ++i) {
      Thread& self = rig.thread(static_cast<std::uint32_t>(chance.below(rig.topology().cpus())));
      if (chance.below(2) == 0) {
        time_of(rig, self.load(word));
      } else {
        time_of(rig, self.fetch_add(word, 0));
      }
    }
  }
}

/// The first CPUs in random order.
std::vector<std::uint32_t> some_cpus(Rig& rig, Random& chance) {
  std::vector<std::uint32_t> cpus(rig.topology().cpus());
  std::iota(cpus.begin(), cpus.end(), 0U);
  for (std::size_t i = cpus.size() - 1; i > 0; --i) {
    std::swap(cpus[i], cpus[chance.below(i + 1)]);
  }
  return cpus;
}

Ground lay_out(Rig& rig, bool same_line, Random& chance) {
  const auto node = [&] {
    return static_cast<std::uint32_t>(chance.below(rig.topology().nodes()));
  };
  const Word x = rig.word(node());
  return {{x, same_line ? rig.beside(x, 8) : rig.word(node())}};
}

Outcome run_once(Rig& rig, const Litmus& litmus, bool same_line, Random& chance) {
  const Ground ground = lay_out(rig, same_line, chance);
  prepare(rig, ground, chance);
  Outcome outcome;
  outcome.loaded.resize(8);
  const std::vector<std::uint32_t> cpus = some_cpus(rig, chance);
  const std::uint64_t spread = 1 + chance.below(300);
  for (std::size_t i = 0; i < litmus.threads.size(); ++i) {
    rig.spawn(run_thread(rig.thread(cpus[i]), litmus.threads[i], ground, ns(chance.below(spread)),
                         outcome));
  }
  rig.run();
  outcome.x = rig.machine().peek(ground.places[0]);
  outcome.y = rig.machine().peek(ground.places[1]);
  return outcome;
}

}  // namespace

std::uint32_t times_relaxed(const Litmus& litmus, const LitmusSetup& setup) {
  constexpr std::uint32_t kRunsAMachine = 50;
  Random chance(setup.seed, litmus.name);
  std::uint32_t seen = 0;
  for (std::uint32_t done = 0; done < setup.runs; done += kRunsAMachine) {
    const engine::TieOrder ties{.shuffle = done != 0, .seed = setup.seed + done};
    Rig rig({.machine = setup.machine, .batching = setup.batching, .ties = ties});
    for (std::uint32_t i = 0; i < kRunsAMachine; ++i) {
      if (litmus.relaxed(run_once(rig, litmus, setup.same_line, chance))) ++seen;
    }
  }
  return seen;
}

}  // namespace hotline::tests
