#include "sim/engine/tie_order.hpp"

#include <vector>

#include "tests/catch.hpp"

using hotline::engine::Bijection;

TEST_CASE("the map is one to one for every width and seed") {
  for (const unsigned bits : {2U, 5U, 6U, 16U}) {
    for (const unsigned seed : {0U, 1U, 12345U}) {
      const Bijection map(bits, seed);
      std::vector<bool> hit(std::size_t{1} << bits);
      for (std::size_t x = 0; x < hit.size(); ++x) {
        REQUIRE(map(x) < hit.size());
        REQUIRE_FALSE(hit[map(x)]);
        hit[map(x)] = true;
      }
    }
  }
}

TEST_CASE("different seeds give different maps") {
  const Bijection a(22, 1);
  const Bijection b(22, 2);
  int equal = 0;
  for (unsigned x = 0; x < 1000; ++x) equal += a(x) == b(x) ? 1 : 0;
  REQUIRE(equal < 10);
}

TEST_CASE("neighbours come out in either order, about equally often") {
  const Bijection map(22, 3);
  int swapped = 0;
  for (unsigned x = 0; x < 10'000; ++x) swapped += map(x) > map(x + 1) ? 1 : 0;
  REQUIRE(swapped > 4'000);
  REQUIRE(swapped < 6'000);
}
