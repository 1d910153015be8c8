#include "sim/engine/ziggurat.hpp"

namespace hotline::engine {
namespace {

// exp(-x) = 1 / (1 + y + y^2/2! + ...)^1024 with y = x / 1024, so that 8 terms are enough.
constexpr double exp_minus_series(double x) {
  const double y = x / 1024;
  double sum = 1;
  for (int k = 8; k >= 1; --k) sum = 1 + sum * y / k;
  for (int i = 0; i < 10; ++i) sum *= sum;
  return 1 / sum;
}

// Newton's method on exp(-x) = p, for p in (0, 1].
constexpr double minus_log(double p) {
  double x = 0;
  for (int i = 0; i < 64; ++i) {
    const double error = exp_minus_series(x) / p - 1;
    x += error / (1 + error) > 0.5 ? 0.5 : error / (1 + error);
  }
  return x;
}

constexpr Ziggurat make_ziggurat() {
  // The tail's start and the layers' area, from the paper, for 256 layers.
  constexpr double kTail = 7.69711747013104972;
  constexpr double kArea = 3.949659822581572e-3;

  Ziggurat table;
  table.tail = kTail;
  std::array<double, Ziggurat::kLayers + 1> edge{};
  edge[0] = kArea / exp_minus_series(kTail);  // as wide as a box of the lowest layer's area
  edge[1] = kTail;
  for (std::size_t i = 1; i + 1 < Ziggurat::kLayers; ++i) {
    edge[i + 1] = minus_log(kArea / edge[i] + exp_minus_series(edge[i]));
  }
  constexpr double kSteps = 0x1p56;
  for (std::size_t i = 0; i < Ziggurat::kLayers; ++i) {
    table.width[i] = edge[i] / kSteps;
    table.inside[i] = static_cast<std::uint64_t>(edge[i + 1] / edge[i] * kSteps);
    table.height[i] = exp_minus_series(edge[i]);
  }
  table.height[Ziggurat::kLayers] = 1;
  return table;
}

}  // namespace

constinit const Ziggurat kZiggurat = make_ziggurat();

double exp_minus(double x) { return exp_minus_series(x); }

}  // namespace hotline::engine
