#include "sim/report/validation_report.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/report/format.hpp"

namespace hotline::report {

using experiment::Collapse;
using experiment::ErrorSummary;
using experiment::ValidationPoint;
using experiment::ValidationResult;
using experiment::ValidationVerdict;

namespace {

std::string percent(double share) { return fmt::format("{:.1f}%", 100 * share); }

std::string tau_text(const ErrorSummary& errors) {
  const auto tau = errors.order.tau();
  return tau ? fmt::format("{:.2f}", *tau) : "-";
}

std::string collapse_text(const ValidationResult& result) {
  if (result.collapses.empty()) return "-";
  return fmt::format("{} of {}", result.collapses_in_place(), result.collapses.size());
}

std::string kind_text(const ValidationResult& result) {
  const std::size_t calibrated = result.points.size() - result.predicted();
  if (calibrated == 0) return "predicted";
  if (result.predicted() == 0) return "calibrated";
  return fmt::format("predicted but {}", calibrated);
}

std::string_view verdict_word(ValidationVerdict verdict) {
  switch (verdict) {
    case ValidationVerdict::kMet:
      return "met";
    case ValidationVerdict::kMissed:
      return "MISSED";
    case ValidationVerdict::kGrown:
      return "GROWN";
  }
  return "";
}

std::vector<std::string> cells_of(const ValidationResult& result) {
  const ErrorSummary& errors = result.errors;
  return {result.set->name,       std::to_string(errors.points),
          percent(errors.median), percent(errors.ninetieth),
          percent(errors.worst),  tau_text(errors),
          collapse_text(result),  kind_text(result)};
}

std::vector<std::string> columns() {
  return {"data set", "points", "median", "p90", "worst", "tau", "collapse", "kind", "verdict"};
}

/// A set's row for machines to read.
struct SetRow {
  std::string name, title;
  std::uint64_t points = 0;
  double median = 0, ninetieth = 0, worst = 0;
  std::optional<double> tau;
  std::uint64_t collapses = 0, collapses_in_place = 0;
  std::string kind, verdict, calibration, missed, source;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum measure::Unit;
    field("set", kText, "name of the data set", &SetRow::name);
    field("title", kText, "what was measured on which machine", &SetRow::title);
    field("points", kCount, "that the errors are of", &SetRow::points);
    field("median", kRatio, "median of the absolute relative error", &SetRow::median);
    field("ninetieth", kRatio, "its 90th percentile", &SetRow::ninetieth);
    field("worst", kRatio, "its greatest", &SetRow::worst);
    field("tau", kRatio, "agreement in the order of the series at each x", &SetRow::tau);
    field("collapses", kCount, "curves that collapse on either side", &SetRow::collapses);
    field("collapses_in_place", kCount, "those that collapse where measured",
          &SetRow::collapses_in_place);
    field("kind", kText, "predicted or calibrated", &SetRow::kind);
    field("verdict", kText, "met, missed or grown", &SetRow::verdict);
    field("calibration", kText, "what was calibrated on what", &SetRow::calibration);
    field("missed", kText, "why it misses, as far as known", &SetRow::missed);
    field("source", kText, "of the data", &SetRow::source);
  }
};

SetRow set_row(const ValidationResult& result) {
  SetRow row;
  row.name = result.set->name;
  row.title = result.set->title;
  row.points = result.errors.points;
  row.median = result.errors.median;
  row.ninetieth = result.errors.ninetieth;
  row.worst = result.errors.worst;
  row.tau = result.errors.order.tau();
  row.collapses = result.collapses.size();
  row.collapses_in_place = result.collapses_in_place();
  row.kind = kind_text(result);
  row.verdict = verdict_word(result.verdict());
  row.calibration = result.set->calibration;
  row.missed = result.set->missed;
  row.source = result.set->source;
  return row;
}

struct PointRow {
  std::string set, series, kind;
  double x = 0, measured = 0, simulated = 0, error = 0;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum measure::Unit;
    field("set", kText, "name of the data set", &PointRow::set);
    field("series", kText, "the curve", &PointRow::series);
    field("x", kCount, "number of threads, or the axis of the set", &PointRow::x);
    field("measured", kRatio, "in ns, per second, or a ratio", &PointRow::measured);
    field("simulated", kRatio, "in the same unit", &PointRow::simulated);
    field("error", kRatio, "simulated over measured, less one", &PointRow::error);
    field("kind", kText, "predicted or calibrated", &PointRow::kind);
  }
};

/// The bar for all predicted points together (docs/validation.md).
constexpr experiment::Bounds kBar{0.15, 0.40, 0.9};

