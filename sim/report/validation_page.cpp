#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/report/curves.hpp"
#include "sim/report/validation_report.hpp"

namespace hotline::report {

using experiment::ValidationPoint;
using experiment::ValidationResult;
using experiment::ValidationSet;
using experiment::ValidationVerdict;

namespace {

constexpr std::string_view kHead = R"(# Validation

Written by `hotline validate --page docs/validation.md`: every comparison with hardware, simulated
again. Machines are calibrated from their latency matrices and single-threaded costs alone; what a
set needed beyond that, it says. Points that went into a calibration are no predictions and do not
count for the errors, unless a set has no others.

`hotline validate` prints the table, `--list` names the sets, `--set NAME` shows each point of one,
and the exit code is 1 if an error grew past what is recorded in the set's file
([tests/validation/README.md](../tests/validation/README.md) is the language of those files). A set
that misses its target stays here, with the suspected mechanism. Unless a set says otherwise, the
target is a median error of 15 %, nine points in ten within 40 %, and an order of algorithms with
Kendall's tau of at least 0.9 over the pairs that the measurements tell apart and of which at least
one point is a prediction. *Collapse* counts the curves of throughput that fall by a fifth or more
from one measured point to the next, and of those the ones that fall most over the same step on both
sides.
)";

std::string cell(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string row(const ValidationResult& result) {
  const auto& errors = result.errors;
  const auto tau = errors.order.tau();
  const bool is_met = result.verdict() == ValidationVerdict::kMet;
  const std::size_t calibrated = result.points.size() - result.predicted();
  return fmt::format("| [{0}](#{0}) | {1} | {2} | {3} | {4} | {5} | {6} | {7} | {8} |\n",
                     result.set->name, errors.points, cell(errors.median), cell(errors.ninetieth),
                     cell(errors.worst), tau ? fmt::format("{:.2f}", *tau) : "-",
                     result.collapses.empty() ? "-"
                                              : fmt::format("{} of {}", result.collapses_in_place(),
                                                            result.collapses.size()),
                     result.predicted() == 0 ? "calibrated"
                     : calibrated == 0       ? "predicted"
                                             : fmt::format("predicted but {}", calibrated),
                     is_met ? "met" : "**missed**");
}

CurvesPlot plot_of(const ValidationResult& result) {
  const ValidationSet& set = *result.set;
  CurvesPlot plot;
  plot.title = set.name;
  plot.x_label = set.columns.x ? set.data.columns[*set.columns.x] : "threads";
  plot.y_label = set.data.columns[set.columns.measured];
  if (!set.over.empty()) plot.y_label = "ratio of " + plot.y_label;
  for (const ValidationPoint& point : result.points) {
    const auto known = std::find_if(plot.curves.begin(), plot.curves.end(),
                                    [&](const auto& one) { return one.name == point.series; });
    CurvePair& curve = known == plot.curves.end()
                           ? plot.curves.emplace_back(CurvePair{point.series, {}, {}, {}})
                           : *known;
    curve.x.push_back(point.x);
    curve.measured.push_back(point.values.measured / set.columns.scale);
    curve.simulated.push_back(point.values.simulated / set.columns.scale);
  }
  return plot;
}

/// Sets without an axis as a table.
std::string points_table(const ValidationResult& result) {
  std::string text = "| point | measured | simulated | error |\n|---|---:|---:|---:|\n";
  for (const ValidationPoint& point : result.points) {
    text += fmt::format("| {}{}{} | {:.4g} | {:.4g} | {:+.1f} % |\n", point.series,
                        point.threads > 0 ? fmt::format(", {} threads", point.threads) : "",
                        point.is_calibrated ? " (calibrated)" : "", point.values.measured,
                        point.values.simulated, 100 * point.values.error());
  }
  return text;
}

std::string section(const ValidationResult& result, const std::string& folder) {
  const ValidationSet& set = *result.set;
  std::string text = fmt::format("\n## {}\n\n{}.\n\n", set.name, set.title);
  if (!set.source.empty()) text += "* Data: " + set.source + "\n";
  text += "* Calibration: " + set.calibration + "\n";
  if (!set.notes.empty()) text += "* " + set.notes + "\n";
  if (result.verdict() != ValidationVerdict::kMet && !set.missed.empty()) {
    text += "* **Missed**: " + set.missed + "\n";
  }
  const bool has_picture = set.is_curve && !set.is_published;
  text += "\n" + (has_picture ? fmt::format("![{0}]({1}/{0}.svg)\n", set.name, folder)
                              : points_table(result));
  return text;
}

}  // namespace

ValidationPage validation_page(const std::vector<ValidationResult>& results,
                               const std::string& folder) {
  ValidationPage page{std::string(kHead), {}};
  page.text +=
      "\n| data set | points | median error | 90th percentile | worst | tau | collapse | kind | |\n"
      "|---|---:|---:|---:|---:|---:|---:|---|---|\n";
  for (const ValidationResult& result : results) page.text += row(result);
  const auto all = experiment::summary_of(results);
  const auto tau = all.order.tau();
  page.text += fmt::format(
      "\nAll {} predicted points together: median error {}, 90th percentile {}, tau {}.\n",
      all.points, cell(all.median), cell(all.ninetieth), tau ? fmt::format("{:.2f}", *tau) : "-");
  for (const ValidationResult& result : results) {
    page.text += section(result, folder);
    if (result.set->is_curve && !result.set->is_published) {
      page.pictures.emplace_back(result.set->name + ".svg", curves_svg(plot_of(result)));
    }
  }
  return page;
}

}  // namespace hotline::report
