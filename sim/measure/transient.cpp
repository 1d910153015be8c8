#include "sim/measure/transient.hpp"

#include <limits>
#include <numeric>
#include <vector>

namespace hotline::measure {

Transient find_transient(std::span<const double> series, std::size_t batch) {
  std::vector<double> means;
  for (std::size_t at = 0; at + batch <= series.size(); at += batch) {
    const auto part = series.subspan(at, batch);
    means.push_back(std::accumulate(part.begin(), part.end(), 0.0) / static_cast<double>(batch));
  }
  // Backwards, so that mean and sum of squares of what is kept grow by one at a time (Welford). The
  // last few means are never all that is kept: by chance they may be nearly equal.
  constexpr std::size_t kFewest = 5;
  double mean = 0;
  double squares = 0;
  double least = std::numeric_limits<double>::max();
  Transient best{0, means.size() >= 2 * kFewest};
  for (std::size_t kept = 1; kept <= means.size(); ++kept) {
    const double value = means[means.size() - kept];
    const double off = value - mean;
    mean += off / static_cast<double>(kept);
    squares += off * (value - mean);
    const auto count = static_cast<double>(kept);
    const double error = squares / (count * count);
    if (kept < kFewest || error > least) continue;
    least = error;
    best.observations = (means.size() - kept) * batch;
    best.has_ended = means.size() >= 2 * kFewest && 2 * (means.size() - kept) < means.size();
  }
  return best;
}

}  // namespace hotline::measure
