#include "sim/report/run_report.hpp"

#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/measure/rows.hpp"
#include "sim/report/format.hpp"
#include "sim/report/line_table.hpp"
#include "sim/report/lock_table.hpp"

namespace hotline::report {

using experiment::Outcome;

namespace {

std::string header_text(const Outcome& outcome, const Style& style) {
  std::string text = style.heading(outcome.workload) + fmt::format(", variant {}: {} threads on {}",
                                                                   outcome.variant, outcome.threads,
                                                                   outcome.machine);
  if (!outcome.machine_title.empty()) text += " (" + outcome.machine_title + ")";
  text = wrap(text);
  const auto replications = static_cast<std::uint64_t>(outcome.rates.size());
  text +=
      fmt::format("{} replication{} of {} after {} of warm-up, seed {}\n", replications,
                  replications == 1 ? "" : "s",
                  duration_text(outcome.total.length / std::max<std::uint64_t>(replications, 1)),
                  duration_text(outcome.warm_up), outcome.seed);
  return text;
}

std::string work_text(const Outcome& outcome) {
  if (outcome.work().empty()) return "the workload counts no work\n";
  const measure::Interval rate = outcome.rate();
  std::string text = fmt::format("{}: {}/s", outcome.work(), rate_text(rate));
  if (rate.has_bounds()) {
    text += rate.half_width() == 0 ? " (all replications are equal)" : " (95 % interval)";
  }
  text += fmt::format("; fairness over threads: Jain {:.3f}, min/max {:.2f}\n", outcome.jain(),
                      outcome.min_over_max());
  if (!outcome.is_steady()) {
    text +=
        wrap(fmt::format("NOT STEADY: the rate changed by {:+.0f}% from the first half of the "
                         "measured time to the second, so it is that of a transient; measure "
                         "longer (--set measure.warm_up=..., --set measure.duration=...)",
                         100 * outcome.drift()));
  }
  for (std::size_t i = 1; i < outcome.total.works.size(); ++i) {
    const measure::WorkEntry& work = outcome.total.works[i];
    const double seconds = outcome.total.length.ns() / 1e9;
    text += fmt::format("{}: {}/s\n", work.name,
                        si_text(seconds == 0 ? 0 : static_cast<double>(work.count) / seconds));
  }
  for (const measure::SeriesEntry& entry : outcome.total.series) {
    if (entry.is_work) continue;
    const double sum = std::accumulate(entry.at_end.begin(), entry.at_end.end(), 0.0);
    const auto windows = static_cast<double>(entry.windows);
    text += fmt::format("{}: {:.0f} on average, {:.0f} at the end\n", entry.name,
                        sum / windows / measure::SeriesEntry::kParts,
                        static_cast<double>(entry.at_end.back()) / windows);
  }
  return text;
}

/// What changed while it was measured: a row each part, a column each kind of work and variable.
std::string over_time_text(const measure::Measurement& measurement, const Style& style) {
  TextTable table;
  table.column("UNTIL", Align::kRight);
  std::map<engine::Duration, std::vector<std::string>> cells;
  for (const measure::SeriesEntry& entry : measurement.series) {
    table.column(entry.is_work ? entry.name + "/s" : entry.name, Align::kRight);
  }
  for (const measure::SeriesRow& row : measure::series_rows(measurement)) {
    auto& line = cells[row.until];
    if (line.empty()) line.push_back(duration_text(row.until));
    line.push_back(row.rate ? si_text(*row.rate) : fmt::format("{:.0f}", *row.value));
  }
  for (auto& [until, line] : cells) table.row(std::move(line));
  return table.text(style);
}

std::string accounts_text(const Outcome& outcome) {
  std::string text = "time:";
  for (const measure::AccountRow& row : measure::account_rows(outcome.total)) {
    text += fmt::format(" {} {:.2f}%,", row.account, row.share);
  }
  text.back() = '\n';
  return text;
}

std::string functions_text(const measure::Measurement& measurement, std::size_t most,
                           const Style& style) {
  TextTable table;
  for (const char* title :
       {"SELF", "WORK", "LOCK WAIT", "LINE STALL", "SCHEDULING", "OTHER", "CALLS", "EACH"}) {
    table.column(title, Align::kRight);
  }
  table.column("FUNCTION", Align::kLeft);
  const double whole = measurement.length.ns() * static_cast<double>(measurement.threads.size());
  const auto share = [&](engine::Duration part) {
    return percent_text(whole == 0 ? 0 : 100 * part.ns() / whole);
  };
  const std::vector<measure::CallerRow> callers = measure::caller_rows(measurement);
  std::size_t shown = 0;
  for (const measure::FunctionRow& row : measure::function_rows(measurement)) {
    if (shown++ == most) break;
    table.row({percent_text(row.share), share(row.work), share(row.lock_wait),
               share(row.line_stall), share(row.scheduling), share(row.other),
               row.calls == 0 ? "" : count_text(row.calls),
               row.calls == 0 ? "" : duration_text(row.call_mean), row.function});
    for (const measure::CallerRow& caller : callers) {
      if (caller.function != row.function) continue;
      table.row({"", "", "", "", "", "", "", "",
                 fmt::format("  {} from {}", percent_text(caller.of_function),
                             caller.caller.empty() ? "the program" : caller.caller)});
    }
  }
  return table.empty() ? "" : table.text(style);
}

std::string stuck_text(const Outcome& outcome, const Style& style) {
  if (outcome.stuck.empty()) return "";
  std::string text = style.bad(fmt::format("stuck: with seed {} no thread can go on",
                                           outcome.stuck_seeds.front())) +
                     "\n";
  for (const std::string& line : outcome.stuck) text += "  " + line + "\n";
  return text;
}

/// A table below a heading, or nothing.
std::string section(const char* title, const std::string& table, const Style& style) {
  return table.empty() ? "" : "\n" + style.heading(title) + "\n" + table;
}

}  // namespace

std::string fingerprint_text(const Outcome& outcome) {
  return fmt::format("{:016x}", outcome.total.fingerprint);
}

std::string detail_text(const Outcome& outcome, std::size_t most, const Style& style) {
  const measure::Measurement& total = outcome.total;
  const auto locks = measure::lock_rows(total.locks, total.window());
  return accounts_text(outcome) + section("Locks", lock_table(locks, most, style), style) +
         section("Hot lines", line_table(total, most, style), style) +
         section("Functions (self time, of all threads' time)", functions_text(total, most, style),
                 style);
}

std::string run_text(const Outcome& outcome, const Style& style) {
  const std::string over_time = outcome.is_steady() ? "" : over_time_text(outcome.total, style);
  return header_text(outcome, style) + stuck_text(outcome, style) + "\n" + work_text(outcome) +
         section("Over time", over_time, style) + (over_time.empty() ? "" : "\n") +
         detail_text(outcome, kMostRows, style) +
         fmt::format("\nfingerprint {} ({} events)\n", fingerprint_text(outcome),
                     count_text(outcome.total.events));
}

}  // namespace hotline::report
