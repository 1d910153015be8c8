#pragma once

#include <cstdint>

namespace hotline::engine {

/// Scrambles 64 bits one to one: the output step of SplitMix64 (Steele, Lea, Flood: Fast
/// splittable pseudorandom number generators, 2014).
constexpr std::uint64_t scramble(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

/// The next number of the SplitMix64 sequence that `state` stands in.
constexpr std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  return scramble(state);
}

}  // namespace hotline::engine
