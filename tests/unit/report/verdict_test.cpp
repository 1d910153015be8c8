#include "sim/report/verdict.hpp"

#include "tests/catch.hpp"

using hotline::experiment::Contrast;
using hotline::measure::Interval;
using hotline::report::verdict_text;

namespace {

std::string verdict(double low, double high, std::size_t samples = 5) {
  return verdict_text({"after", Interval{(low + high) / 2, low, high, samples}, {}});
}

}  // namespace

TEST_CASE("a large difference is told in times, rounded outwards to what its interval says") {
  CHECK(verdict(3.71, 4.08) == "after is 3.7 to 4.1 times faster, 95 %");
  CHECK(verdict(3.532, 3.608) == "after is 3.53 to 3.61 times faster, 95 %");
  CHECK(verdict(1 / 4.08, 1 / 3.71) == "after is 3.7 to 4.1 times slower, 95 %");
  CHECK(verdict(12, 150) == "after is 12.0 to 150.0 times faster, 95 %");
}

TEST_CASE("a small difference is told in per cent and never as none") {
  CHECK(verdict(1.224, 1.287) == "after is 22 to 29 % faster, 95 %");
  CHECK(verdict(1.0041, 1.0315) == "after is 0.4 to 3.2 % faster, 95 %");
  CHECK(verdict(1 / 1.287, 1 / 1.224) == "after is 22 to 29 % slower, 95 %");
}

TEST_CASE("an interval that contains 1 says how many replications would show a hundredth") {
  // Half the width on a logarithmic scale is log(1.04) = 3.94 times log(1.01): 15.5 times as many.
  CHECK(verdict(1 / 1.04, 1.04, 10) ==
        "after: no difference shown; 1 % would need about 146 more replications");
  CHECK(verdict(0.9965, 1.004, 10) == "after: no difference shown; it is below 0.4 %");
  CHECK(verdict(1, 1) == "after: no difference, all replications are equal");
}

TEST_CASE("without an interval there is no verdict") {
  CHECK(verdict(1.5, 1.5, 1) ==
        "after: 1.5 times the rate in one replication, which shows nothing");
  CHECK(verdict(0, 0, 0) == "after: no work done");
}
