#include "sim/engine/random.hpp"

#include <cassert>

#include "sim/engine/split_mix.hpp"

namespace hotline::engine {
namespace {

__extension__ using Wide = unsigned __int128;

/// FNV-1a (Fowler, Noll, Vo), 64 bits.
std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xCBF29CE484222325U;
  for (const char c : text) {
    value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  }
  return value;
}

}  // namespace

Random::Random(std::uint64_t run_seed, std::string_view name, std::uint64_t index) {
  // Each part passes through the mixer before the next joins it, so that (seed 1, index 2) and
  // (seed 2, index 1) have nothing in common.
  std::uint64_t mixer = run_seed;
  mixer = split_mix(mixer) ^ hash(name);
  mixer = split_mix(mixer) ^ index;
  for (auto& word : state_) word = split_mix(mixer);
}

std::uint64_t Random::below(std::uint64_t n) {
  assert(n != 0);
  // Lemire: Fast random integer generation in an interval, 2019.
  Wide product = static_cast<Wide>((*this)()) * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t unfair = (0 - n) % n;
    while (static_cast<std::uint64_t>(product) < unfair) {
      product = static_cast<Wide>((*this)()) * n;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

Duration Random::uniform(Duration low, Duration high) {
  return low + Duration::from_ps(below((high - low).ps() + 1));
}

/// For a point `x` of a layer that may lie beside the curve, in about 1 draw of 90.
double Random::exponential_slowly(std::size_t layer, double x) {
  double start = 0;
  for (;;) {
    if (layer == 0) {
      start += kZiggurat.tail;  // the tail looks like the whole, further right
    } else {
      const double low = kZiggurat.height[layer];
      const double high = kZiggurat.height[layer + 1];
      if (low + unit() * (high - low) < exp_minus(x)) return start + x;
    }
    const std::uint64_t bits = (*this)();
    const std::uint64_t position = bits >> Ziggurat::kLayerBits;
    layer = bits % Ziggurat::kLayers;
    x = static_cast<double>(position) * kZiggurat.width[layer];
    if (position < kZiggurat.inside[layer]) return start + x;
  }
}

}  // namespace hotline::engine
