#include "sim/report/compare_report.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "sim/report/bottleneck.hpp"
#include "sim/report/format.hpp"
#include "sim/report/published_report.hpp"
#include "sim/report/run_report.hpp"
#include "sim/report/verdict.hpp"

namespace hotline::report {

using experiment::Check;
using experiment::ComparedPoint;
using experiment::Comparison;
using experiment::Contrast;
using experiment::Outcome;

namespace {

constexpr std::size_t kMostDetailRows = 4;

std::string verdict_mark(const Contrast& contrast) {
  return contrast.ratio.has_bounds() && !contrast.ratio.excludes(1) ? " =" : "";
}

/// True if a ratio's both sides were measured in a steady state.
bool is_steady_with(const ComparedPoint& point, const Contrast& contrast) {
  return std::all_of(point.outcomes.begin(), point.outcomes.end(), [&](const Outcome& outcome) {
    const bool is_side = &outcome == &point.outcomes.front() || outcome.variant == contrast.variant;
    return !is_side || outcome.is_steady();
  });
}

std::string point_text(const ComparedPoint& point) {
  return std::to_string(point.threads) + (point.label.empty() ? "" : "*");
}

/// Variants from `begin` up to but not including `end`.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

void add_rates(const Comparison& comparison, Range variants, TextTable& table,
               std::vector<std::vector<std::string>>& rows) {
  for (std::size_t v = variants.begin; v < variants.end; ++v) {
    table.column(comparison.variants[v], Align::kRight);
    for (std::size_t i = 0; i < comparison.points.size(); ++i) {
      const Outcome& outcome = comparison.points[i].outcomes[v];
      rows[i].push_back(rate_text(outcome.rate()) + (outcome.is_steady() ? "" : " ~"));
    }
  }
}

void add_ratios(const Comparison& comparison, Range variants, TextTable& table,
                std::vector<std::vector<std::string>>& rows) {
  for (std::size_t v = std::max<std::size_t>(variants.begin, 1); v < variants.end; ++v) {
    table.column(comparison.variants[v] + " / " + comparison.variants[0], Align::kRight);
    for (std::size_t i = 0; i < comparison.points.size(); ++i) {
      const Contrast& contrast = comparison.points[i].contrasts[v - 1];
      rows[i].push_back(ratio_text(contrast.ratio) + verdict_mark(contrast) +
                        (is_steady_with(comparison.points[i], contrast) ? "" : " ~"));
    }
  }
}

/// One table of rates, ratios or both, a row a point.
std::string points_table(const Comparison& comparison, Range variants, bool rates, bool ratios,
                         const Style& style) {
  TextTable table;
  table.column("threads", Align::kRight);
  std::vector<std::vector<std::string>> rows;
  for (const ComparedPoint& point : comparison.points) rows.push_back({point_text(point)});
  if (rates) add_rates(comparison, variants, table, rows);
  if (ratios) add_ratios(comparison, variants, table, rows);
  for (auto& row : rows) table.row(std::move(row));
  return table.text(style);
}

/// Two variants fit into one table with their ratio; more need tables of ratios below, and no table
/// has more columns than a page is wide.
std::string rates_text(const Comparison& comparison, const Style& style) {
  constexpr std::size_t kFitsOneTable = 2;
  constexpr std::size_t kColumns = 4;
  constexpr std::size_t kRatioColumns = 3;
  const std::size_t all = comparison.variants.size();
  if (all <= kFitsOneTable) return points_table(comparison, {0, all}, true, all > 1, style);
  std::string text;
  for (std::size_t begin = 0; begin < all; begin += kColumns) {
    const Range range{begin, std::min(begin + kColumns, all)};
    text += points_table(comparison, range, true, false, style) + "\n";
  }
  for (std::size_t begin = 1; begin < all; begin += kRatioColumns) {
    const Range range{begin, std::min(begin + kRatioColumns, all)};
    text += (begin > 1 ? "\n" : "") + points_table(comparison, range, false, true, style);
  }
  return text;
}

/// True if all variants at the point were measured in a steady state.
bool is_steady(const ComparedPoint& point) {
  return std::all_of(point.outcomes.begin(), point.outcomes.end(),
                     [](const Outcome& outcome) { return outcome.is_steady(); });
}

/// True if there are several replications and all gave the same.
bool has_no_chance(const Comparison& comparison) {
  return std::all_of(
      comparison.points.begin(), comparison.points.end(), [](const ComparedPoint& point) {
        return std::all_of(point.outcomes.begin(), point.outcomes.end(), [](const Outcome& o) {
          return o.rate().has_bounds() && o.rate().half_width() == 0;
        });
      });
}

std::string notes_text(const Comparison& comparison) {
  std::string text;
  const bool has_equal = std::any_of(
      comparison.points.begin(), comparison.points.end(), [](const ComparedPoint& point) {
        return std::any_of(point.contrasts.begin(), point.contrasts.end(),
                           [](const Contrast& c) { return !verdict_mark(c).empty(); });
      });
  if (has_no_chance(comparison)) {
    text +=
        "All replications are equal: this workload uses no chance, so intervals have no width.\n";
  }
  if (!std::all_of(comparison.points.begin(), comparison.points.end(), is_steady)) {
    text += wrap(
        "~ NOT STEADY: the rate changed by more than 10% from the first half of the measured time "
        "to the second. Such a rate, and a ratio with it, is that of a transient and no "
        "prediction; "
        "measure longer (--set measure.warm_up=..., --set measure.duration=...).");
  }
  if (has_equal) text += "= no difference shown: the interval contains 1\n";
  std::set<std::string> seen;
  for (const ComparedPoint& point : comparison.points) {
    if (point.label.empty() || !seen.insert(point.label).second) continue;
    text += wrap(fmt::format("* {} threads: {} ({})", point.threads, point.label,
                             point.outcomes.front().machine));
  }
  return text;
}

/// The point that details are about, or null if there is none.
const ComparedPoint* focus_of(const Comparison& comparison) {
  for (const Check& check : comparison.checks) {
    if (!check.predicted || !check.published.threads) continue;
    for (const ComparedPoint& point : comparison.points) {
      if (point.threads == *check.published.threads) return &point;
    }
  }
  const ComparedPoint* last = nullptr;
  for (const ComparedPoint& point : comparison.points) {
    if (last == nullptr || point.label.empty()) last = &point;
  }
  return last;
}

std::string checks_text(const Comparison& comparison, const Style& style) {
  if (comparison.checks.empty()) return "";
  return "\n" + style.heading("Published figures") + "\n" + published_text(comparison.checks);
}

std::string focus_text(const Comparison& comparison, const Style& style) {
  const ComparedPoint* point = focus_of(comparison);
  if (point == nullptr) return "";
  std::string text = "\n" + style.heading("In short") + "\n" + in_short(comparison, *point);
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
    text += growth_table(comparison, i, style);
  }
  for (const Outcome& outcome : point->outcomes) {
    text +=
        "\n" +
        style.heading(fmt::format("=== {} at {} threads ===", outcome.variant, outcome.threads)) +
        "\n";
    text += detail_text(outcome, kMostDetailRows, style);
  }
  return text;
}

std::string stuck_text(const Comparison& comparison, const Style& style) {
  std::string text;
  for (const ComparedPoint& point : comparison.points) {
    for (const Outcome& outcome : point.outcomes) {
      if (outcome.stuck.empty()) continue;
      text += style.bad(fmt::format("stuck: {} at {} threads with seed {}: {}", outcome.variant,
                                    outcome.threads, outcome.stuck_seeds.front(),
                                    outcome.stuck.front())) +
              "\n";
    }
  }
  return text;
}

/// "5", or "5 to 40" with a precision.
std::string replications_text(const Comparison& comparison) {
  std::size_t least = SIZE_MAX;
  std::size_t most = 0;
  for (const ComparedPoint& point : comparison.points) {
    least = std::min(least, point.outcomes.front().rates.size());
    most = std::max(most, point.outcomes.front().rates.size());
  }
  return least == most ? std::to_string(most) : fmt::format("{} to {}", least, most);
}

/// The contrasts in words: at the point that details are about, and at all others if they are few.
std::string verdicts_text(const Comparison& comparison, const Style& style) {
  constexpr std::size_t kFew = 3;
  if (comparison.variants.size() < 2) return "";
  std::string text = "\n" + style.heading("Verdict") + "\n";
  for (const ComparedPoint& point : comparison.points) {
    if (comparison.points.size() > kFew && &point != focus_of(comparison)) continue;
    for (const Contrast& contrast : point.contrasts) {
      text += wrap(fmt::format("at {} thread{} {}", point.threads, point.threads == 1 ? "" : "s",
                               verdict_text(contrast)),
                   2);
    }
  }
  return text;
}

std::string header_text(const Comparison& comparison, const Style& style) {
  std::string text = style.heading(comparison.workload) + "\n" + wrap(comparison.description);
  if (comparison.points.empty()) return text;
  const Outcome& first = comparison.points.front().outcomes.front();
  return text +
         wrap(fmt::format("machine {} ({}), {} replications a point, seed {}; {} per second",
                          first.machine, first.machine_title, replications_text(comparison),
                          first.seed, first.work().empty() ? "nothing counted" : first.work()));
}

}  // namespace

std::string compare_text(const Comparison& comparison, const Style& style) {
  return header_text(comparison, style) + stuck_text(comparison, style) + "\n" +
         rates_text(comparison, style) + notes_text(comparison) + verdicts_text(comparison, style) +
         checks_text(comparison, style) + focus_text(comparison, style);
}

}  // namespace hotline::report