std::string summary_text(const std::vector<ValidationResult>& results) {
  const ErrorSummary all = experiment::summary_of(results);
  return fmt::format(
      "All {} predicted points: median error {} (bar {}), 90th percentile {} (bar {}), order tau "
      "{} "
      "(bar {:g}).",
      all.points, percent(all.median), percent(kBar.median), percent(all.ninetieth),
      percent(kBar.ninetieth), tau_text(all), kBar.tau);
}

std::string recorded_text(const ValidationResult& result) {
  const experiment::Bounds& bounds = *result.set->recorded;
  std::string text =
      fmt::format("recorded: median {}, p90 {}", percent(bounds.median), percent(bounds.ninetieth));
  if (bounds.tau >= 0) text += fmt::format(", tau {:g}", bounds.tau);  // below: none recorded
  if (result.set->collapses) text += fmt::format(", {} collapses", *result.set->collapses);
  return text;
}

}  // namespace

std::string validation_text(const std::vector<ValidationResult>& results, const Style& style) {
  TextTable table;
  std::size_t number = 0;
  for (const std::string& title : columns()) {
    const bool is_text = number == 0 || number > 6;
    table.column(title, is_text ? Align::kLeft : Align::kRight);
    ++number;
  }
  std::string notes;
  for (const ValidationResult& result : results) {
    std::vector<std::string> cells = cells_of(result);
    const ValidationVerdict verdict = result.verdict();
    const std::string word(verdict_word(verdict));
    cells.push_back(verdict == ValidationVerdict::kMet ? word : style.bad(word));
    table.row(std::move(cells));
    if (verdict == ValidationVerdict::kMet) continue;
    const std::string& why = result.set->missed;
    notes += wrap(
        result.set->name + ": " +
            (verdict == ValidationVerdict::kGrown ? "errors have grown; " + recorded_text(result)
             : why.empty()                        ? "nobody has said yet why"
                                                  : why),
        2);
  }
  std::string text = table.text(style) + "\n" + wrap(summary_text(results));
  if (!notes.empty()) text += "\n" + style.heading("Missed") + "\n" + notes;
  return text;
}

std::string validation_details(const ValidationResult& result) {
  const experiment::ValidationSet& set = *result.set;
  std::string text = wrap(set.title) + wrap("source: " + set.source, 2) +
                     wrap("calibration: " + set.calibration, 2);
  if (!set.notes.empty()) text += wrap(set.notes, 2);
  TextTable table;
  table.column("series", Align::kLeft);
  for (const char* const title : {"x", "measured", "simulated", "error"}) {
    table.column(title, Align::kRight);
  }
  table.column("", Align::kLeft);
  for (const ValidationPoint& point : result.points) {
    table.row({cut(point.series, 44), fmt::format("{:g}", point.x), si_text(point.values.measured),
               si_text(point.values.simulated), fmt::format("{:+.1f}%", 100 * point.values.error()),
               point.is_calibrated ? "c" : ""});
  }
  text += "\n" + table.text();
  for (const Collapse& one : result.collapses) {
    const auto place = [](const auto& step) {
      return step ? fmt::format("{:g} -> {:g}", step->first, step->second) : "none";
    };
    text += fmt::format("collapse of {}: measured {}, simulated {}\n", one.series,
                        place(one.measured), place(one.simulated));
  }
  return text + "\n";
}

Document validation_document(const std::vector<ValidationResult>& results) {
  const ErrorSummary all = experiment::summary_of(results);
  Document document;
  document.facts = {{"sets", static_cast<std::uint64_t>(results.size())},
                    {"predicted_points", static_cast<std::uint64_t>(all.points)},
                    {"median_error", all.median},
                    {"ninetieth_percentile", all.ninetieth}};
  if (const auto tau = all.order.tau()) document.facts.emplace_back("tau", *tau);
  std::vector<SetRow> sets;
  std::vector<PointRow> points;
  for (const ValidationResult& result : results) {
    sets.push_back(set_row(result));
    for (const ValidationPoint& point : result.points) {
      points.push_back({result.set->name, point.series,
                        point.is_calibrated ? "calibrated" : "predicted", point.x,
                        point.values.measured, point.values.simulated, point.values.error()});
    }
  }
  append(document,
         measure::tabulate<SetRow>("sets", "data sets with the errors of their points", sets));
  append(document, measure::tabulate<PointRow>(
                       "points", "what was measured beside what is simulated", points));
  return document;
}

}  // namespace hotline::report
