#include "sim/measure/interval.hpp"

#include <array>
#include <vector>

#include "tests/catch.hpp"

using hotline::measure::Interval;
using hotline::measure::mean_interval;
using hotline::measure::paired_difference;
using hotline::measure::paired_ratio;
using hotline::tests::Approx;

TEST_CASE("the interval of a mean follows Student's t") {
  // Mean 3, standard error sqrt(2.5 / 5), t(0.975; 4) = 2.776445 by the printed tables.
  const std::array samples{1.0, 2.0, 3.0, 4.0, 5.0};
  const Interval interval = mean_interval(samples);
  CHECK(interval.mean == Approx(3.0));
  CHECK(interval.half_width() == Approx(2.776445 * 0.7071068).epsilon(1e-6));
  CHECK(interval.excludes(0.5));
  CHECK_FALSE(interval.excludes(2.0));
}

TEST_CASE("two samples give the wide interval of one degree of freedom") {
  // t(0.975; 1) = 12.7062.
  const Interval interval = mean_interval(std::array{9.0, 11.0});
  CHECK(interval.half_width() == Approx(12.7062).epsilon(1e-5));
}

TEST_CASE("one sample has a mean and no bounds") {
  const Interval interval = mean_interval(std::array{42.0});
  CHECK(interval.mean == 42.0);
  CHECK_FALSE(interval.has_bounds());
  CHECK_FALSE(interval.excludes(0));
  CHECK(mean_interval({}).samples == 0);
}

TEST_CASE("equal samples give an interval of no width") {
  const Interval interval = mean_interval(std::array{7.0, 7.0, 7.0});
  CHECK(interval.low == 7.0);
  CHECK(interval.high == 7.0);
}

TEST_CASE("a paired difference cancels what both sides share") {
  // The sides differ by 1.0 to 1.2 while each varies by a factor of ten.
  const std::array before{10.0, 50.0, 100.0};
  const std::array after{11.0, 51.1, 101.2};
  const Interval difference = paired_difference(before, after);
  CHECK(difference.mean == Approx(1.1));
  CHECK(difference.half_width() == Approx(4.302653 * 0.1 / 1.7320508).epsilon(1e-6));
  CHECK(difference.excludes(0));
}

TEST_CASE("a paired ratio is symmetric in which side is divided by which") {
  const std::array before{10.0, 20.0, 40.0};
  const std::array after{40.0, 82.0, 155.0};
  const Interval there = paired_ratio(before, after);
  const Interval back = paired_ratio(after, before);
  CHECK(there.mean == Approx(1 / back.mean));
  CHECK(there.low == Approx(1 / back.high));
  CHECK(there.high == Approx(1 / back.low));
  CHECK(there.mean == Approx(3.990603).epsilon(1e-6));
}

TEST_CASE("a constant factor is found exactly whatever the spread") {
  const Interval ratio = paired_ratio(std::array{1.0, 10.0, 1000.0}, std::array{4.0, 40.0, 4000.0});
  CHECK(ratio.mean == Approx(4.0));
  CHECK(ratio.half_width() == Approx(0.0).margin(1e-12));
}

TEST_CASE("a ratio of what is not positive has no samples") {
  CHECK(paired_ratio(std::array{0.0, 1.0}, std::array{1.0, 1.0}).samples == 0);
}
