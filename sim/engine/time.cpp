#include "sim/engine/time.hpp"

#include <cmath>
#include <stdexcept>

namespace hotline::engine {

Duration Duration::from_ns(double ns) {
  const double ps = std::round(ns * 1000.0);
  // 2^63 is the first double beyond max(); the comparison is written so that it rejects NaN.
  if (!(ps >= 0.0 && ps < 0x1p63)) {
    throw std::domain_error("a duration must be at least 0 and less than 106 days");
  }
  return from_ps(static_cast<std::uint64_t>(ps));
}

}  // namespace hotline::engine
