#include "sim/measure/interval.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <vector>

#include <boost/math/distributions/students_t.hpp>

namespace hotline::measure {

namespace {

constexpr double kOneSidedTail = 0.025;

/// Applies `combine` to each pair.
template <class Combine>
std::vector<double> paired(std::span<const double> a, std::span<const double> b, Combine combine) {
  assert(a.size() == b.size());
  std::vector<double> result(std::min(a.size(), b.size()));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = combine(a[i], b[i]);
  return result;
}

}  // namespace

double t_quantile(std::size_t degrees_of_freedom) {
  const boost::math::students_t distribution(static_cast<double>(degrees_of_freedom));
  return boost::math::quantile(boost::math::complement(distribution, kOneSidedTail));
}

Interval mean_interval(std::span<const double> samples) {
  if (samples.empty()) return {};
  const auto count = static_cast<double>(samples.size());
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
  if (samples.size() == 1) return {mean, mean, mean, 1};
  double squares = 0;
  for (const double sample : samples) squares += (sample - mean) * (sample - mean);
  const double error = std::sqrt(squares / (count - 1) / count);
  const double half = error == 0 ? 0 : t_quantile(samples.size() - 1) * error;
  return {mean, mean - half, mean + half, samples.size()};
}

Interval paired_difference(std::span<const double> before, std::span<const double> after) {
  return mean_interval(paired(before, after, [](double b, double a) { return a - b; }));
}

Interval paired_ratio(std::span<const double> before, std::span<const double> after) {
  const auto positive = [](double value) { return value > 0; };
  if (!std::all_of(before.begin(), before.end(), positive) ||
      !std::all_of(after.begin(), after.end(), positive)) {
    return {};
  }
  const auto logs = paired(before, after, [](double b, double a) { return std::log(a / b); });
  const Interval log = mean_interval(logs);
  if (log.samples == 0) return {};
  return {std::exp(log.mean), std::exp(log.low), std::exp(log.high), log.samples};
}

}  // namespace hotline::measure
