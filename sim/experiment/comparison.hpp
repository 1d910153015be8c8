#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/experiment/outcome.hpp"
#include "sim/workload/workload.hpp"

namespace hotline::experiment {

/// What a contrast shows at 95 % confidence.
enum class Verdict : std::uint8_t { kNoWork, kOneReplication, kNoDifference, kFaster, kSlower };

/// One variant against the baseline at one point; replication r of both had the same seed.
struct Contrast {
  std::string variant;
  measure::Interval ratio;       ///< of work per second, variant over baseline
  measure::Interval difference;  ///< of work per second

  [[nodiscard]] Verdict verdict() const;
};

/// From work per second by replication.
[[nodiscard]] Contrast contrast(std::string variant, std::span<const double> baseline,
                                std::span<const double> rates);

/// All variants at one point.
struct ComparedPoint {
  std::uint32_t threads = 0;
  std::string label;
  std::vector<Outcome> outcomes;    ///< in the order of the variants; the first is the baseline
  std::vector<Contrast> contrasts;  ///< of all but the first
};

/// A published figure with what the simulation says to it.
struct Check {
  workload::Published published;
  std::optional<measure::Interval> predicted;  ///< empty if no simulated point answers to it

  /// Predicted over published, less one; empty without a prediction.
  [[nodiscard]] std::optional<double> error() const;
};

struct Comparison {
  std::string workload;
  std::string description;
  std::vector<std::string> variants;
  std::vector<ComparedPoint> points;
  std::vector<Check> checks;

  /// True if a simulation ended with threads that could not go on.
  [[nodiscard]] bool is_stuck() const;
};

/// Pairs the outcomes of one point.
[[nodiscard]] ComparedPoint compare_point(std::vector<Outcome> outcomes);

/// What to take of every case so that check_published can answer, in the order of the figures.
[[nodiscard]] std::vector<workload::Quantity> figures_of(
    const std::vector<workload::Published>& published);

/// A point and the variants to run there.
struct Needed {
  const workload::Point* point = nullptr;  ///< one of those given
  std::vector<std::string> variants;
};

/// The least to run so that every figure that is no mere information is answered.
[[nodiscard]] std::vector<Needed> needed_for(const std::vector<workload::Published>& published,
                                             const std::vector<workload::Point>& points);

/// What the points, whose cases took figures_of(published), say to each published figure.
[[nodiscard]] std::vector<Check> check_published(const std::vector<workload::Published>& published,
                                                 const std::vector<ComparedPoint>& points);

}  // namespace hotline::experiment
