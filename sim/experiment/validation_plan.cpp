#include "sim/experiment/validation_plan.hpp"

#include <algorithm>

#include "sim/input/quantity.hpp"
#include "sim/input/suggest.hpp"
#include "sim/machine/reader.hpp"

namespace hotline::experiment {

using input::DataTable;

namespace {

/// The number in a cell that the set's reader has checked.
double number_in(const DataTable::Row& row, std::size_t column) {
  return input::parse_decimal(row.cells[column]).value.value_or(0);
}

machine::Topology topology_of(const std::string& name, const machine::Folders& folders) {
  input::Diagnostics diagnostics;
  const machine::MachineFile file = machine::read_machine(name, {}, folders, diagnostics);
  diagnostics.throw_if_errors();
  return machine::Topology(file.description);
}

}  // namespace

ValidationPlan::ValidationPlan(const ValidationSet& set, const workload::Library& library)
    : set_(set) {
  for (const Row& row : set.data.rows) {
    if (set.rows.holds(row)) rows_.push_back(&row);
  }
  if (set.ping_pong) {
    for (const Row* row : rows_) {
      const std::string name = filled(set.machine, set.data, *row);
      if (topologies_.contains(name)) continue;
      topologies_.emplace(name, topology_of(name, library.machines));
    }
    one_ways_.resize(rows_.size());
    return;
  }
  workload_ = workload::Workload::load(set.workload, library);
  if (set.is_published) {
    plan_published();
  } else {
    plan_rows();
  }
}

void ValidationPlan::fail(const input::Position& position, const std::string& message) const {
  input::Diagnostics diagnostics;
  diagnostics.error({set_.file, position, {}}, message);
  throw input::InputError(std::move(diagnostics));
}

std::string ValidationPlan::variant_for(const Row& row) const {
  if (!set_.variants.empty()) {
    const std::string series = series_of(set_, row);
    std::vector<std::string> known;
    for (const auto& [name, variant] : set_.variants) {
      if (name == series) return variant;
      known.push_back(name);
    }
    fail({}, "variants: there is none for series \"" + series + "\"; " +
                 input::suggestion(series, known));
  }
  if (!set_.variant.empty()) return filled(set_.variant, set_.data, row);
  return workload_->variants().front().name;
}

workload::Overrides ValidationPlan::overrides_for(const Row& row) const {
  workload::Overrides overrides;
  const auto change = [&](const Template& one) {
    const std::string value = filled(one.value, set_.data, row);
    overrides.changes.push_back(workload::parse_change(one.path + "=" + value, set_.file));
  };
  if (!set_.machine.empty()) change({"machine", set_.machine, {}});
  for (const Template& one : set_.changes) change(one);
  for (const RowChanges& some : set_.row_changes) {
    if (!some.rows.holds(row)) continue;
    for (const Template& one : some.changes) change(one);
  }
  if (set_.columns.threads) {
    overrides.threads = static_cast<std::uint32_t>(number_in(row, *set_.columns.threads));
  }
  return overrides;
}

void ValidationPlan::plan_rows() {
  for (const Row* row : rows_) {
    cases_.push_back({workload_->scenario(variant_for(*row), overrides_for(*row)),
                      series_of(set_, *row),
                      {set_.quantity}});
  }
}

void ValidationPlan::plan_published() {
  const auto figures = figures_of(workload_->published());
  needed_ = needed_for(workload_->published(), workload_->points());
  for (const Needed& one : needed_) {
    for (const std::string& variant : one.variants) {
      cases_.push_back({workload_->scenario(variant, *one.point), one.point->label, figures});
    }
  }
}

std::size_t ValidationPlan::ping_pongs() const { return set_.ping_pong ? rows_.size() : 0; }

void ValidationPlan::run_ping_pong(std::size_t index) {
  const Row& row = *rows_[index];
  const PingPongColumns& columns = *set_.ping_pong;
  const std::string name = filled(set_.machine, set_.data, row);
  const machine::Topology& topology = topologies_.at(name);
  if (columns.distance) {
    const bool is_remote = columns.home && row.cells[*columns.home] == "remote";
    one_ways_[index] = class_median(topology, row.cells[*columns.distance], is_remote);
    return;
  }
  Turn turn = Turn::kBlind;
  for (const auto& [series, how] : columns.turns) {
    if (series == series_of(set_, row)) turn = how;
  }
  const machine::CpuId from{static_cast<std::uint32_t>(number_in(row, *columns.from))};
  const machine::CpuId to{static_cast<std::uint32_t>(number_in(row, *columns.to))};
  if (std::max(from, to).value >= topology.cpus() || from == to) {
    throw std::invalid_argument(set_.data.file + ":" + std::to_string(row.line) +
                                ": no pair of CPUs of " + name);
  }
  const machine::NodeId home = topology.node_of(topology.core_of(from));
  one_ways_[index] = PingPong(topology).one_way(from, to, home, turn).ns();
}

ValidationPoint ValidationPlan::point_of(const Row& row, double simulated) const {
  const DataColumns& columns = set_.columns;
  ValidationPoint point;
  point.series = series_of(set_, row);
  if (columns.threads) {
    point.threads = static_cast<std::uint32_t>(number_in(row, *columns.threads));
    point.x = point.threads;
  }
  if (columns.x) point.x = number_in(row, *columns.x);
  const auto value = [&](std::optional<std::size_t> column) {
    return number_in(row, column.value_or(columns.measured)) * columns.scale;
  };
  const double below = columns.low ? 1 : 1 - columns.spread / 2;
  const double above = columns.high ? 1 : 1 + columns.spread / 2;
  point.values = {value(columns.measured), below * value(columns.low), above * value(columns.high),
                  simulated};
  point.is_calibrated =
      set_.is_calibrated || std::any_of(set_.calibrated.begin(), set_.calibrated.end(),
                                        [&](const RowFilter& rows) { return rows.holds(row); });
  return point;
}

/// The row with the cells that `over` names, else those of this row.
std::size_t ValidationPlan::reference_of(std::size_t index) const {
  std::vector<std::size_t> keys = set_.columns.series;
  for (const auto& one : {set_.columns.threads, set_.columns.x}) {
    if (one) keys.push_back(*one);
  }
  const auto is_reference = [&](const Row* row) {
    const auto is_over = [&](std::size_t column) {
      return std::any_of(set_.over.begin(), set_.over.end(),
                         [&](const auto& one) { return one.first == column; });
    };
    return std::all_of(set_.over.begin(), set_.over.end(),
                       [&](const auto& one) { return row->cells[one.first] == one.second; }) &&
           std::all_of(keys.begin(), keys.end(), [&](std::size_t key) {
             return is_over(key) || row->cells[key] == rows_[index]->cells[key];
           });
  };
  const auto found = std::find_if(rows_.begin(), rows_.end(), is_reference);
  if (found == rows_.end()) {
    fail({}, "over: the row on line " + std::to_string(rows_[index]->line) +
                 " of the data has no reference");
  }
  return static_cast<std::size_t>(found - rows_.begin());
}

void ValidationPlan::divide_by_references(std::vector<ValidationPoint>& points) const {
  const std::vector<ValidationPoint> whole = points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t reference = reference_of(i);
    const measure::Compared& by = whole[reference].values;
    measure::Compared& values = points[i].values;
    values.measured /= by.measured;
    values.low /= by.measured;
    values.high /= by.measured;
    values.simulated /= by.simulated;
    if (reference == i) points[i].is_calibrated = true;  // one by definition
  }
}

