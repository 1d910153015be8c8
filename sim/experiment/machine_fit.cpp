#include "sim/experiment/machine_fit.hpp"

#include <algorithm>
#include <map>

#include "sim/experiment/pool.hpp"
#include "sim/measure/estimators.hpp"
#include "sim/workload/changes.hpp"

namespace hotline::experiment {

namespace {

/// As much as the whole of a range costs an error of 1 % in one row: less than any data tell, and
/// enough to choose between values that the data do not tell apart.
constexpr double kPull = 0.01;

/// The longest way of a hop is no shorter than its shortest.
std::vector<double> ordered(const std::vector<Parameter>& parameters, std::vector<double> values) {
  std::map<std::string, double> nearest;
  for (std::size_t i = 0; i < values.size(); ++i) nearest[parameters[i].name] = values[i];
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::string name = parameters[i].name;
    constexpr std::string_view kFarthest = "farthest";
    if (!name.ends_with(kFarthest)) continue;
    const auto at =
        nearest.find(name.replace(name.size() - kFarthest.size(), kFarthest.size(), "nearest"));
    if (at != nearest.end()) values[i] = std::max(values[i], at->second);
  }
  return values;
}

machine::Topology topology_with(input::Node document, const machine::Folders& folders,
                                const std::vector<Parameter>& parameters,
                                const std::vector<double>& values) {
  input::Diagnostics diagnostics;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    for (const auto& [path, factor] : parameters[i].places) {
      workload::apply({path, input::make_scalar(parameters[i].text(values[i] * factor), "fitted")},
                      document, diagnostics);
    }
  }
  const machine::MachineFile file = machine::read_machine(document, {}, folders, diagnostics);
  diagnostics.throw_if_errors();
  return machine::Topology(file.description);
}

/// Each class's ping-pongs are played once for all their quantiles.
std::vector<double> simulate(const machine::Topology& topology, const LatencyData& data,
                             unsigned host_threads) {
  const std::size_t classes = data.classes.size();
  std::vector<std::vector<double>> played(classes);
  std::vector<double> simulated(data.points.size());
  for_each_job(classes + data.points.size(), host_threads, [&](std::size_t job) {
    if (job < classes) {
      played[job] = one_ways(topology, data.classes[job].pairs);
      return;
    }
    const LatencyPoint& point = data.points[job - classes];
    if (point.pair_class) return;
    simulated[job - classes] = contended_ns(topology, point.hammer, *point.row.threads);
  });
  for (std::size_t i = 0; i < simulated.size(); ++i) {
    const LatencyPoint& point = data.points[i];
    if (!point.pair_class) continue;
    simulated[i] = measure::quantile(played[*point.pair_class], point.quantile);
  }
  return simulated;
}

}  // namespace

Fit fit_machine(const input::Node& document, const machine::Folders& folders,
                const std::vector<Parameter>& parameters, const LatencyData& data,
                const FitOptions& options) {
  LeastSquares problem;
  problem.parameters = parameters;
  problem.starts_at_file = true;
  problem.pull = kPull;
  problem.simulate = [&](const std::vector<double>& values) {
    const machine::Topology topology =
        topology_with(document, folders, parameters, ordered(parameters, values));
    return simulate(topology, data, options.settings.host_threads);
  };
  std::vector<FitRow> rows;
  for (const LatencyPoint& point : data.points) rows.push_back(point.row);
  Fit fit = fit_rows(std::move(problem), rows, options.search);
  std::vector<double> values;
  for (const FittedParameter& one : fit.parameters) values.push_back(one.value);
  values = ordered(parameters, std::move(values));
  for (std::size_t i = 0; i < values.size(); ++i) {
    fit.parameters[i].value = values[i];
    fit.parameters[i].high = std::max(fit.parameters[i].high, values[i]);
  }
  return fit;
}

}  // namespace hotline::experiment
