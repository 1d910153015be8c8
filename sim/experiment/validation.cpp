#include "sim/experiment/validation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "sim/experiment/pool.hpp"
#include "sim/experiment/validation_plan.hpp"
#include "sim/measure/estimators.hpp"

namespace hotline::experiment {

namespace {

/// By series, in the order of the data.
std::vector<std::vector<const ValidationPoint*>> curves_of(
    const std::vector<ValidationPoint>& points) {
  std::vector<std::vector<const ValidationPoint*>> curves;
  for (const ValidationPoint& point : points) {
    const auto known = std::find_if(curves.begin(), curves.end(), [&](const auto& curve) {
      return curve.front()->series == point.series;
    });
    if (known == curves.end()) {
      curves.push_back({&point});
    } else {
      known->push_back(&point);
    }
  }
  for (auto& curve : curves) {
    std::stable_sort(curve.begin(), curve.end(),
                     [](const auto* a, const auto* b) { return a->x < b->x; });
  }
  return curves;
}

/// System-wide work a time, in any unit.
double throughput(const workload::Quantity& quantity, const ValidationPoint& point, double value) {
  if (quantity.kind != workload::Quantity::Kind::kTime) return value;
  return (quantity.per_thread ? point.threads : 1.0) / value;
}

std::optional<std::pair<double, double>> collapse_of(
    const ValidationSet& set, const std::vector<const ValidationPoint*>& curve,
    double measure::Compared::*side) {
  std::vector<double> values;
  values.reserve(curve.size());
  for (const ValidationPoint* point : curve) {
    values.push_back(throughput(set.quantity, *point, point->values.*side));
  }
  const auto step = measure::collapse_step(values);
  if (!step) return std::nullopt;
  return std::pair(curve[*step]->x, curve[*step + 1]->x);
}

std::vector<Collapse> collapses_of(const ValidationSet& set,
                                   const std::vector<ValidationPoint>& points) {
  std::vector<Collapse> all;
  if (set.ping_pong || set.is_published || set.columns.x || !set.columns.threads) return all;
  for (const auto& curve : curves_of(points)) {
    Collapse one{curve.front()->series, collapse_of(set, curve, &measure::Compared::measured),
                 collapse_of(set, curve, &measure::Compared::simulated)};
    if (one.measured || one.simulated) all.push_back(std::move(one));
  }
  return all;
}

/// Between the series at each x, of all points or of the calibrated ones.
measure::OrderAgreement order_of(const std::vector<ValidationPoint>& points, bool calibrated_only) {
  std::map<double, std::vector<measure::Compared>> by_x;
  for (const ValidationPoint& point : points) {
    if (point.is_calibrated || !calibrated_only) by_x[point.x].push_back(point.values);
  }
  measure::OrderAgreement order;
  for (const auto& [x, values] : by_x) order.add(measure::order_agreement(values));
  return order;
}

/// Of the pairs that predict something: two calibrated points do not.
measure::OrderAgreement predicted_order(const std::vector<ValidationPoint>& points) {
  measure::OrderAgreement order = order_of(points, false);
  const measure::OrderAgreement calibrated = order_of(points, true);
  order.same -= calibrated.same;
  order.opposite -= calibrated.opposite;
  return order;
}

ErrorSummary summary_of(std::vector<double> errors, const measure::OrderAgreement& order) {
  ErrorSummary summary;
  summary.order = order;
  summary.points = errors.size();
  if (errors.empty()) return summary;
  summary.median = measure::quantile(errors, 0.5);
  summary.ninetieth = measure::quantile(errors, 0.9);
  summary.worst = *std::max_element(errors.begin(), errors.end());
  return summary;
}

/// Of the predicted points, or of all of them.
std::vector<double> errors_of(const std::vector<ValidationPoint>& points, bool predicted_only) {
  std::vector<double> errors;
  for (const ValidationPoint& point : points) {
    if (predicted_only && point.is_calibrated) continue;
    errors.push_back(std::abs(point.values.error()));
  }
  return errors;
}

ValidationResult result_of(const ValidationSet& set, std::vector<ValidationPoint> points) {
  ValidationResult result{&set, std::move(points), {}, {}};
  result.collapses = collapses_of(set, result.points);
  const bool is_predicted = result.predicted() > 0;
  measure::OrderAgreement order;
  if (!set.is_published && !set.ping_pong) {
    order = is_predicted ? predicted_order(result.points) : order_of(result.points, false);
  }
  result.errors = summary_of(errors_of(result.points, is_predicted), order);
  return result;
}

bool is_beyond(const ErrorSummary& errors, const Bounds& bounds) {
  constexpr double kRounding = 1e-9;
  const auto tau = errors.order.tau();
  return errors.median > bounds.median + kRounding ||
         errors.ninetieth > bounds.ninetieth + kRounding || (tau && *tau < bounds.tau - kRounding);
}

/// Runs the cases of all plans, those with equal numbers of replications together.
std::vector<std::vector<Outcome>> run_plans(const std::vector<ValidationSet>& sets,
                                            std::vector<ValidationPlan>& plans, Settings settings,
                                            const Progress& progress) {
  std::map<std::uint32_t, std::vector<std::size_t>> by_replications;
  std::size_t all = 0;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    by_replications[sets[i].replications].push_back(i);
    all += plans[i].cases().size() * sets[i].replications;
  }
  std::vector<std::vector<Outcome>> outcomes(plans.size());
  std::size_t before = 0;
  for (const auto& [replications, members] : by_replications) {
    std::vector<Case> cases;
    for (const std::size_t i : members) {
      cases.insert(cases.end(), plans[i].cases().begin(), plans[i].cases().end());
    }
    settings.replications = replications;
    std::vector<Outcome> some = run_cases(cases, settings, [&](std::size_t done, std::size_t) {
      if (progress) progress(before + done, all);
    });
    before += cases.size() * replications;
    auto next = std::make_move_iterator(some.begin());
    for (const std::size_t i : members) {
      const auto end = next + static_cast<std::ptrdiff_t>(plans[i].cases().size());
      outcomes[i].assign(next, end);
      next = end;
    }
  }
  return outcomes;
}

void run_ping_pongs(std::vector<ValidationPlan>& plans, unsigned host_threads) {
  std::vector<std::pair<ValidationPlan*, std::size_t>> jobs;
  for (ValidationPlan& plan : plans) {
    for (std::size_t i = 0; i < plan.ping_pongs(); ++i) jobs.emplace_back(&plan, i);
  }
  for_each_job(jobs.size(), host_threads,
               [&](std::size_t job) { jobs[job].first->run_ping_pong(jobs[job].second); });
}

}  // namespace

