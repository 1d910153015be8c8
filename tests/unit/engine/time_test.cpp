#include "sim/engine/time.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tests/catch.hpp"

using hotline::engine::Duration;
using hotline::engine::SimTime;

TEST_CASE("durations add, subtract, scale and divide in whole picoseconds") {
  constexpr Duration a = Duration::from_ps(700);
  constexpr Duration b = Duration::from_ps(300);
  STATIC_REQUIRE((a + b).ps() == 1000);
  STATIC_REQUIRE((a - b).ps() == 400);
  STATIC_REQUIRE((a * 3).ps() == 2100);
  STATIC_REQUIRE((3 * a) == a * 3);
  STATIC_REQUIRE((a / 2).ps() == 350);
  STATIC_REQUIRE(a / b == 2);
  STATIC_REQUIRE((a % b).ps() == 100);
  STATIC_REQUIRE(b < a);
}

TEST_CASE("a point plus a length is a point, and the difference of two points is a length") {
  constexpr SimTime start = SimTime::from_ps(5000);
  constexpr SimTime later = start + Duration::from_ps(250);
  STATIC_REQUIRE(later.ps() == 5250);
  STATIC_REQUIRE(later - start == Duration::from_ps(250));
  STATIC_REQUIRE(later - Duration::from_ps(250) == start);
  STATIC_REQUIRE(start < later);
}

TEST_CASE("std::min and std::max work on points and lengths") {
  REQUIRE(std::max(Duration::from_ps(1), Duration::from_ps(2)).ps() == 2);
  REQUIRE(std::min(SimTime::from_ps(1), SimTime::from_ps(2)).ps() == 1);
}

TEST_CASE("nanoseconds are rounded to the nearest picosecond") {
  REQUIRE(Duration::from_ns(1.2).ps() == 1200);
  REQUIRE(Duration::from_ns(0.0004).ps() == 0);
  REQUIRE(Duration::from_ns(0.0006).ps() == 1);
  REQUIRE(SimTime::from_ns(47).ps() == 47000);
  REQUIRE(Duration::from_ps(1500).ns() == 1.5);
  REQUIRE(SimTime::from_ps(1500).ns() == 1.5);
}

TEST_CASE("negative, endless and undefined nanoseconds are refused") {
  REQUIRE_THROWS_AS(Duration::from_ns(-1), std::domain_error);
  REQUIRE_THROWS_AS(Duration::from_ns(1e30), std::domain_error);
  REQUIRE_THROWS_AS(Duration::from_ns(std::numeric_limits<double>::quiet_NaN()), std::domain_error);
}

TEST_CASE("the longest duration from any moment of a run reaches never without wrapping") {
  const SimTime late = SimTime::from_ps(1'000'000'000'000'000'000);
  REQUIRE(SimTime() + Duration::max() >= SimTime::never());
  REQUIRE(late + Duration::max() >= SimTime::never());
}
