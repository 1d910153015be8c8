#include "sim/measure/work_series.hpp"

#include "tests/catch.hpp"

using hotline::engine::Duration;
using hotline::measure::drift;
using hotline::measure::WorkSeries;
using hotline::tests::Approx;

namespace {

Duration ns(std::uint64_t length) { return Duration::from_ps(length * 1000); }

}  // namespace

TEST_CASE("steady work falls into both halves alike, however long the window") {
  for (const std::uint64_t length : {50U, 1'000U, 1'000'000U}) {
    WorkSeries series;
    for (std::uint64_t i = 0; i < 1'000; ++i) series.add(ns(i * length / 1'000), 1);
    const auto halves = series.halves(ns(length));
    CHECK(halves.first + halves.second == 1'000);
    CHECK(static_cast<double>(halves.first) == Approx(500).margin(32));
    CHECK(drift(halves) == 0);
  }
}

TEST_CASE("work that ceases in the middle of the window is a drift of -1") {
  WorkSeries series;
  for (std::uint64_t i = 0; i < 400; ++i) series.add(ns(i), 1);
  const auto halves = series.halves(ns(1'000));
  CHECK(halves.first == 400);
  CHECK(halves.second == 0);
  CHECK(drift(halves) == Approx(-1));
}

TEST_CASE("work that begins late is a drift too, and no work at all is none") {
  CHECK(drift({0, 100}) == 1);
  CHECK(drift({0, 0}) == 0);
  CHECK(drift({1'000, 2'000}) == Approx(1.0));
}

TEST_CASE("what chance alone explains is no drift") {
  CHECK(drift({100, 130}) == 0);
  CHECK(drift({10'000, 13'000}) == Approx(0.3));
}
