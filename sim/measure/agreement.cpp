#include "sim/measure/agreement.hpp"

namespace hotline::measure {

std::optional<double> OrderAgreement::tau() const {
  if (pairs() == 0) return std::nullopt;
  return (static_cast<double>(same) - static_cast<double>(opposite)) / static_cast<double>(pairs());
}

void OrderAgreement::add(const OrderAgreement& other) {
  same += other.same;
  opposite += other.opposite;
}

OrderAgreement order_agreement(std::span<const Compared> values) {
  OrderAgreement result;
  for (std::size_t a = 0; a < values.size(); ++a) {
    for (std::size_t b = a + 1; b < values.size(); ++b) {
      const bool a_is_less = values[a].high < values[b].low;
      const bool b_is_less = values[b].high < values[a].low;
      if (!a_is_less && !b_is_less) continue;
      const Compared& less = values[a_is_less ? a : b];
      const Compared& more = values[a_is_less ? b : a];
      ++(less.simulated < more.simulated ? result.same : result.opposite);
    }
  }
  return result;
}

std::optional<std::size_t> collapse_step(std::span<const double> throughput, double least) {
  std::optional<std::size_t> found;
  double deepest = 1 - least;
  for (std::size_t i = 0; i + 1 < throughput.size(); ++i) {
    const double kept = throughput[i + 1] / throughput[i];
    if (kept > deepest) continue;
    deepest = kept;
    found = i;
  }
  return found;
}

}  // namespace hotline::measure
