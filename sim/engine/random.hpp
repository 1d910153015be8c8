#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "sim/engine/time.hpp"
#include "sim/engine/ziggurat.hpp"

namespace hotline::engine {

/// A stream of random numbers that depends only on the run's seed, its name and its index.
///
/// xoshiro256** (Blackman, Vigna: Scrambled linear pseudorandom number generators, 2021), written
/// out here so that every compiler and standard library gives the same numbers.
class Random {
 public:
  using result_type = std::uint64_t;

  Random(std::uint64_t run_seed, std::string_view name, std::uint64_t index = 0);

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  /// The next 64 random bits.
  result_type operator()() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// A number in [0, n), all equally likely; n must not be 0.
  std::uint64_t below(std::uint64_t n);

  /// A number in [0, 1) with 53 random bits.
  double unit() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

  /// True with probability `p`.
  bool bernoulli(double p) { return unit() < p; }

  /// A length in [low, high], every picosecond equally likely; low must not exceed high.
  Duration uniform(Duration low, Duration high);

  /// An exponentially distributed length, to the nearest picosecond.
  Duration exponential(Duration mean) {
    const std::uint64_t bits = (*this)();
    const std::size_t layer = bits % Ziggurat::kLayers;
    const std::uint64_t position = bits >> Ziggurat::kLayerBits;
    // Casts by way of signed integers, since only they are single instructions.
    const double x =
        static_cast<double>(static_cast<std::int64_t>(position)) * kZiggurat.width[layer];
    if (position >= kZiggurat.inside[layer]) [[unlikely]] {
      return scale(mean, exponential_slowly(layer, x));
    }
    return scale(mean, x);
  }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, unsigned bits) {
    return x << bits | x >> (64 - bits);
  }

  static Duration scale(Duration mean, double factor) {
    const double ps = static_cast<double>(static_cast<std::int64_t>(mean.ps())) * factor + 0.5;
    return Duration::from_ps(static_cast<std::uint64_t>(static_cast<std::int64_t>(ps)));
  }

  double exponential_slowly(std::size_t layer, double x);

  std::uint64_t state_[4];
};

}  // namespace hotline::engine
