#include "sim/measure/level_series.hpp"

#include "tests/catch.hpp"

using hotline::engine::Duration;
using hotline::measure::drift;
using hotline::measure::LevelSeries;
using hotline::tests::Approx;

namespace {

Duration ns(std::uint64_t length) { return Duration::from_ps(length * 1000); }

}  // namespace

TEST_CASE("a series knows its value at any time to a thousandth, however long it goes") {
  for (const std::uint64_t length : {50U, 1'000U, 1'000'000U}) {
    LevelSeries series;
    for (std::uint64_t i = 1; i <= 1'000; ++i) series.add(ns(i * length / 1'000), 1);
    CHECK(series.at(ns(0)) == 0);
    CHECK(static_cast<double>(series.at(ns(length / 4))) == Approx(250).margin(25));
    CHECK(static_cast<double>(series.at(ns(length / 2))) == Approx(500).margin(25));
    CHECK(series.at(ns(length * 2)) == 1'000);
  }
}

TEST_CASE("a value holds until it is set anew, and before it was ever set it is the initial one") {
  LevelSeries series(7);
  series.set(ns(3'000'000), 9);
  series.set(ns(9'000'000), -2);
  CHECK(series.at(ns(1'000'000)) == 7);
  CHECK(series.at(ns(2'900'000)) == 7);
  CHECK(series.at(ns(3'100'000)) == 9);
  CHECK(series.at(ns(8'900'000)) == 9);
  CHECK(series.at(ns(20'000'000)) == -2);
}

TEST_CASE("work that ceases or begins in the middle is a drift, and no work at all is none") {
  CHECK(drift({400, 0}) == Approx(-1));
  CHECK(drift({0, 100}) == 1);
  CHECK(drift({0, 0}) == 0);
  CHECK(drift({1'000, 2'000}) == Approx(1.0));
}

TEST_CASE("what chance alone explains is no drift") {
  CHECK(drift({100, 130}) == 0);
  CHECK(drift({10'000, 13'000}) == Approx(0.3));
}
