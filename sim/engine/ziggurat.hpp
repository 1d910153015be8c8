#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace hotline::engine {

/// The area below exp(-x) cut into 256 layers of equal area (Marsaglia, Tsang: The ziggurat method
/// for generating random variables, 2000), for draws of 8 bits of layer and 56 bits of position.
struct Ziggurat {
  static constexpr unsigned kLayerBits = 8;
  static constexpr std::size_t kLayers = std::size_t{1} << kLayerBits;

  std::array<double, kLayers> width{};          ///< of one position step in the layer
  std::array<std::uint64_t, kLayers> inside{};  ///< positions below this lie under the curve
  std::array<double, kLayers + 1> height{};     ///< of the curve at the layer's right edge
  double tail = 0;                              ///< where the lowest layer's tail begins
};

extern const Ziggurat kZiggurat;

/// exp(-x) for x of at least 0, by additions, multiplications and divisions alone: the same on
/// every machine, which the C library does not promise.
double exp_minus(double x);

}  // namespace hotline::engine
