#include "sim/measure/estimators.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>

#include "sim/engine/random.hpp"

namespace hotline::measure {

namespace {

constexpr double kLowTail = 0.025;

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sorted_quantile(std::span<const double> sorted, double p) {
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

/// How skewed the statistic is: a sixth of the skewness of its values with one sample left out.
double acceleration(std::span<const double> samples, const Statistic& statistic) {
  std::vector<double> rest(samples.begin() + 1, samples.end());
  std::vector<double> values;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    values.push_back(statistic(rest));
    if (i < rest.size()) rest[i] = samples[i];
  }
  const double mean = mean_of(values);
  double squares = 0;
  double cubes = 0;
  for (const double value : values) {
    squares += (mean - value) * (mean - value);
    cubes += (mean - value) * (mean - value) * (mean - value);
  }
  return squares == 0 ? 0 : cubes / (6 * std::pow(squares, 1.5));
}

/// The statistic of many samples drawn from the samples, sorted.
std::vector<double> resampled(std::span<const double> samples, const Statistic& statistic,
                              std::size_t resamples, std::uint64_t seed) {
  engine::Random random(seed, "bootstrap");
  std::vector<double> drawn(samples.size());
  std::vector<double> values;
  values.reserve(resamples);
  for (std::size_t i = 0; i < resamples; ++i) {
    for (double& one : drawn) one = samples[random.below(samples.size())];
    values.push_back(statistic(drawn));
  }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

Interval batch_means_interval(std::span<const double> series, std::size_t batches) {
  assert(batches >= 2);
  const std::size_t length = series.size() / batches;
  if (length == 0) return series.empty() ? Interval{} : mean_interval(std::vector{mean_of(series)});
  const std::span<const double> used = series.last(length * batches);
  std::vector<double> means;
  for (std::size_t i = 0; i < batches; ++i) {
    means.push_back(mean_of(used.subspan(i * length, length)));
  }
  return mean_interval(means);
}

double lag_one_correlation(std::span<const double> series) {
  if (series.size() < 3) return 0;
  const double mean = mean_of(series);
  double squares = 0;
  double products = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    squares += (series[i] - mean) * (series[i] - mean);
    if (i > 0) products += (series[i] - mean) * (series[i - 1] - mean);
  }
  return squares == 0 ? 0 : products / squares;
}

Interval bootstrap_interval(std::span<const double> samples, const Statistic& statistic,
                            std::size_t resamples, std::uint64_t seed) {
  if (samples.empty()) return {};
  const double estimate = statistic(samples);
  if (samples.size() == 1) return {estimate, estimate, estimate, 1};
  const std::vector<double> values = resampled(samples, statistic, resamples, seed);
  const boost::math::normal normal;
  const auto first = std::lower_bound(values.begin(), values.end(), estimate);
  const auto last = std::upper_bound(values.begin(), values.end(), estimate);
  // Half of those that equal the estimate count as below it.
  const double below = static_cast<double>((first - values.begin()) + (last - values.begin())) / 2 /
                       static_cast<double>(values.size());
  const double least = 1.0 / static_cast<double>(values.size());
  const double bias = boost::math::quantile(normal, std::clamp(below, least, 1 - least));
  const double skew = acceleration(samples, statistic);
  const auto bound = [&](double tail) {
    const double z = bias + boost::math::quantile(normal, tail);
    const double place = boost::math::cdf(normal, bias + z / (1 - skew * z));
    return sorted_quantile(values, place);
  };
  return {estimate, bound(kLowTail), bound(1 - kLowTail), samples.size()};
}

double quantile(std::span<const double> samples, double p) {
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted_quantile(sorted, p);
}

Interval quantile_interval(std::span<const double> samples, double p) {
  if (samples.empty()) return {};
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t count = sorted.size();
  const boost::math::binomial below(static_cast<double>(count), p);
  // The r-th smallest lies above the quantile if fewer than r samples lie below it.
  const auto fewer_than = [&](std::size_t r) {
    return r == 0 ? 0.0 : boost::math::cdf(below, static_cast<double>(r - 1));
  };
  std::size_t low = 0;  // counted from 1; 0: no sample is low enough
  while (low < count && fewer_than(low + 1) <= kLowTail) ++low;
  std::size_t high = count + 1;
  while (high > 1 && 1 - fewer_than(high - 1) <= kLowTail) --high;
  const double infinity = std::numeric_limits<double>::infinity();
  return {sorted_quantile(sorted, p), low == 0 ? -infinity : sorted[low - 1],
          high > count ? infinity : sorted[high - 1], count};
}

}  // namespace hotline::measure
