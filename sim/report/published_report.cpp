#include "sim/report/published_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/report/format.hpp"

namespace hotline::report {

using experiment::Check;
using experiment::Comparison;
using measure::Interval;
using measure::Unit;
using workload::Published;
using workload::Quantity;

namespace {

/// A published figure.
struct PublishedRow {
  std::string name;
  std::string variant;
  std::string baseline;
  std::optional<double> threads;
  std::string unit;
  double published = 0;
  std::optional<double> simulated, simulated_low, simulated_high, error;
  std::string calibrated;
  std::string informational;
  std::string source;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("name", kText, "what the figure is", &PublishedRow::name);
    field("variant", kText, "of this variant", &PublishedRow::variant);
    field("baseline", kText, "over this one, if it is a ratio", &PublishedRow::baseline);
    field("threads", kCount, "at this point", &PublishedRow::threads);
    field("unit", kText, "of both figures: ratio, 1/s, ns or %", &PublishedRow::unit);
    field("published", kRatio, "the figure", &PublishedRow::published);
    field("simulated", kRatio, "what the simulation gives", &PublishedRow::simulated);
    field("simulated_low", kRatio, "lower end of the 95 % interval", &PublishedRow::simulated_low);
    field("simulated_high", kRatio, "upper end of the 95 % interval",
          &PublishedRow::simulated_high);
    field("error", kRatio, "simulated over published, less one", &PublishedRow::error);
    field("calibrated", kText, "yes: the workload was calibrated on it, so it is no prediction",
          &PublishedRow::calibrated);
    field("informational", kText, "yes: of another form of the patch or another base",
          &PublishedRow::informational);
    field("source", kText, "where it was published", &PublishedRow::source);
  }
};

std::string_view unit_text(const Published& published) {
  if (published.baseline) return "ratio";
  switch (published.quantity.unit()) {
    case Quantity::Unit::kPerSecond:
      return "1/s";
    case Quantity::Unit::kNanoseconds:
      return "ns";
    case Quantity::Unit::kPercent:
      return "%";
    case Quantity::Unit::kRatio:
      return "ratio";
  }
  return "";
}

PublishedRow published_row(const Check& check) {
  const Published& published = check.published;
  PublishedRow row;
  row.name = published.name;
  row.variant = published.variant;
  row.baseline = published.baseline.value_or("");
  if (published.threads) row.threads = *published.threads;
  row.unit = unit_text(published);
  row.published = published.value;
  row.calibrated = published.calibrated ? "yes" : "no";
  row.informational = published.informational ? "yes" : "no";
  row.source = published.source;
  if (!check.predicted || published.informational) return row;
  row.simulated = check.predicted->mean;
  row.error = check.error();
  if (check.predicted->has_bounds()) {
    row.simulated_low = check.predicted->low;
    row.simulated_high = check.predicted->high;
  }
  return row;
}

/// One value of the figure's kind.
std::string value_text(const Published& published, double value) {
  if (published.baseline) return fmt::format("{:.{}f}", value, value < 1 ? 3 : 2);
  switch (published.quantity.unit()) {
    case Quantity::Unit::kPerSecond:
      return si_text(value) + "/s";
    case Quantity::Unit::kNanoseconds:
      return duration_text(
          engine::Duration::from_ps(static_cast<std::uint64_t>(std::llround(value * 1000))));
    case Quantity::Unit::kPercent:
      return percent_text(value);
    case Quantity::Unit::kRatio:
      return fmt::format("{:.{}f}", value, value < 1 ? 3 : 2);
  }
  return "";
}

/// As it was published, with its digits.
std::string published_value(const Published& published) {
  return published.baseline ? fmt::format("{:g}", published.value)
                            : value_text(published, published.value);
}

std::string interval_text(const Published& published, const Interval& interval) {
  std::string text = value_text(published, interval.mean);
  if (!interval.has_bounds()) return text;
  return text + fmt::format(" [{}, {}]", value_text(published, std::max(interval.low, 0.0)),
                            value_text(published, interval.high));
}

std::string error_text(const Check& check) {
  std::string text = fmt::format("{:+.1f}%", 100 * check.error().value_or(0));
  const bool is_share =
      !check.published.baseline && check.published.quantity.unit() == Quantity::Unit::kPercent;
  if (is_share) {
    text += fmt::format(" ({:+.1f} points)", check.predicted->mean - check.published.value);
  }
  return text;
}

/// Where a prediction stands, in a plain sentence.
std::string standing(const Check& check) {
  const Interval& predicted = *check.predicted;
  if (check.published.calibrated) {
    return "The workload was calibrated on this figure: it is no prediction.";
  }
  const double error = *check.error();
  const std::string size =
      fmt::format("{:.1f} % {}", 100 * std::abs(error), error < 0 ? "below" : "above");
  if (!predicted.has_bounds()) {
    return fmt::format("The simulation lies {} the published figure (one replication).", size);
  }
  if (!predicted.excludes(check.published.value)) {
    return "The published figure lies inside the simulation's interval.";
  }
  return fmt::format(
      "The simulation lies {} the published figure. The interval covers the chance of the "
      "replications only, not the uncertainty of the machine's and the workload's figures.",
      size);
}

std::string what_of(const Published& published) {
  std::string what = published.name;
  what += published.baseline ? fmt::format(", {} / {}", published.variant, *published.baseline)
                             : ", " + published.variant;
  if (published.threads) what += fmt::format(" at {} threads", *published.threads);
  return what;
}

std::string check_text(const Check& check) {
  const Published& published = check.published;
  std::string text =
      fmt::format("{}: published {}", what_of(published), published_value(published));
  if (check.predicted && !published.informational) {
    text += fmt::format(", simulated {}, error {}.", interval_text(published, *check.predicted),
                        error_text(check));
    text = wrap(text, 2) + wrap(standing(check), 4);
  } else {
    text += published.informational ? " (for information: another form or base)."
                                    : " (nothing simulated answers to it).";
    text = wrap(text, 2);
  }
  return text + (published.source.empty() ? "" : wrap("source: " + published.source, 4));
}

bool is_beyond(const Check& check, double within) {
  const auto error = check.error();
  return error && !check.published.informational && !check.published.calibrated &&
         std::abs(*error) > within;
}

/// "597.8 k/s +- 0.3%".
std::string short_interval(const Published& published, const Interval& interval) {
  std::string text = value_text(published, interval.mean);
  if (interval.has_bounds() && interval.mean != 0) {
    text += fmt::format(" +- {:.1f}%", 100 * interval.half_width() / interval.mean);
  }
  return text;
}

void add_rows(TextTable& table, const Comparison& workload, std::optional<double> within) {
  table.row({workload.workload});
  for (const Check& check : workload.checks) {
    const Published& published = check.published;
    if (published.informational) continue;
    std::string mark = published.calibrated ? "c" : "";
    if (within && is_beyond(check, *within)) mark = "!";
    constexpr std::size_t kWidth = 50;
    table.row({"  " + cut(what_of(published), kWidth), published_value(published),
               check.predicted ? short_interval(published, *check.predicted) : "nothing",
               fmt::format("{:+.1f}%", 100 * check.error().value_or(0)), std::move(mark)});
  }
}

}  // namespace

