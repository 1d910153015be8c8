#include "sim/experiment/crossover.hpp"

#include <cmath>
#include <set>

#include "tests/catch.hpp"

using namespace hotline::experiment;

namespace {

/// A made-up variant: its ratio as a function of the value, with an interval of +-2 %.
template <class Ratio>
Measure measure(Ratio ratio, std::set<std::uint64_t>& asked) {
  return [ratio, &asked](const std::vector<std::uint64_t>& values) {
    std::vector<Contrast> contrasts;
    for (const std::uint64_t value : values) {
      CHECK(asked.insert(value).second);  // never the same twice
      const double mean = ratio(static_cast<double>(value));
      contrasts.push_back({"after", {mean, mean / 1.02, mean * 1.02, 5}, {}});
    }
    return contrasts;
  };
}

}  // namespace

TEST_CASE("a crossing is found between neighbours by doubling and halving") {
  std::set<std::uint64_t> asked;
  std::map<std::uint64_t, Contrast> seen;
  const auto found =
      find_crossings(1, 160, measure([](double n) { return n < 45 ? 0.5 : 2; }, asked), seen);
  REQUIRE(found.size() == 1);
  CHECK(found[0].last == 44);
  CHECK(found[0].first == 45);
  CHECK(found[0].faster_after);
  CHECK(found[0].unclear_from > found[0].unclear_to);
  CHECK(asked.size() <= 9 + 5);
  CHECK(seen.size() == asked.size());
}

TEST_CASE("around a gradual crossing the values without a shown difference are named") {
  std::set<std::uint64_t> asked;
  std::map<std::uint64_t, Contrast> seen;
  const auto found = find_crossings(
      1, 128, measure([](double n) { return std::pow(n / 50.5, 0.5); }, asked), seen);
  REQUIRE(found.size() == 1);
  CHECK(found[0].last == 50);
  CHECK(found[0].first == 51);
  CHECK(found[0].unclear_from <= 50);
  CHECK(found[0].unclear_to >= 51);
}

TEST_CASE("two crossings, one each way") {
  std::set<std::uint64_t> asked;
  std::map<std::uint64_t, Contrast> seen;
  const auto found = find_crossings(
      1, 64, measure([](double n) { return n < 6 || n >= 40 ? 0.8 : 1.5; }, asked), seen);
  REQUIRE(found.size() == 2);
  CHECK(found[0].first == 6);
  CHECK(found[0].faster_after);
  CHECK(found[1].first == 40);
  CHECK_FALSE(found[1].faster_after);
}

TEST_CASE("where one variant is always the faster there is no crossing") {
  std::set<std::uint64_t> asked;
  std::map<std::uint64_t, Contrast> seen;
  CHECK(find_crossings(1, 16, measure([](double) { return 2.0; }, asked), seen).empty());
  CHECK(asked == std::set<std::uint64_t>{1, 2, 4, 8, 16});
}
