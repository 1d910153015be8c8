#include "sim/engine/random.hpp"

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "sim/engine/ziggurat.hpp"
#include "tests/catch.hpp"

using namespace hotline::engine;
using hotline::tests::Approx;

namespace {

std::vector<std::uint64_t> draws(Random random, int count) {
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(random());
  return numbers;
}

}  // namespace

TEST_CASE("a stream is the same in every run with the same seed, name and index") {
  REQUIRE(draws(Random(1, "work", 3), 100) == draws(Random(1, "work", 3), 100));
}

TEST_CASE("streams that differ in seed, name or index have nothing in common") {
  const std::vector<Random> streams{
      Random(1, "work", 0), Random(2, "work", 0), Random(1, "work", 1), Random(2, "work", 1),
      Random(1, "worl", 0), Random(1, "", 0),     Random(0, "", 1)};
  for (std::size_t i = 0; i < streams.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto a = draws(streams[i], 64);
      const auto b = draws(streams[j], 64);
      int different_bits = 0;
      for (std::size_t k = 0; k < a.size(); ++k) {
        different_bits += __builtin_popcountll(a[k] ^ b[k]);
      }
      // 4096 fair coins: 2048 heads, give or take 32.
      REQUIRE(different_bits > 2048 - 200);
      REQUIRE(different_bits < 2048 + 200);
    }
  }
}

TEST_CASE("the numbers are these, with every compiler and library") {
  Random random(1, "golden", 7);
  REQUIRE(random() == 0x9E8F627ECD8238E2U);
  REQUIRE(random() == 0x135F517D75E3B72EU);
  REQUIRE(random.below(1'000'000) == 674'024);
  REQUIRE(random.uniform(Duration::from_ps(100), Duration::from_ps(200)).ps() == 154);
  REQUIRE(random.exponential(Duration::from_ps(1'000'000'000)).ps() == 45'405'584);
  std::uint64_t sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    sum += random.exponential(Duration::from_ps(1'000'000'000'000)).ps();
  }
  REQUIRE(sum == 99'779'180'844'390'472);
}

TEST_CASE("a random stream serves as a standard bit generator") {
  STATIC_REQUIRE(std::uniform_random_bit_generator<Random>);
}

TEST_CASE("below gives every number below n equally often") {
  Random random(1, "below");
  std::vector<int> seen(6);
  for (int i = 0; i < 60'000; ++i) ++seen[random.below(6)];
  for (const int count : seen) REQUIRE(std::abs(count - 10'000) < 500);
  REQUIRE(random.below(1) == 0);
}

TEST_CASE("uniform lengths lie between the bounds, which both occur") {
  Random random(1, "uniform");
  const Duration low = Duration::from_ps(10);
  const Duration high = Duration::from_ps(12);
  bool low_seen = false;
  bool high_seen = false;
  for (int i = 0; i < 1000; ++i) {
    const Duration drawn = random.uniform(low, high);
    REQUIRE(drawn >= low);
    REQUIRE(drawn <= high);
    low_seen = low_seen || drawn == low;
    high_seen = high_seen || drawn == high;
  }
  REQUIRE(low_seen);
  REQUIRE(high_seen);
  REQUIRE(random.uniform(low, low) == low);
}

TEST_CASE("unit lies in [0, 1) around one half, and bernoulli follows its probability") {
  Random random(1, "unit");
  double sum = 0;
  int heads = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double drawn = random.unit();
    REQUIRE(drawn >= 0);
    REQUIRE(drawn < 1);
    sum += drawn;
    heads += random.bernoulli(0.25) ? 1 : 0;
  }
  REQUIRE(sum / 100'000 == Approx(0.5).margin(0.005));
  REQUIRE(heads / 100'000.0 == Approx(0.25).margin(0.006));
  REQUIRE_FALSE(random.bernoulli(0));
  REQUIRE(random.bernoulli(1));
}

TEST_CASE("exponential lengths have the mean, the spread and the tail of their distribution") {
  constexpr int kDraws = 1'000'000;
  Random random(1, "exponential");
  const Duration mean = Duration::from_ps(1'000'000);
  double sum = 0;
  double squares = 0;
  std::vector<int> above(13);
  for (int i = 0; i < kDraws; ++i) {
    const double x = random.exponential(mean).ns() / 1e3;
    sum += x;
    squares += x * x;
    for (std::size_t k = 0; k < above.size() && x > static_cast<double>(k); ++k) ++above[k];
  }
  REQUIRE(sum / kDraws == Approx(1).margin(0.005));
  REQUIRE(squares / kDraws == Approx(2).margin(0.025));
  for (std::size_t k = 0; k < above.size(); ++k) {
    const double expected = kDraws * std::exp(-static_cast<double>(k));
    REQUIRE(above[k] == Approx(expected).margin(5 * std::sqrt(expected) + 2));
  }
}

TEST_CASE("the exponential function without the C library agrees with it") {
  for (double x = 0; x < 8; x += 0.01) {
    REQUIRE(exp_minus(x) == Approx(std::exp(-x)).epsilon(1e-12));
  }
}
