#include "sim/experiment/comparison.hpp"

#include <algorithm>

namespace hotline::experiment {

namespace {

const Outcome* find_variant(const ComparedPoint& point, const std::string& variant) {
  const auto found = std::find_if(point.outcomes.begin(), point.outcomes.end(),
                                  [&](const Outcome& o) { return o.variant == variant; });
  return found == point.outcomes.end() ? nullptr : &*found;
}

/// The point that a figure belongs to: that of its number of threads, else the last one that is not
/// a hypothetical of the workload's author.
const ComparedPoint* find_point(const workload::Published& published,
                                const std::vector<ComparedPoint>& points) {
  const ComparedPoint* found = nullptr;
  for (const ComparedPoint& point : points) {
    if (published.threads ? point.threads == *published.threads : point.label.empty()) {
      found = &point;
      if (point.label.empty() && published.threads) break;
    }
  }
  return found;
}

std::optional<measure::Interval> predict(const workload::Published& published,
                                         const std::vector<ComparedPoint>& points) {
  const ComparedPoint* point = find_point(published, points);
  if (point == nullptr) return std::nullopt;
  const Outcome* outcome = find_variant(*point, published.variant);
  if (outcome == nullptr) return std::nullopt;
  if (!published.baseline) return outcome->rate();
  const Outcome* baseline = find_variant(*point, *published.baseline);
  if (baseline == nullptr) return std::nullopt;
  const measure::Interval ratio = measure::paired_ratio(baseline->rates, outcome->rates);
  if (ratio.samples == 0) return std::nullopt;
  return ratio;
}

}  // namespace

std::string Contrast::verdict() const {
  if (ratio.samples == 0) return "no work done";
  if (!ratio.has_bounds()) return "one replication";
  if (!ratio.excludes(1)) return "no difference shown";
  return ratio.mean > 1 ? "faster" : "slower";
}

std::optional<double> Check::error() const {
  if (!predicted || published.value == 0) return std::nullopt;
  return predicted->mean / published.value - 1;
}

ComparedPoint compare_point(std::vector<Outcome> outcomes) {
  ComparedPoint point;
  point.outcomes = std::move(outcomes);
  if (point.outcomes.empty()) return point;
  const Outcome& baseline = point.outcomes.front();
  point.threads = baseline.threads;
  point.label = baseline.label;
  for (std::size_t i = 1; i < point.outcomes.size(); ++i) {
    const Outcome& other = point.outcomes[i];
    point.contrasts.push_back({other.variant, measure::paired_ratio(baseline.rates, other.rates),
                               measure::paired_difference(baseline.rates, other.rates)});
  }
  return point;
}

std::vector<Check> check_published(const std::vector<workload::Published>& published,
                                   const std::vector<ComparedPoint>& points) {
  std::vector<Check> checks;
  checks.reserve(published.size());
  for (const workload::Published& figure : published) {
    checks.push_back({figure, predict(figure, points)});
  }
  return checks;
}

}  // namespace hotline::experiment
