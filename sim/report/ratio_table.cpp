#include "sim/report/ratio_table.hpp"

#include <optional>
#include <vector>

#include "sim/report/verdict.hpp"

namespace hotline::report {

using experiment::Contrast;

namespace {

/// One variant over the baseline at one point.
struct RatioRow {
  std::string variant;
  std::string baseline;
  std::optional<double> ratio, ratio_low, ratio_high;
  double difference = 0;
  std::optional<double> difference_low, difference_high;
  std::string verdict;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum measure::Unit;
    field("variant", kText, "variant of the workload", &RatioRow::variant);
    field("baseline", kText, "what it is compared with", &RatioRow::baseline);
    field("ratio", kRatio, "work per second over the baseline's", &RatioRow::ratio);
    field("ratio_low", kRatio, "lower end of the 95 % interval", &RatioRow::ratio_low);
    field("ratio_high", kRatio, "upper end of the 95 % interval", &RatioRow::ratio_high);
    field("difference", kPerSecond, "work per second less the baseline's", &RatioRow::difference);
    field("difference_low", kPerSecond, "lower end of the 95 % interval",
          &RatioRow::difference_low);
    field("difference_high", kPerSecond, "upper end of the 95 % interval",
          &RatioRow::difference_high);
    field("verdict", kText, "in words", &RatioRow::verdict);
  }
};

RatioRow ratio_row(const Contrast& contrast, const std::string& baseline) {
  RatioRow row;
  row.variant = contrast.variant;
  row.baseline = baseline;
  row.difference = contrast.difference.mean;
  row.verdict = verdict_text(contrast);
  if (contrast.ratio.samples > 0) row.ratio = contrast.ratio.mean;
  if (contrast.ratio.has_bounds()) {
    row.ratio_low = contrast.ratio.low;
    row.ratio_high = contrast.ratio.high;
  }
  if (contrast.difference.has_bounds()) {
    row.difference_low = contrast.difference.low;
    row.difference_high = contrast.difference.high;
  }
  return row;
}

}  // namespace

measure::Table ratio_table(std::span<const Contrast> contrasts, const std::string& baseline) {
  std::vector<RatioRow> rows;
  for (const Contrast& contrast : contrasts) rows.push_back(ratio_row(contrast, baseline));
  return measure::tabulate<RatioRow>("ratios", "variants against the baseline", rows);
}

}  // namespace hotline::report
