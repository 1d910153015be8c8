#include "sim/experiment/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <boost/random/sobol.hpp>
#include <boost/random/uniform_01.hpp>

#include "sim/measure/estimators.hpp"

namespace hotline::experiment {

namespace {

using Points = std::vector<std::vector<double>>;

/// Points of the unit cube that fill it evenly (Sobol's sequence without its first point, the
/// origin).
Points sobol_points(std::size_t count, std::size_t dimensions) {
  boost::random::sobol engine(dimensions);
  boost::random::uniform_01<double> unit;
  engine.discard(dimensions);
  Points points(count, std::vector<double>(dimensions));
  for (auto& point : points) {
    for (double& one : point) one = unit(engine);
  }
  return points;
}

std::vector<double> values_at(const std::vector<Parameter>& parameters,
                              const std::vector<double>& shares, std::size_t first = 0) {
  std::vector<double> values;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    values.push_back(parameters[i].at(shares[first + i]));
  }
  return values;
}

std::vector<double> nominal_values(const std::vector<Parameter>& parameters) {
  std::vector<double> values;
  values.reserve(parameters.size());
  for (const Parameter& one : parameters) values.push_back(one.value);
  return values;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::string Effect::text() const {
  std::string text = baseline ? variant + " / " + *baseline : variant + ", work a second";
  if (threads) text += ", " + std::to_string(*threads) + " threads";
  return text;
}

std::vector<double> Study::at(const Points& points) const {
  std::vector<Case> cases;
  for (const auto& point : points) {
    workload::Overrides overrides = overrides_for(workload_, parameters_, point);
    overrides.threads = effect_.threads;
    cases.push_back({workload_.scenario(effect_.variant, overrides), ""});
    if (effect_.baseline) cases.push_back({workload_.scenario(*effect_.baseline, overrides), ""});
  }
  const std::vector<Outcome> outcomes = run_cases(cases, settings_, progress_);
  std::vector<double> effects;
  const std::size_t step = effect_.baseline ? 2 : 1;
  for (std::size_t i = 0; i < outcomes.size(); i += step) {
    const auto& rates = outcomes[i].rates;
    effects.push_back(effect_.baseline ? measure::paired_ratio(outcomes[i + 1].rates, rates).mean
                                       : measure::mean_interval(rates).mean);
  }
  return effects;
}

Tornado one_at_a_time(const Study& study) {
  const std::vector<double> nominal = nominal_values(study.parameters());
  Points points{nominal};
  for (std::size_t i = 0; i < nominal.size(); ++i) {
    for (const double end : {study.parameters()[i].least, study.parameters()[i].most}) {
      points.push_back(nominal);
      points.back()[i] = end;
    }
  }
  const std::vector<double> effects = study.at(points);
  Tornado tornado{effects.front(), {}};
  for (std::size_t i = 0; i < nominal.size(); ++i) {
    const double at_least = effects[1 + 2 * i];
    const double at_most = effects[2 + 2 * i];
    const auto [low, high] = std::minmax({at_least, at_most, tornado.nominal});
    tornado.swings.push_back({i, at_least, at_most, high - low});
  }
  std::stable_sort(tornado.swings.begin(), tornado.swings.end(),
                   [](const Swing& a, const Swing& b) { return a.width > b.width; });
  return tornado;
}

VarianceShares variance_shares(const Study& study, std::size_t samples) {
  const std::vector<Parameter>& parameters = study.parameters();
  const std::size_t count = parameters.size();
  const Points unit = sobol_points(samples, 2 * count);
  Points points;
  for (const auto& shares : unit) points.push_back(values_at(parameters, shares));
  for (const auto& shares : unit) points.push_back(values_at(parameters, shares, count));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < samples; ++j) {
      points.push_back(points[j]);
      points.back()[i] = points[samples + j][i];
    }
  }
  const std::vector<double> effects = study.at(points);
  const auto part = [&](std::size_t number) {
    const auto begin = effects.begin() + static_cast<std::ptrdiff_t>(number * samples);
    return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(samples));
  };
  const std::vector<double> a = part(0);
  const std::vector<double> b = part(1);
  std::vector<double> both = a;
  both.insert(both.end(), b.begin(), b.end());
  VarianceShares shares{points.size(), spread_of(both), {}};
  const double mean = mean_of(both);
  double variance = 0;
  for (const double one : both) variance += (one - mean) * (one - mean);
  variance /= static_cast<double>(both.size());
  if (variance == 0) return shares;
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<double> mixed = part(2 + i);
    Indices indices;
    for (std::size_t j = 0; j < samples; ++j) {
      indices.first += (b[j] - mean) * (mixed[j] - a[j]);  // less the mean: less noise
      indices.total += (a[j] - mixed[j]) * (a[j] - mixed[j]) / 2;
    }
    const double scale = variance * static_cast<double>(samples);
    shares.indices.push_back({indices.first / scale, indices.total / scale});
  }
  return shares;
}

std::vector<double> propagate(const Study& study, std::size_t samples) {
  Points points;
  for (const auto& shares : sobol_points(samples, study.parameters().size())) {
    points.push_back(values_at(study.parameters(), shares));
  }
  return study.at(points);
}

measure::Interval spread_of(const std::vector<double>& effects) {
  return {measure::quantile(effects, 0.5), measure::quantile(effects, 0.025),
          measure::quantile(effects, 0.975), effects.size()};
}

}  // namespace hotline::experiment