std::string published_text(const std::vector<Check>& checks) {
  std::string text;
  for (const Check& check : checks) text += check_text(check);
  return text;
}

measure::Table published_table(const std::vector<Check>& checks) {
  std::vector<PublishedRow> rows;
  rows.reserve(checks.size());
  for (const Check& check : checks) rows.push_back(published_row(check));
  return measure::tabulate<PublishedRow>("published", "published figures beside simulated ones",
                                         rows);
}

std::string survey_text(const std::vector<Comparison>& workloads, std::optional<double> within,
                        const Style& style) {
  TextTable table;
  table.column("scenario and figure", Align::kLeft);
  table.column("published", Align::kRight);
  table.column("simulated", Align::kRight);
  table.column("error", Align::kRight);
  table.column("", Align::kLeft);
  for (const Comparison& workload : workloads) add_rows(table, workload, within);
  std::string text = table.text(style);
  text += wrap(
      "Intervals cover the chance of the replications, not the uncertainty of machines and "
      "workloads. c: the workload was calibrated on it, so it is no prediction.");
  if (!within) return text;
  const std::size_t count = beyond(workloads, *within);
  return text + fmt::format("! {} prediction{} farther than {:g}% from what was published\n", count,
                            count == 1 ? "" : "s", 100 * *within);
}

Document survey_document(const std::vector<Comparison>& workloads) {
  Document document;
  document.facts = {{"workloads", static_cast<std::uint64_t>(workloads.size())}};
  for (const Comparison& workload : workloads) {
    append(document,
           with_context(published_table(workload.checks),
                        {{{"scenario", Unit::kText, "name of the workload"}, workload.workload}}));
  }
  return document;
}

std::size_t beyond(const std::vector<Comparison>& workloads, double within) {
  std::size_t count = 0;
  for (const Comparison& workload : workloads) {
    count += static_cast<std::size_t>(
        std::count_if(workload.checks.begin(), workload.checks.end(),
                      [&](const Check& check) { return is_beyond(check, within); }));
  }
  return count;
}

}  // namespace hotline::report
