#pragma once

#include <cstdint>

#include "sim/engine/split_mix.hpp"

namespace hotline::engine {

/// In which order simultaneous events of one phase fire: as inserted, or shuffled by a seed.
struct TieOrder {
  bool shuffle = false;
  std::uint64_t seed = 0;
};

/// A seeded one-to-one map of the numbers below 2^bits onto themselves.
///
/// Odd multiplication, addition and xor with a right shift can each be undone modulo 2^bits, so
/// their composition is a bijection whatever the seed.
class Bijection {
 public:
  constexpr Bijection(unsigned bits, std::uint64_t seed)
      : mask_((std::uint64_t{1} << bits) - 1), shift_(bits / 2) {
    for (auto& round : rounds_) {
      round.factor = split_mix(seed) | 1;
      round.offset = split_mix(seed);
    }
  }

  /// The image of `x`, which must be below 2^bits.
  [[nodiscard]] constexpr std::uint64_t operator()(std::uint64_t x) const {
    for (const auto& round : rounds_) {
      x = (x * round.factor + round.offset) & mask_;
      x ^= x >> shift_;
    }
    return x;
  }

 private:
  struct Round {
    std::uint64_t factor = 1;
    std::uint64_t offset = 0;
  };

  std::uint64_t mask_;
  unsigned shift_;
  Round rounds_[3];
};

}  // namespace hotline::engine
