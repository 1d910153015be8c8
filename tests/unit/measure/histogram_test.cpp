#include "sim/measure/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"

using hotline::engine::Duration;
using hotline::measure::Histogram;

namespace {

Duration ps(std::uint64_t value) { return Duration::from_ps(value); }

}  // namespace

TEST_CASE("an empty histogram answers zero to everything") {
  const Histogram histogram;
  CHECK(histogram.count() == 0);
  CHECK(histogram.mean() == Duration());
  CHECK(histogram.min() == Duration());
  CHECK(histogram.max() == Duration());
  CHECK(histogram.quantile(0.5) == Duration());
}

TEST_CASE("count, sum, mean, least and greatest are exact") {
  Histogram histogram;
  for (const std::uint64_t value : {1'000'003U, 7U, 999'999'937U}) histogram.add(ps(value));
  CHECK(histogram.count() == 3);
  CHECK(histogram.sum() == ps(1'000'999'947));
  CHECK(histogram.mean() == ps(333'666'649));
  CHECK(histogram.min() == ps(7));
  CHECK(histogram.max() == ps(999'999'937));
}

TEST_CASE("values below 256 ps keep a bucket each") {
  Histogram histogram;
  for (std::uint64_t value = 0; value < 256; ++value) histogram.add(ps(value));
  for (std::uint64_t rank = 1; rank <= 256; ++rank) {
    CHECK(histogram.quantile(static_cast<double>(rank) / 256.0) == ps(rank - 1));
  }
}

TEST_CASE("a quantile is off by at most the stated error at every magnitude") {
  for (std::uint64_t value = 1; value < (std::uint64_t{1} << 60U); value += 1 + value / 3) {
    Histogram histogram;
    histogram.add(ps(value / 2));
    histogram.add(ps(value));
    histogram.add(ps(value * 2));
    const auto middle = static_cast<double>(histogram.quantile(0.5).ps());
    const auto exact = static_cast<double>(value);
    CHECK(std::abs(middle - exact) <= exact * Histogram::kRelativeError);
  }
}

TEST_CASE("quantiles of a known distribution lie where they must") {
  Histogram histogram;
  for (std::uint64_t value = 1; value <= 10'000; ++value) histogram.add(ps(value * 1000));
  for (const double q : {0.01, 0.5, 0.9, 0.99, 0.999}) {
    const double exact = q * 10'000 * 1000;
    CHECK(static_cast<double>(histogram.quantile(q).ps()) ==
          hotline::tests::Approx(exact).epsilon(Histogram::kRelativeError));
  }
  CHECK(histogram.quantile(1) == histogram.max());
}

TEST_CASE("merging two histograms is the same as adding all values to one") {
  Histogram all;
  Histogram first;
  Histogram second;
  for (std::uint64_t value = 1; value < 100'000; value = value * 5 / 4 + 1) {
    all.add(ps(value));
    (value % 2 == 0 ? first : second).add(ps(value));
  }
  first.merge(second);
  CHECK(first.count() == all.count());
  CHECK(first.sum() == all.sum());
  CHECK(first.min() == all.min());
  CHECK(first.max() == all.max());
  for (const double q : {0.1, 0.5, 0.9, 0.99}) CHECK(first.quantile(q) == all.quantile(q));
}

TEST_CASE("quarter octaves cover every value once, in ascending order") {
  Histogram histogram;
  for (std::uint64_t value = 1; value <= 100'000; value += 7) histogram.add(ps(value));
  std::uint64_t count = 0;
  Duration end;
  for (const Histogram::Bucket& bucket : histogram.quarter_octaves()) {
    CHECK(bucket.from >= end);
    CHECK(bucket.to > bucket.from);
    CHECK(bucket.count > 0);
    // Values 1, 8, 15, ...: how many lie below a bound is known.
    const auto below = [](Duration bound) {
      return (std::min<std::uint64_t>(bound.ps(), 100'001) + 5) / 7;
    };
    CHECK(bucket.count == below(bucket.to) - below(bucket.from));
    // Four steps an octave, above the first 256 ps.
    if (bucket.from >= ps(256)) CHECK(bucket.to.ps() * 4 <= bucket.from.ps() * 5);
    count += bucket.count;
    end = bucket.to;
  }
  CHECK(count == histogram.count());
  CHECK(Histogram().quarter_octaves().empty());
}
