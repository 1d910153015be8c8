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
template <class Point>
const Point* find_point(const workload::Published& published, const std::vector<Point>& points) {
  const Point* found = nullptr;
  for (const Point& point : points) {
    if (published.threads ? point.threads == *published.threads : point.label.empty()) {
      found = &point;
      if (point.label.empty() && published.threads) break;
    }
  }
  return found;
}

/// The values of figure `index`, or null if a replication has none.
const std::vector<double>* values_of(const Outcome& outcome, std::size_t index) {
  if (index >= outcome.figures.size()) return nullptr;
  const std::vector<double>& values = outcome.figures[index];
  return values.size() == outcome.rates.size() ? &values : nullptr;
}

std::optional<measure::Interval> predict(const workload::Published& published, std::size_t index,
                                         const std::vector<ComparedPoint>& points) {
  const ComparedPoint* point = find_point(published, points);
  if (point == nullptr) return std::nullopt;
  const Outcome* outcome = find_variant(*point, published.variant);
  const auto* values = outcome == nullptr ? nullptr : values_of(*outcome, index);
  if (values == nullptr) return std::nullopt;
  if (!published.baseline) return measure::mean_interval(*values);
  const Outcome* baseline = find_variant(*point, *published.baseline);
  const auto* before = baseline == nullptr ? nullptr : values_of(*baseline, index);
  if (before == nullptr) return std::nullopt;
  const measure::Interval ratio = measure::paired_ratio(*before, *values);
  if (ratio.samples == 0) return std::nullopt;
  return ratio;
}

}  // namespace

Verdict Contrast::verdict() const {
  if (ratio.samples == 0) return Verdict::kNoWork;
  if (!ratio.has_bounds()) return Verdict::kOneReplication;
  if (!ratio.excludes(1)) return Verdict::kNoDifference;
  return ratio.mean > 1 ? Verdict::kFaster : Verdict::kSlower;
}

std::optional<double> Check::error() const {
  if (!predicted || published.value == 0) return std::nullopt;
  return predicted->mean / published.value - 1;
}

bool Comparison::is_stuck() const {
  return std::any_of(points.begin(), points.end(), [](const ComparedPoint& point) {
    return std::any_of(point.outcomes.begin(), point.outcomes.end(),
                       [](const Outcome& outcome) { return !outcome.stuck.empty(); });
  });
}

Contrast contrast(std::string variant, std::span<const double> baseline,
                  std::span<const double> rates) {
  return {std::move(variant), measure::paired_ratio(baseline, rates),
          measure::paired_difference(baseline, rates)};
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
    point.contrasts.push_back(contrast(other.variant, baseline.rates, other.rates));
  }
  return point;
}

std::vector<Check> check_published(const std::vector<workload::Published>& published,
                                   const std::vector<ComparedPoint>& points) {
  std::vector<Check> checks;
  checks.reserve(published.size());
  for (std::size_t i = 0; i < published.size(); ++i) {
    checks.push_back({published[i], predict(published[i], i, points)});
  }
  return checks;
}

std::vector<workload::Quantity> figures_of(const std::vector<workload::Published>& published) {
  std::vector<workload::Quantity> figures;
  figures.reserve(published.size());
  for (const workload::Published& figure : published) figures.push_back(figure.quantity);
  return figures;
}

std::vector<Needed> needed_for(const std::vector<workload::Published>& published,
                               const std::vector<workload::Point>& points) {
  std::vector<Needed> needed;
  const auto need = [&](const workload::Point& point, const std::string& variant) {
    auto known = std::find_if(needed.begin(), needed.end(),
                              [&](const Needed& one) { return one.point == &point; });
    if (known == needed.end()) known = needed.insert(known, Needed{&point, {}});
    auto& variants = known->variants;
    if (std::find(variants.begin(), variants.end(), variant) == variants.end()) {
      variants.push_back(variant);
    }
  };
  for (const workload::Published& figure : published) {
    const workload::Point* point = find_point(figure, points);
    if (point == nullptr || figure.informational) continue;
    if (figure.baseline) need(*point, *figure.baseline);
    need(*point, figure.variant);
  }
  return needed;
}

}  // namespace hotline::experiment
