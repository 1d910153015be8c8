#include <algorithm>
#include <map>

#include "sim/report/sweep_report.hpp"
#include "sim/report/whole_file.hpp"

namespace hotline::report {

using experiment::Axis;
using experiment::Sweep;
using experiment::SweptPoint;

namespace {

bool is_numeric(const Axis& axis) {
  return axis.values.size() > 1 &&
         std::all_of(axis.values.begin(), axis.values.end(), [](const std::string& value) {
           return experiment::number_of(value).has_value();
         });
}

std::size_t axis_to_plot(const std::vector<Axis>& axes) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!is_numeric(axes[i])) continue;
    if (!best || axes[i].values.size() > axes[*best].values.size()) best = i;
  }
  if (!best) {
    throw OutputError("--plot needs an axis of several numbers, such as --set threads=1..16:log");
  }
  return *best;
}

/// "after, machine=hps448": what tells a curve from the others.
std::string curve_name(const Sweep& sweep, const SweptPoint& point, std::size_t variant,
                       std::size_t x) {
  std::string name = sweep.variants.size() > 1 ? sweep.variants[variant] : "";
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    if (i == x || sweep.axes[i].values.size() == 1) continue;
    name += (name.empty() ? "" : ", ") + sweep.axes[i].name + "=" + point.values[i];
  }
  return name;
}

bool is_duration(const Axis& axis) { return axis.values.front().ends_with('s'); }

}  // namespace

void check_can_plot(const std::vector<Axis>& axes) { axis_to_plot(axes); }

Chart sweep_chart(const Sweep& sweep) {
  const std::size_t x = axis_to_plot(sweep.axes);
  const Axis& axis = sweep.axes[x];
  Chart chart;
  chart.title = sweep.workload;
  chart.x_title = axis.name + (is_duration(axis) ? ", ns" : "");
  chart.y_title = (sweep.work.empty() ? "work" : sweep.work) + " per second";
  chart.doubles = axis.doubles;
  std::map<std::string, std::size_t> index;
  for (const SweptPoint& point : sweep.points) {
    for (std::size_t v = 0; v < point.variants.size(); ++v) {
      const std::string name = curve_name(sweep, point, v, x);
      const auto [known, is_new] = index.try_emplace(name, chart.curves.size());
      if (is_new) chart.curves.push_back({name, {}});
      const measure::Interval& rate = point.variants[v].rate;
      chart.curves[known->second].points.push_back(
          {*experiment::number_of(point.values[x]), rate.mean, rate.low, rate.high});
    }
  }
  for (Curve& curve : chart.curves) {
    std::sort(curve.points.begin(), curve.points.end(),
              [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
  }
  return chart;
}

}  // namespace hotline::report
