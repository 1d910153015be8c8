#include "sim/measure/fairness.hpp"

#include <array>

#include "tests/catch.hpp"

using hotline::measure::jain_index;
using hotline::measure::min_over_max;
using hotline::tests::Approx;

TEST_CASE("equal shares are perfectly fair") {
  const std::array shares{5.0, 5.0, 5.0, 5.0};
  CHECK(jain_index(shares) == Approx(1.0));
  CHECK(min_over_max(shares) == Approx(1.0));
}

TEST_CASE("one thread that takes everything gives 1/n") {
  const std::array shares{0.0, 12.0, 0.0, 0.0};
  CHECK(jain_index(shares) == Approx(0.25));
  CHECK(min_over_max(shares) == Approx(0.0));
}

TEST_CASE("Jain's index of 1, 2, 3 is 36/42") {
  const std::array shares{1.0, 2.0, 3.0};
  CHECK(jain_index(shares) == Approx(36.0 / 42.0));
  CHECK(min_over_max(shares) == Approx(1.0 / 3.0));
}

TEST_CASE("nobody and nothing count as fair") {
  CHECK(jain_index({}) == 1.0);
  CHECK(jain_index(std::array{0.0, 0.0}) == 1.0);
  CHECK(min_over_max({}) == 1.0);
}
