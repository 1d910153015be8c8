#include "sim/report/bottleneck.hpp"

#include <optional>

#include <fmt/format.h>

#include "sim/measure/rows.hpp"
#include "sim/report/format.hpp"
#include "sim/report/line_table.hpp"

namespace hotline::report {

using experiment::ComparedPoint;
using experiment::Comparison;
using experiment::Outcome;

namespace {

/// A share of all threads' time from which on waiting is called a bottleneck.
constexpr double kBites = 10;

/// Who waits, and how much of all threads' time.
struct Waiting {
  std::string function;
  double share = 0;  // per cent
};

double waiting_share(const measure::FunctionRow& row, const measure::Measurement& measurement) {
  const double whole = measurement.length.ns() * static_cast<double>(measurement.threads.size());
  return whole == 0 ? 0 : 100 * (row.lock_wait + row.line_stall).ns() / whole;
}

Waiting most_waiting(const measure::Measurement& measurement) {
  Waiting most;
  for (const measure::FunctionRow& row : measure::function_rows(measurement)) {
    const double share = waiting_share(row, measurement);
    if (share > most.share) most = {row.function, share};
  }
  return most;
}

double waiting_of(const measure::Measurement& measurement, const std::string& function) {
  for (const measure::FunctionRow& row : measure::function_rows(measurement)) {
    if (row.function == function) return waiting_share(row, measurement);
  }
  return 0;
}

/// The fewest threads at which a function's waiting takes kBites.
std::optional<std::uint32_t> bites_from(const Comparison& comparison, std::size_t variant,
                                        const std::string& function) {
  for (const ComparedPoint& point : comparison.points) {
    if (waiting_of(point.outcomes[variant].total, function) >= kBites) return point.threads;
  }
  return std::nullopt;
}

std::string hottest_cell(const measure::Measurement& measurement) {
  constexpr std::size_t kWidth = 27;
  const auto rows = measure::line_rows(measurement);
  if (rows.empty() || rows.front().stalled == engine::Duration()) return "";
  return fmt::format("{} {}", percent_text(rows.front().cpu_share),
                     cut(compact_names(rows.front().line), kWidth));
}

std::string line_sentence(const measure::Measurement& measurement) {
  const auto rows = measure::line_rows(measurement);
  if (rows.empty() || rows.front().stalled == engine::Duration()) {
    return "No line of memory is waited for.";
  }
  const measure::LineRow& hot = rows.front();
  std::string text = fmt::format("Hottest line: {}, {} of all CPU time.", compact_names(hot.line),
                                 percent_text(hot.cpu_share));
  const std::string transfers = transfers_text(measurement, hot.line);
  if (!transfers.empty()) text += " Transfers: " + transfers + ".";
  return text;
}

std::string function_sentence(const Comparison& comparison, std::size_t variant,
                              const measure::Measurement& measurement) {
  const Waiting most = most_waiting(measurement);
  if (most.function.empty()) return "";
  std::string text = fmt::format(" Most of the waiting: {}, {} of all threads' time", most.function,
                                 percent_text(most.share));
  const auto from = bites_from(comparison, variant, most.function);
  if (from && comparison.points.size() > 1) {
    text += fmt::format("; {:.0f}% and more from {} threads on", kBites, *from);
  }
  return text + ".";
}

}  // namespace

std::string in_short(const Comparison& comparison, const ComparedPoint& point) {
  std::string text;
  for (std::size_t i = 0; i < point.outcomes.size(); ++i) {
    const Outcome& outcome = point.outcomes[i];
    text += wrap(
        fmt::format("{} at {} threads. {}{}", outcome.variant, outcome.threads,
                    line_sentence(outcome.total), function_sentence(comparison, i, outcome.total)),
        2);
  }
  return text;
}

std::string growth_table(const Comparison& comparison, std::size_t variant, const Style& style) {
  TextTable table;
  for (const char* title : {"threads", "work", "lock wait", "stall", "sched", "other"}) {
    table.column(title, Align::kRight);
  }
  table.column("most waiting function", Align::kLeft);
  table.column("hottest line, % CPU", Align::kLeft);
  for (const ComparedPoint& point : comparison.points) {
    const measure::Measurement& total = point.outcomes[variant].total;
    std::vector<std::string> cells{std::to_string(point.threads) +
                                   (point.label.empty() ? "" : "*")};
    for (const measure::AccountRow& row : measure::account_rows(total)) {
      cells.push_back(percent_text(row.share));
    }
    const Waiting most = most_waiting(total);
    cells.push_back(most.function.empty() ? "" : most.function + " " + percent_text(most.share));
    cells.push_back(hottest_cell(total));
    table.row(std::move(cells));
  }
  return "\n" + style.heading("Where the time goes: " + comparison.variants[variant]) + "\n" +
         table.text(style);
}

}  // namespace hotline::report
