#include "sim/report/compare_report.hpp"
#include "sim/report/published_report.hpp"
#include "sim/report/run_report.hpp"

namespace hotline::report {

using experiment::ComparedPoint;
using experiment::Comparison;
using experiment::Contrast;
using measure::Unit;

namespace {

/// One variant over the baseline at one point.
struct RatioRow {
  std::uint64_t threads = 0;
  std::string label;
  std::string variant;
  std::string baseline;
  std::optional<double> ratio, ratio_low, ratio_high;
  double difference = 0;
  std::optional<double> difference_low, difference_high;
  std::string verdict;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("threads", kCount, "simulated threads", &RatioRow::threads);
    field("label", kText, "what the workload says about the point", &RatioRow::label);
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

RatioRow ratio_row(const ComparedPoint& point, const Contrast& contrast) {
  RatioRow row;
  row.threads = point.threads;
  row.label = point.label;
  row.variant = contrast.variant;
  row.baseline = point.outcomes.front().variant;
  row.difference = contrast.difference.mean;
  row.verdict = contrast.verdict();
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

Document compare_document(const Comparison& comparison) {
  Document document;
  document.facts = {{"workload", comparison.workload}, {"description", comparison.description}};
  if (!comparison.points.empty()) {
    const experiment::Outcome& first = comparison.points.front().outcomes.front();
    document.facts.emplace_back("machine", first.machine);
    document.facts.emplace_back("seed", first.seed);
  }
  std::vector<RatioRow> ratios;
  for (const ComparedPoint& point : comparison.points) {
    for (const Contrast& contrast : point.contrasts) ratios.push_back(ratio_row(point, contrast));
  }
  append(document, measure::tabulate<RatioRow>("ratios", "variants against the baseline", ratios));
  append(document, published_table(comparison.checks));
  for (const ComparedPoint& point : comparison.points) {
    for (const experiment::Outcome& outcome : point.outcomes) {
      append_outcome(document, outcome, true);
    }
  }
  return document;
}

}  // namespace hotline::report
