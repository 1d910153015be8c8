#include "sim/report/fit_report.hpp"

#include <fmt/format.h>

#include "sim/report/format.hpp"

namespace hotline::report {

using experiment::Fit;
using experiment::FittedParameter;
using experiment::Residual;

namespace {

std::string interval_text(const FittedParameter& one) {
  if (!one.is_determined) return "not determined by the data";
  return fmt::format("[{}, {}]", one.parameter.text(one.low), one.parameter.text(one.high));
}

std::string range_text(const FittedParameter& one) {
  return one.parameter.text(one.parameter.least) + ".." + one.parameter.text(one.parameter.most);
}

/// A value on an end of its range would go on if it might.
bool is_at_end(const FittedParameter& one) {
  const double width = one.parameter.most - one.parameter.least;
  return one.value - one.parameter.least < 0.005 * width ||
         one.parameter.most - one.value < 0.005 * width;
}

std::string error_text(const Fit& fit) {
  std::string text = fmt::format("median error {:.1f}% on the {} rows fitted to",
                                 100 * fit.fitted_error, fit.residuals.size() - fit.held_out);
  if (fit.held_out > 0) {
    text += fmt::format(", {:.1f}% on the {} held out", 100 * fit.held_out_error, fit.held_out);
  }
  return text;
}

struct ParameterRow {
  std::string name, value, low, high, range, determined;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum measure::Unit;
    field("name", kText, "of the figure", &ParameterRow::name);
    field("value", kText, "that fits best", &ParameterRow::value);
    field("low", kText, "lower end of the 95 % interval", &ParameterRow::low);
    field("high", kText, "upper end of the 95 % interval", &ParameterRow::high);
    field("range", kText, "between what was searched", &ParameterRow::range);
    field("determined", kText, "no: the data say less than the range does",
          &ParameterRow::determined);
  }
};

struct ResidualRow {
  std::uint64_t line = 0;
  std::string series;
  std::optional<double> threads;
  double measured = 0, simulated = 0, error = 0;
  std::string held_out;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum measure::Unit;
    field("line", kCount, "of the data", &ResidualRow::line);
    field("series", kText, "the variant of a workload, or what was measured of a machine",
          &ResidualRow::series);
    field("threads", kCount, "at this number", &ResidualRow::threads);
    field("measured", kRatio, "in the unit of the data", &ResidualRow::measured);
    field("simulated", kRatio, "with the fitted values", &ResidualRow::simulated);
    field("error", kRatio, "simulated over measured, less one", &ResidualRow::error);
    field("held_out", kText, "yes: not fitted to", &ResidualRow::held_out);
  }
};

}  // namespace

std::string fit_text(const Fit& fit, const Style& style) {
  TextTable table;
  for (const char* const title : {"figure", "fitted", "95 % interval", "range", ""}) {
    table.column(title, Align::kLeft);
  }
  for (const FittedParameter& one : fit.parameters) {
    table.row({one.parameter.name, one.parameter.text(one.value), interval_text(one),
               range_text(one), is_at_end(one) ? style.bad("at its end") : ""});
  }
  TextTable residuals;
  for (const char* const title : {"line", "threads", "measured", "simulated", "error"}) {
    residuals.column(title, Align::kRight);
  }
  residuals.column("series", Align::kLeft);
  for (const Residual& one : fit.residuals) {
    residuals.row({one.row.line == 0 ? "-" : std::to_string(one.row.line),
                   one.row.threads ? std::to_string(*one.row.threads) : "-",
                   si_text(one.row.measured), si_text(one.simulated),
                   fmt::format("{:+.1f}%", 100 * one.error()),
                   one.row.series + (one.row.is_held_out ? ", held out" : "")});
  }
  return table.text(style) + "\n" + residuals.text(style) + "\n" +
         wrap(
             error_text(fit) +
             fmt::format("; {} evaluations; the worst start ended {:.2g}% worse. Intervals suppose "
                         "that the residuals are independent of each other.",
                         fit.evaluations, 100 * fit.spread_of_starts));
}

Document fit_document(const Fit& fit) {
  Document document;
  document.facts = {{"fitted_error", fit.fitted_error},
                    {"evaluations", static_cast<std::uint64_t>(fit.evaluations)}};
  if (fit.held_out > 0) document.facts.emplace_back("held_out_error", fit.held_out_error);
  std::vector<ParameterRow> parameters;
  for (const FittedParameter& one : fit.parameters) {
    parameters.push_back({one.parameter.name, one.parameter.text(one.value),
                          one.parameter.text(one.low), one.parameter.text(one.high),
                          range_text(one), one.is_determined ? "yes" : "no"});
  }
  std::vector<ResidualRow> residuals;
  for (const Residual& one : fit.residuals) {
    ResidualRow row{one.row.line,
                    one.row.series,
                    {},
                    one.row.measured,
                    one.simulated,
                    one.error(),
                    one.row.is_held_out ? "yes" : "no"};
    if (one.row.threads) row.threads = *one.row.threads;
    residuals.push_back(std::move(row));
  }
  append(document, measure::tabulate<ParameterRow>("parameters", "fitted figures", parameters));
  append(document,
         measure::tabulate<ResidualRow>("residuals", "measured and simulated", residuals));
  return document;
}

std::string fit_comment(const Fit& fit, const std::string& origin) {
  std::string text = "Fitted by `hotline fit`: " + origin + "; " + error_text(fit) + ".";
  for (const FittedParameter& one : fit.parameters) {
    text += fmt::format(" {}: {}, 95 % interval {}, searched in {}.", one.parameter.name,
                        one.parameter.text(one.value), interval_text(one), range_text(one));
  }
  std::string comment;
  std::string rest = wrap(text, 0, kPageWidth - 2);
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    comment += "# " + rest.substr(0, end) + "\n";
    rest.erase(0, end == std::string::npos ? end : end + 1);
  }
  return comment;
}

}  // namespace hotline::report
