#include "sim/report/verdict.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/experiment/schedule.hpp"
#include "sim/report/format.hpp"

namespace hotline::report {

using experiment::Contrast;
using experiment::Verdict;

namespace {

/// From this factor on people say "times", below it "%".
constexpr double kTimes = 1.5;
/// The difference that a comparison without a result is asked about.
constexpr double kOfInterest = 0.01;
constexpr int kMostDecimals = 4;

double rounded(double value, int decimals, double (*round)(double)) {
  const double unit = std::pow(10.0, decimals);
  return round(value * unit) / unit;
}

/// "3.7 to 4.1": the bounds rounded outwards, with as many decimals as their distance has and so
/// many that the lower one is not 0.
std::string range_text(double low, double high, int least) {
  const double width = high - low;
  if (width <= 0) return fmt::format("{:.{}f}", low, std::max(least, 2));
  int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(width))), least, kMostDecimals);
  while (decimals < kMostDecimals && rounded(low, decimals, std::floor) <= 0) ++decimals;
  return fmt::format("{:.{}f} to {:.{}f}", rounded(low, decimals, std::floor), decimals,
                     rounded(high, decimals, std::ceil), decimals);
}

std::string change_text(const Contrast& contrast) {
  const bool faster = contrast.verdict() == Verdict::kFaster;
  const double low = faster ? contrast.ratio.low : 1 / contrast.ratio.high;
  const double high = faster ? contrast.ratio.high : 1 / contrast.ratio.low;
  const std::string how = low >= kTimes ? range_text(low, high, 1) + " times"
                                        : range_text(100 * (low - 1), 100 * (high - 1), 0) + " %";
  return fmt::format("{} is {} {}, 95 %", contrast.variant, how, faster ? "faster" : "slower");
}

std::string no_difference_text(const Contrast& contrast) {
  const measure::Interval& ratio = contrast.ratio;
  const double half_width = std::log(ratio.high / ratio.low) / 2;
  if (half_width == 0) return contrast.variant + ": no difference, all replications are equal";
  const double wanted = std::log1p(kOfInterest);
  if (half_width <= wanted) {
    const double most = std::max(ratio.high - 1, 1 / ratio.low - 1);
    return fmt::format("{}: no difference shown; it is below {:.2g} %", contrast.variant,
                       100 * most);
  }
  const std::uint64_t needed =
      experiment::replications_for(half_width, wanted, ratio.samples) - ratio.samples;
  return fmt::format("{}: no difference shown; 1 % would need about {} more replications",
                     contrast.variant, count_text(needed));
}

}  // namespace

std::string verdict_text(const Contrast& contrast) {
  switch (contrast.verdict()) {
    case Verdict::kNoWork:
      return contrast.variant + ": no work done";
    case Verdict::kOneReplication:
      return fmt::format("{}: {:.3g} times the rate in one replication, which shows nothing",
                         contrast.variant, contrast.ratio.mean);
    case Verdict::kNoDifference:
      return no_difference_text(contrast);
    case Verdict::kFaster:
    case Verdict::kSlower:
      break;
  }
  return change_text(contrast);
}

std::string ratio_text(const measure::Interval& ratio) {
  if (ratio.samples == 0) return "none";
  if (!ratio.has_bounds()) return fmt::format("{:.2f}", ratio.mean);
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", ratio.mean, ratio.low, ratio.high);
}

}  // namespace hotline::report
