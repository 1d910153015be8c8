#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace hotline::measure {

/// A measured value with how far it varied, and what a simulation says.
struct Compared {
  double measured = 0;
  double low = 0;  ///< least of several measurements; equal to `measured` if there was one
  double high = 0;
  double simulated = 0;

  /// Simulated over measured, less one.
  [[nodiscard]] double error() const { return simulated / measured - 1; }
};

/// Pairs in which both sides agree which is more, less those in which they do not.
struct OrderAgreement {
  std::size_t same = 0;
  std::size_t opposite = 0;

  [[nodiscard]] std::size_t pairs() const { return same + opposite; }
  /// Kendall's tau; nothing without pairs.
  [[nodiscard]] std::optional<double> tau() const;
  void add(const OrderAgreement& other);
};

/// Over the pairs that the measurements tell apart: whose ranges from low to high do not touch.
[[nodiscard]] OrderAgreement order_agreement(std::span<const Compared> values);

/// Where a curve of throughput over threads collapses: the step (from point i to i + 1) over which
/// it falls most, if it falls by `least` of itself at least; nothing if it falls nowhere so far.
[[nodiscard]] std::optional<std::size_t> collapse_step(std::span<const double> throughput,
                                                       double least = 0.2);

}  // namespace hotline::measure
