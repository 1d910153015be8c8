#include "sim/report/sweep_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/report/format.hpp"
#include "sim/report/verdict.hpp"

namespace hotline::report {

using experiment::Summary;
using experiment::Sweep;
using experiment::SweptPoint;

namespace {

constexpr double kSteady = 0.1;

bool is_steady(const Summary& summary) {
  return summary.drift >= -kSteady && summary.drift <= kSteady;
}

/// The axes that have several values: the others stand in the header.
std::vector<std::size_t> varied(const Sweep& sweep) {
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    if (sweep.axes[i].values.size() > 1) axes.push_back(i);
  }
  return axes;
}

void add_axes(const Sweep& sweep, TextTable& table) {
  for (const std::size_t axis : varied(sweep)) {
    table.column(sweep.axes[axis].name, Align::kRight);
  }
}

std::vector<std::string> axis_cells(const Sweep& sweep, const SweptPoint& point) {
  std::vector<std::string> cells;
  for (const std::size_t axis : varied(sweep)) cells.push_back(point.values[axis]);
  return cells;
}

std::string ratio_cell(const experiment::Contrast& contrast) {
  const bool is_unclear = contrast.verdict() == experiment::Verdict::kNoDifference;
  return ratio_text(contrast.ratio) + (is_unclear ? " =" : "");
}

std::string rates_table(const Sweep& sweep, const Style& style) {
  TextTable table;
  add_axes(sweep, table);
  for (const std::string& variant : sweep.variants) table.column(variant, Align::kRight);
  for (std::size_t v = 1; v < sweep.variants.size(); ++v) {
    table.column(sweep.variants[v] + " / " + sweep.variants[0], Align::kRight);
  }
  table.column("runs", Align::kRight);
  for (const SweptPoint& point : sweep.points) {
    std::vector<std::string> cells = axis_cells(sweep, point);
    for (const Summary& summary : point.variants) {
      cells.push_back(rate_text(summary.rate) + (is_steady(summary) ? "" : " ~"));
    }
    for (const auto& contrast : point.contrasts) cells.push_back(ratio_cell(contrast));
    cells.push_back(std::to_string(point.variants.front().rates.size()));
    table.row(std::move(cells));
  }
  return table.text(style);
}

std::string time_table(const Sweep& sweep, std::size_t variant, const Style& style) {
  TextTable table;
  add_axes(sweep, table);
  for (const char* title : {"Jain", "work", "lock wait", "stall", "sched", "other"}) {
    table.column(title, Align::kRight);
  }
  table.column("hottest line, % CPU", Align::kLeft);
  constexpr std::size_t kLineWidth = 32;
  for (const SweptPoint& point : sweep.points) {
    const Summary& summary = point.variants[variant];
    std::vector<std::string> cells = axis_cells(sweep, point);
    cells.push_back(fmt::format("{:.3f}", summary.jain));
    using enum os::Account;
    for (const os::Account account : {kWork, kLockWait, kLineStall, kScheduling, kOther}) {
      cells.push_back(percent_text(100 * summary.shares[static_cast<std::size_t>(account)]));
    }
    cells.push_back(summary.hottest_line.empty()
                        ? ""
                        : fmt::format("{} {}", percent_text(100 * summary.hottest_share),
                                      cut(compact_names(summary.hottest_line), kLineWidth)));
    table.row(std::move(cells));
  }
  return "\n" + style.heading("Where the time goes: " + sweep.variants[variant]) + "\n" +
         table.text(style);
}

std::string header_text(const Sweep& sweep, const Style& style) {
  std::string text = style.heading(sweep.workload) + "\n" + wrap(sweep.description);
  if (sweep.points.empty()) return text + "no points in this shard\n";
  std::string fixed;
  for (const experiment::Axis& axis : sweep.axes) {
    if (axis.values.size() == 1) fixed += fmt::format(", {}={}", axis.name, axis.values[0]);
  }
  const SweptPoint& first = sweep.points.front();
  const bool one_machine =
      std::all_of(sweep.points.begin(), sweep.points.end(),
                  [&](const SweptPoint& point) { return point.machine == first.machine; });
  return text +
         wrap(fmt::format("{}{} points{}; {} per second",
                          one_machine ? "machine " + first.machine + ", " : "", sweep.points.size(),
                          fixed, sweep.work.empty() ? "nothing counted" : sweep.work));
}

std::string point_name(const Sweep& sweep, const SweptPoint& point) {
  std::string name;
  for (const std::size_t axis : varied(sweep)) {
    name += (name.empty() ? "" : " ") + sweep.axes[axis].name + "=" + point.values[axis];
  }
  return name;
}

std::string stuck_text(const Sweep& sweep, const Style& style) {
  std::string text;
  for (const SweptPoint& point : sweep.points) {
    for (std::size_t v = 0; v < point.variants.size(); ++v) {
      const std::string& stuck = point.variants[v].stuck;
      if (stuck.empty()) continue;
      text += style.bad(fmt::format("stuck: {} at {}: {}", sweep.variants[v],
                                    point_name(sweep, point), stuck.substr(0, stuck.find('\n')))) +
              "\n";
    }
  }
  return text;
}

std::string notes_text(const Sweep& sweep) {
  bool has_equal = false;
  bool has_drift = false;
  for (const SweptPoint& point : sweep.points) {
    for (const auto& contrast : point.contrasts) {
      has_equal |= contrast.verdict() == experiment::Verdict::kNoDifference;
    }
    for (const Summary& summary : point.variants) has_drift |= !is_steady(summary);
  }
  std::string text;
  if (has_drift) {
    text += wrap(
        "~ NOT STEADY: the rate changed by more than 10% from the first half of the measured time "
        "to the second; measure longer (--set measure.warm_up=..., --set measure.duration=...).");
  }
  if (has_equal) text += "= no difference shown: the interval contains 1\n";
  return text;
}

}  // namespace

std::string sweep_text(const Sweep& sweep, const Style& style) {
  std::string text = header_text(sweep, style) + stuck_text(sweep, style);
  if (sweep.points.empty()) return text;
  text += "\n" + rates_table(sweep, style) + notes_text(sweep);
  for (std::size_t v = 0; v < sweep.variants.size(); ++v) text += time_table(sweep, v, style);
  return text;
}

}  // namespace hotline::report
