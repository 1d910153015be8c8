#include "sim/measure/estimators.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "sim/measure/transient.hpp"
#include "tests/catch.hpp"

namespace hotline::measure {
namespace {

using tests::Approx;

std::vector<double> counting(std::size_t count) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

TEST_CASE("batch means are Student's interval of the means of equal stretches") {
  const std::array series{9.0, 1.0, 3.0, 5.0, 7.0};  // the first fills no batch of two
  const Interval interval = batch_means_interval(series, 2);
  CHECK(interval.mean == Approx(4.0));
  CHECK(interval.half_width() == Approx(12.7062 * 2.0).epsilon(1e-5));  // means 2 and 6
  CHECK(interval.samples == 2);
  CHECK_FALSE(batch_means_interval(series, 6).has_bounds());
}

TEST_CASE("neighbours that follow each other correlate, those that alternate do the opposite") {
  CHECK(lag_one_correlation(counting(1000)) == Approx(1.0).margin(0.01));
  std::vector<double> alternating(1000);
  for (std::size_t i = 0; i < alternating.size(); ++i) alternating[i] = i % 2 == 0 ? 1 : -1;
  CHECK(lag_one_correlation(alternating) == Approx(-1.0).margin(0.01));
  CHECK(lag_one_correlation(std::array{3.0, 3.0, 3.0}) == 0);
}

TEST_CASE("a bootstrap of the mean of even samples agrees with the normal interval") {
  // 1 to 100: standard error sqrt(833.25 / 100) = 2.887, 1.96 times that is 5.66.
  const Interval interval = bootstrap_interval(counting(100), mean_of, 20'000);
  CHECK(interval.mean == 50.5);
  CHECK(interval.low == Approx(50.5 - 5.66).margin(0.25));
  CHECK(interval.high == Approx(50.5 + 5.66).margin(0.25));
  const Interval again = bootstrap_interval(counting(100), mean_of, 20'000);
  CHECK(again.low == interval.low);
}

TEST_CASE("a bootstrap of skewed samples leans to the long side") {
  std::vector<double> samples;
  for (int i = 1; i <= 40; ++i) samples.push_back(-std::log(i / 41.0));
  const Interval interval = bootstrap_interval(samples, mean_of);
  CHECK(interval.high - interval.mean > 1.15 * (interval.mean - interval.low));
}

TEST_CASE("equal samples have a bootstrap interval of no width, and one sample no bounds") {
  const Interval interval = bootstrap_interval(std::array{7.0, 7.0, 7.0}, mean_of);
  CHECK(interval.low == 7.0);
  CHECK(interval.high == 7.0);
  CHECK_FALSE(bootstrap_interval(std::array{7.0}, mean_of).has_bounds());
}

TEST_CASE("the interval of a median are the samples that binomial tables name") {
  // Of 20 samples the 6th and the 15th (Hahn and Meeker, Statistical Intervals, table A.15).
  const Interval interval = quantile_interval(counting(20), 0.5);
  CHECK(interval.mean == 10.5);
  CHECK(interval.low == 6);
  CHECK(interval.high == 15);
}

TEST_CASE("a bound that the samples cannot give is infinite") {
  const Interval interval = quantile_interval(counting(20), 0.99);
  CHECK(interval.high == std::numeric_limits<double>::infinity());
  CHECK(interval.low == 19);
  CHECK(quantile_interval(counting(5), 0.5).low == -std::numeric_limits<double>::infinity());
}

TEST_CASE("a transient that is a step is cut off where it ends, to a batch") {
  for (const std::size_t step : {5U, 50U, 123U, 400U}) {
    std::vector<double> series(1000);
    for (std::size_t i = 0; i < series.size(); ++i) {
      series[i] = (i < step ? 3.0 : 10.0) + static_cast<double>(i * 7919 % 11) * 0.02;
    }
    const Transient transient = find_transient(series);
    CAPTURE(step);
    CHECK(transient.has_ended);
    CHECK(transient.observations >= step);
    CHECK(transient.observations < step + 25);
  }
}

TEST_CASE("what is steady from the start is kept whole; what still rises at the end is not over") {
  const Transient steady = find_transient(std::vector<double>(1000, 4.0));
  CHECK(steady.has_ended);
  CHECK(steady.observations == 0);
  CHECK_FALSE(find_transient(counting(1000)).has_ended);
  CHECK_FALSE(find_transient(counting(3)).has_ended);
}

}  // namespace
}  // namespace hotline::measure
