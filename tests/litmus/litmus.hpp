#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/machine/description.hpp"

/// Classic litmus tests: a few threads, a few operations, and an outcome that tells memory models
/// apart (Sewell et al., x86-TSO, CACM 2010; names as in the herd tools).
namespace hotline::tests {

enum class Place : std::uint8_t { kX, kY };

struct Instruction {
  enum class Kind : std::uint8_t { kStore, kLoad, kFence, kExchange };
  Kind kind = Kind::kFence;
  Place place = Place::kX;
  std::uint64_t value = 0;        ///< stored
  std::uint32_t destination = 0;  ///< of a load, among the test's registers
};

constexpr Instruction store(Place place, std::uint64_t value) {
  return {Instruction::Kind::kStore, place, value, 0};
}
constexpr Instruction load(Place place, std::uint32_t destination) {
  return {Instruction::Kind::kLoad, place, 0, destination};
}
constexpr Instruction fence() { return {}; }
/// A locked store.
constexpr Instruction exchange(Place place, std::uint64_t value) {
  return {Instruction::Kind::kExchange, place, value, 0};
}

/// What a run ended with.
struct Outcome {
  std::vector<std::uint64_t> loaded;
  std::uint64_t x = 0;
  std::uint64_t y = 0;
};

struct Litmus {
  std::string name;
  std::vector<std::vector<Instruction>> threads;
  bool (*relaxed)(const Outcome&) = nullptr;  ///< the outcome in question
};

struct LitmusSetup {
  machine::Description machine;
  bool same_line = false;  ///< both places on one line
  bool batching = true;
  std::uint32_t runs = 0;  ///< each with other delays, places of threads and states of the lines
  std::uint64_t seed = 1;  ///< of all of these and of the order of ties
};

/// In how many of the runs the outcome in question was seen.
std::uint32_t times_relaxed(const Litmus& litmus, const LitmusSetup& setup);

}  // namespace hotline::tests
