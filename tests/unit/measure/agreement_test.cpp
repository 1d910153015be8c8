#include "sim/measure/agreement.hpp"

#include <array>
#include <vector>

#include "tests/catch.hpp"

namespace hotline::measure {
namespace {

Compared exact(double measured, double simulated) {
  return {measured, measured, measured, simulated};
}

TEST_CASE("tau is the share of pairs in order less that of pairs out of order") {
  // Of three pairs one (the second and the third) is the other way round.
  const std::vector<Compared> values{exact(1, 10), exact(2, 30), exact(3, 20)};
  const OrderAgreement order = order_agreement(values);
  CHECK(order.same == 2);
  CHECK(order.opposite == 1);
  CHECK(order.tau().value() == tests::Approx(1.0 / 3));
}

TEST_CASE("pairs whose measurements overlap say nothing about order") {
  const std::vector<Compared> values{{10, 8, 12, 1}, {11, 9, 13, 0}, {20, 19, 21, 5}};
  const OrderAgreement order = order_agreement(values);
  CHECK(order.pairs() == 2);
  CHECK(order.tau() == 1.0);
  CHECK_FALSE(order_agreement(std::vector<Compared>{exact(1, 1), exact(1, 2)}).tau());
}

TEST_CASE("pairs that the simulation does not tell apart count as out of order") {
  CHECK(order_agreement(std::vector<Compared>{exact(1, 5), exact(2, 5)}).opposite == 1);
}

TEST_CASE("a curve collapses at its deepest step, if that is deep enough") {
  CHECK(collapse_step(std::array{1.0, 2.0, 1.5, 0.5, 0.4}) == 2U);
  CHECK_FALSE(collapse_step(std::array{1.0, 2.0, 1.9, 1.8}));
  CHECK(collapse_step(std::array{10.0, 8.0}) == 0U);
  CHECK_FALSE(collapse_step({}));
}

}  // namespace
}  // namespace hotline::measure