std::size_t ValidationResult::predicted() const {
  return static_cast<std::size_t>(std::count_if(
      points.begin(), points.end(), [](const auto& point) { return !point.is_calibrated; }));
}

std::size_t ValidationResult::collapses_in_place() const {
  return static_cast<std::size_t>(std::count_if(collapses.begin(), collapses.end(),
                                                [](const auto& one) { return one.agrees(); }));
}

ValidationVerdict ValidationResult::verdict() const {
  const bool has_moved = set->collapses && collapses_in_place() < *set->collapses;
  if (set->recorded && (is_beyond(errors, *set->recorded) || has_moved))
    return ValidationVerdict::kGrown;
  const bool is_elsewhere = collapses_in_place() < collapses.size();
  return is_beyond(errors, set->target) || is_elsewhere ? ValidationVerdict::kMissed
                                                        : ValidationVerdict::kMet;
}

std::vector<ValidationResult> validate(const std::vector<ValidationSet>& sets,
                                       const workload::Library& library, const Settings& settings,
                                       const Progress& progress) {
  std::vector<ValidationPlan> plans;
  plans.reserve(sets.size());
  for (const ValidationSet& set : sets) plans.emplace_back(set, library);
  run_ping_pongs(plans, settings.host_threads);
  std::vector<std::vector<Outcome>> outcomes = run_plans(sets, plans, settings, progress);
  std::vector<ValidationResult> results;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    results.push_back(result_of(sets[i], plans[i].points(std::move(outcomes[i]))));
  }
  return results;
}

ErrorSummary summary_of(const std::vector<ValidationResult>& results) {
  std::vector<double> errors;
  measure::OrderAgreement order;
  for (const ValidationResult& result : results) {
    if (result.predicted() == 0) continue;
    const std::vector<double> own = errors_of(result.points, true);
    errors.insert(errors.end(), own.begin(), own.end());
    order.add(result.errors.order);
  }
  return summary_of(std::move(errors), order);
}

}  // namespace hotline::experiment