std::vector<ValidationPoint> ValidationPlan::published_points(std::vector<Outcome> outcomes) const {
  std::vector<ComparedPoint> compared;
  auto next = outcomes.begin();
  for (const Needed& one : needed_) {
    const auto end = next + static_cast<std::ptrdiff_t>(one.variants.size());
    compared.push_back(
        compare_point({std::make_move_iterator(next), std::make_move_iterator(end)}));
    next = end;
  }
  std::vector<ValidationPoint> points;
  for (const Check& check : check_published(workload_->published(), compared)) {
    const workload::Published& figure = check.published;
    if (figure.informational || !check.predicted) continue;
    ValidationPoint point;
    point.series = figure.name;
    point.threads = figure.threads.value_or(0);
    point.x = point.threads;
    point.values = {figure.value, figure.value, figure.value, check.predicted->mean};
    point.is_calibrated = figure.calibrated;
    points.push_back(std::move(point));
  }
  return points;
}

std::vector<ValidationPoint> ValidationPlan::points(std::vector<Outcome> outcomes) const {
  if (set_.is_published) return published_points(std::move(outcomes));
  std::vector<ValidationPoint> points;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    double simulated = 0;
    if (set_.ping_pong) {
      simulated = one_ways_[i];
    } else if (!outcomes[i].figures.front().empty()) {
      simulated = measure::mean_interval(outcomes[i].figures.front()).mean;
    }
    points.push_back(point_of(*rows_[i], simulated));
  }
  if (!set_.over.empty()) divide_by_references(points);
  return points;
}

}  // namespace hotline::experiment
