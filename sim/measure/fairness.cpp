#include "sim/measure/fairness.hpp"

#include <algorithm>

namespace hotline::measure {

double jain_index(std::span<const double> shares) {
  double sum = 0;
  double squares = 0;
  for (const double share : shares) {
    sum += share;
    squares += share * share;
  }
  if (squares == 0) return 1;
  return sum * sum / (static_cast<double>(shares.size()) * squares);
}

double min_over_max(std::span<const double> shares) {
  if (shares.empty()) return 1;
  const auto [least, greatest] = std::minmax_element(shares.begin(), shares.end());
  return *greatest == 0 ? 1 : *least / *greatest;
}

}  // namespace hotline::measure
