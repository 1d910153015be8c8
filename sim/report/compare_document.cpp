#include "sim/report/compare_report.hpp"
#include "sim/report/published_report.hpp"
#include "sim/report/ratio_table.hpp"
#include "sim/report/run_report.hpp"

namespace hotline::report {

using experiment::ComparedPoint;
using experiment::Comparison;
using measure::Unit;

namespace {

measure::Table ratios_at(const ComparedPoint& point) {
  return with_context(
      ratio_table(point.contrasts, point.outcomes.front().variant),
      {{{"threads", Unit::kCount, "simulated threads"}, std::uint64_t{point.threads}},
       {{"label", Unit::kText, "what the workload says about the point"}, point.label}});
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
  for (const ComparedPoint& point : comparison.points) append(document, ratios_at(point));
  append(document, published_table(comparison.checks));
  for (const ComparedPoint& point : comparison.points) {
    for (const experiment::Outcome& outcome : point.outcomes) {
      append_outcome(document, outcome, true);
    }
  }
  return document;
}

}  // namespace hotline::report
