#include "tests/unit/machine/random_program.hpp"

#include "tests/catch.hpp"

namespace hotline::tests {

namespace {

/// Runs one seed with and without batched waiters; both must make no mistake and agree.
void require_sound(const machine::Description& machine, std::uint64_t seed, std::uint32_t steps) {
  INFO("seed " << seed << ": " << summary(machine));
  const RandomRun batched = run_random_program(machine, seed, true, steps);
  const RandomRun single = run_random_program(machine, seed, false, steps);
  for (const RandomRun* run : {&batched, &single}) {
    const std::string first = run->mistakes.empty() ? "" : run->mistakes.front();
    REQUIRE(first == "");
  }
  // Shuffling draws lots between siblings that use their core's copy at the same moment, and draws
  // others when there are other events: there the two runs may part.
  if (machine.threads_per_core > 1 && is_shuffled(seed)) return;
  CHECK(batched.ended == single.ended);
  CHECK(batched.counts.invalidations == single.counts.invalidations);
  CHECK(batched.counts.reads == single.counts.reads);
  CHECK(batched.counts.ownerships == single.counts.ownerships);
}

}  // namespace

TEST_CASE("random programs on random machines never see what no memory may show") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) require_sound(random_machine(seed), seed, 60);
}

TEST_CASE("messages for siblings that arrive at one moment have an order of their own") {
  for (std::uint64_t seed = 2; seed <= 1200; seed += 2) {  // ties in file order
    require_sound(random_machine_of_siblings(seed), seed, 200);
  }
}

TEST_CASE("the same on many more machines", "[slow]") {
  for (std::uint64_t seed = 1000; seed < 4000; ++seed) {
    require_sound(random_machine(seed), seed, 120);
  }
}

}  // namespace hotline::tests
