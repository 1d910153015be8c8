#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/unit/machine/rig.hpp"

namespace hotline::tests {

/// A small machine of any shape, protocol and rule, drawn from a seed.
machine::Description random_machine(std::uint64_t seed);

/// The same with two hardware threads a core and legs of whole multiples of 4 ns, so that messages
/// for siblings often arrive at one moment.
machine::Description random_machine_of_siblings(std::uint64_t seed);

/// What it is, for the message of a failed test.
std::string summary(const machine::Description& machine);

/// Whether a run with this seed shuffles simultaneous events.
constexpr bool is_shuffled(std::uint64_t seed) { return seed % 2 == 1; }

struct RandomRun {
  std::vector<SimTime> ended;         ///< by thread
  std::vector<std::string> mistakes;  ///< what no memory may do, in words
  machine::Counts counts;
  std::uint64_t events = 0;
};

/// Lets many threads do random operations of all kinds and sizes on three lines, and checks all
/// that can be checked: each thread sees its own stores, counters lose nothing and never run
/// backwards, exchanged values are neither lost nor doubled, no line has a writer beside other
/// copies, every thread comes to its end.
RandomRun run_random_program(const machine::Description& machine, std::uint64_t seed, bool batching,
                             std::uint32_t steps);

}  // namespace hotline::tests
