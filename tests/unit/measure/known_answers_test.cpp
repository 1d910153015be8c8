#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "sim/measure/estimators.hpp"
#include "sim/measure/transient.hpp"
#include "tests/catch.hpp"
#include "tests/unit/measure/queues.hpp"

/// The estimators on queues whose answers are in every textbook (Kleinrock, Queueing Systems 1,
/// 1975): the mean wait of M/M/1 is load / (1 - load) services, that of M/D/1 half of it. (The
/// machine repairman is tests/scenario/repairman_test.cpp, a workload.)
namespace hotline::measure {
namespace {

using tests::Approx;
using tests::Queue;
using tests::Service;

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// How many customers to leave out, by a run of its own.
std::size_t transient_of(std::uint64_t seed, double load, Service service, std::size_t customers) {
  return find_transient(Queue(~seed, load, service).waits(customers)).observations;
}

/// The mean waits of independent runs without their transients.
Interval of_replications(std::uint64_t first_seed, double load, Service service,
                         std::uint64_t replications, std::size_t customers) {
  const std::size_t transient = transient_of(first_seed, load, service, customers);
  std::vector<double> means;
  for (std::uint64_t i = 0; i < replications; ++i) {
    const std::vector<double> waits =
        Queue(first_seed + i, load, service).waits(transient + customers);
    means.push_back(mean_of(std::span(waits).subspan(transient)));
  }
  return mean_interval(means);
}

TEST_CASE("M/M/1 and M/D/1: replications find the mean wait") {
  for (const double load : {0.3, 0.5, 0.8}) {
    const double answer = load / (1 - load);
    const Interval random = of_replications(1, load, Service::kExponential, 10, 50'000);
    const Interval constant = of_replications(1, load, Service::kConstant, 10, 50'000);
    CAPTURE(load, answer, random.mean, constant.mean);
    CHECK_FALSE(random.excludes(answer));
    CHECK(random.mean == Approx(answer).epsilon(0.04));
    CHECK_FALSE(constant.excludes(answer / 2));
    CHECK(constant.mean == Approx(answer / 2).epsilon(0.04));
  }
}

TEST_CASE("M/M/1: batch means of one long run find the mean wait") {
  const std::vector<double> waits = Queue(3, 0.5, Service::kExponential).waits(200'000);
  const Interval interval = batch_means_interval(waits);
  CHECK_FALSE(interval.excludes(1.0));
  CHECK(interval.half_width() < 0.06);
}

/// The share of a thousand intervals that hold `answer`.
template <class Make>
double coverage(double answer, Make&& make) {
  int covered = 0;
  for (std::uint64_t repetition = 0; repetition < 1000; ++repetition) {
    const Interval interval = make(repetition);
    if (!interval.excludes(answer)) ++covered;
  }
  return covered / 1000.0;
}

std::vector<double> exponentials(std::uint64_t seed, std::size_t count) {
  engine::Random random(seed, "samples");
  std::vector<double> samples(count);
  for (double& sample : samples) {
    sample = random.exponential(engine::Duration::from_ps(1'000'000)).ns() / 1000;
  }
  return samples;
}

TEST_CASE("M/M/1: the 95 % interval of ten replications holds the answer in 93 to 97 %", "[slow]") {
  const double covered = coverage(1.0, [](std::uint64_t repetition) {
    return of_replications(1 + 10 * repetition, 0.5, Service::kExponential, 10, 2'000);
  });
  CHECK(covered >= 0.93);
  CHECK(covered <= 0.97);
}

TEST_CASE("M/D/1: the 95 % interval of batch means holds the answer in 93 to 97 %", "[slow]") {
  const double covered = coverage(0.5, [](std::uint64_t repetition) {
    return batch_means_interval(Queue(repetition, 0.5, Service::kConstant).waits(10'000));
  });
  CHECK(covered >= 0.93);
  CHECK(covered <= 0.97);
}

TEST_CASE("the bootstrap's 95 % interval of a skewed mean holds it in 93 to 97 %", "[slow]") {
  const double covered = coverage(1.0, [](std::uint64_t repetition) {
    return bootstrap_interval(exponentials(repetition, 100), mean_of, 1000, repetition);
  });
  CHECK(covered >= 0.93);
  CHECK(covered <= 0.97);
}

TEST_CASE(
    "a quantile's 95 % interval holds it in 93 to 97 %, for it is not on the safe side only") {
  // Of 500 samples the two bounds that are nearest to 95 % hold the quantile in 95.3 %.
  const double covered = coverage(std::log(10.0), [](std::uint64_t repetition) {
    return quantile_interval(exponentials(repetition, 500), 0.9);
  });
  CHECK(covered >= 0.93);
  CHECK(covered <= 0.97);
}

}  // namespace
}  // namespace hotline::measure
