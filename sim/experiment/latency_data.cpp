#include "sim/experiment/latency_data.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "sim/experiment/hold_out.hpp"
#include "sim/input/csv.hpp"
#include "sim/input/document.hpp"
#include "sim/input/quantity.hpp"
#include "sim/input/suggest.hpp"
#include "sim/measure/estimators.hpp"

namespace hotline::experiment {

namespace {

using input::DataTable;
using input::Diagnostics;
using machine::Topology;

struct Statistic {
  const char* name;
  const char* column;
  double quantile;
};

constexpr std::array<Statistic, 3> kStatistics{
    {{"median", "median_ns", 0.5}, {"p5", "p5_ns", 0.05}, {"p95", "p95_ns", 0.95}}};

/// From so many pairs on, the ends of their distribution say something.
constexpr std::size_t kManyPairs = 20;

void add_point(LatencyData& data, std::uint32_t line, std::size_t pair_class,
               const Statistic& statistic, double measured) {
  const PairClass& of = data.classes[pair_class];
  LatencyPoint point;
  point.pair_class = pair_class;
  point.quantile = statistic.quantile;
  point.row.line = line;
  point.row.series = of.distance + (of.home == "any" ? "" : ", home " + of.home) + ", " +
                     std::string(statistic.name);
  point.row.measured = measured;
  data.points.push_back(std::move(point));
}

// A square of numbers.

struct Cell {
  std::uint32_t line = 0;
  std::uint32_t column = 0;  ///< of its first character
  std::string_view text;
};

using Square = std::vector<std::vector<Cell>>;

Square cells_of(std::string_view text) {
  Square rows;
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (content.ends_with('\r')) content.remove_suffix(1);
    if (content.empty() || content.starts_with('#')) continue;
    std::vector<Cell>& row = rows.emplace_back();
    for (std::size_t at = 0; at <= content.size();) {
      const std::size_t comma = std::min(content.find(',', at), content.size());
      row.push_back({line, static_cast<std::uint32_t>(at + 1), content.substr(at, comma - at)});
      at = comma + 1;
    }
  }
  return rows;
}

bool is_number_or_empty(const Cell& cell) {
  return cell.text.empty() || input::parse_decimal(cell.text).value;
}

/// A table's first line has names, a square's has none.
bool is_square(const Square& rows) {
  return !rows.empty() && std::all_of(rows[0].begin(), rows[0].end(), is_number_or_empty);
}

bool check_square(const std::string& file, const Square& rows, const Topology& topology,
                  Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  const std::size_t cpus = topology.cpus();
  if (rows.size() != cpus) {
    diagnostics.error({file, {}, {}}, "has " + std::to_string(rows.size()) +
                                          " rows, but the machine has " + std::to_string(cpus) +
                                          " CPUs; a row and a column a CPU");
  }
  for (const std::vector<Cell>& row : rows) {
    if (row.size() != rows.size()) {
      diagnostics.error({file, {row[0].line, 1}, {}}, "has " + std::to_string(row.size()) +
                                                          " cells, but there are " +
                                                          std::to_string(rows.size()) + " rows");
    }
    for (const Cell& cell : row) {
      const auto number = input::parse_decimal(cell.text);
      if (cell.text.empty() || (number.value && *number.value >= 0)) continue;
      diagnostics.error({file, {cell.line, cell.column}, {}},
                        "\"" + std::string(cell.text) + "\" is no number of ns");
    }
  }
  return diagnostics.errors() == errors;
}

/// What is known of a pair: the lower half, or the mean of both halves if both are there.
std::optional<double> pair_value(const Square& rows, std::size_t a, std::size_t b) {
  double sum = 0;
  int found = 0;
  for (const Cell* cell : {&rows[a][b], &rows[b][a]}) {
    const double value = input::parse_decimal(cell->text).value.value_or(0);
    if (value <= 0) continue;
    sum += value;
    ++found;
  }
  if (found == 0) return std::nullopt;
  return sum / found;
}

/// Every k-th, so that forty remain: those that are simulated.
std::vector<Pairing> some_of(const std::vector<Pairing>& all) {
  constexpr std::size_t kMost = 40;
  if (all.size() <= kMost) return all;
  std::vector<Pairing> some;
  for (std::size_t i = 0; i < kMost; ++i) some.push_back(all[i * all.size() / kMost]);
  return some;
}

void add_square(const Square& rows, const Topology& topology, LatencyData& data) {
  struct Measured {
    std::vector<Pairing> pairs;
    std::vector<double> values;
  };
  // The tool's word is allocated once, by its first thread: its home is CPU 0's node.
  const machine::NodeId home = topology.node_of(topology.core_of(machine::CpuId{0}));
  std::map<std::pair<std::uint8_t, bool>, Measured> by_class;
  for (std::uint32_t a = 0; a < rows.size(); ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      const auto value = pair_value(rows, a, b);
      if (!value) continue;
      const machine::CoreId one = topology.core_of({a});
      const machine::CoreId other = topology.core_of({b});
      const bool is_remote = topology.node_of(one) != home && topology.node_of(other) != home;
      Measured& of = by_class[{topology.distance(one, other), is_remote}];
      of.pairs.push_back({{a}, {b}, home});
      of.values.push_back(*value);
    }
  }
  for (const auto& [key, of] : by_class) {
    const auto& [distance, is_remote] = key;
    const bool is_split = by_class.contains({distance, !is_remote});
    const std::string where = is_remote ? "remote" : "local";
    data.classes.push_back(
        {topology.distance_classes()[distance].name, is_split ? where : "any", some_of(of.pairs)});
    for (const Statistic& statistic : kStatistics) {
      if (statistic.quantile != 0.5 && of.values.size() < kManyPairs) continue;
      const double measured = measure::quantile(of.values, statistic.quantile);
      add_point(data, 0, data.classes.size() - 1, statistic, measured);
    }
  }
}

// A table of distance classes.

/// As the simulator calls it: "same_cluster(CCX)" is "same cluster", "remote_socket" "other
/// socket".
std::string distance_of(std::string_view cell) {
  std::string name(cell.substr(0, cell.find('(')));
  std::replace(name.begin(), name.end(), '_', ' ');
  constexpr std::pair<std::string_view, std::string_view> kSame[] = {
      {"remote socket", "other socket"},
      {"cross die", "other socket"},
      {"same die", "same socket"}};
  for (const auto& [theirs, ours] : kSame) {
    if (name == theirs) return std::string(ours);
  }
  return name;
}

std::vector<std::string> distances(const Topology& topology) {
  std::vector<std::string> names;
  for (const machine::DistanceClass& one : topology.distance_classes()) {
    const std::string name = one.name.substr(0, one.name.find(','));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string home_of(const DataTable& table, const DataTable::Row& row) {
  for (const char* const name : {"home", "line_home"}) {
    const auto column = table.column(name);
    if (!column) continue;
    if (row.cells[*column].starts_with("remote")) return "remote";
    if (row.cells[*column].starts_with("local")) return "local";
  }
  return "any";
}

std::size_t required(const DataTable& table, const char* name, Diagnostics& diagnostics) {
  const auto column = table.column(name);
  if (!column) {
    diagnostics.error({table.file, {}, {}}, "has no column \"" + std::string(name) + "\"; " +
                                                input::suggestion(name, table.columns));
  }
  return column.value_or(0);
}

/// The rows of one machine, if the table has several.
std::vector<const DataTable::Row*> rows_of(const DataTable& table, const std::string& machine,
                                           Diagnostics& diagnostics) {
  const auto column = table.column("machine");
  std::vector<const DataTable::Row*> rows;
  std::vector<std::string> known;
  for (const DataTable::Row& row : table.rows) {
    if (!column || row.cells[*column] == machine) rows.push_back(&row);
    if (column && (known.empty() || known.back() != row.cells[*column])) {
      known.push_back(row.cells[*column]);
    }
  }
  if (rows.empty()) {
    diagnostics.error({table.file, {}, "machine"}, "no row is of \"" + machine +
                                                       "\", which --rows can change; " +
                                                       input::suggestion(machine, known));
  }
  return rows;
}

void add_class(const DataTable& table, const DataTable::Row& row, const Topology& topology,
               LatencyData& data, Diagnostics& diagnostics) {
  const std::string& cell = row.cells[table.column("class").value_or(0)];
  const std::string distance = distance_of(cell);
  const std::string home = home_of(table, row);
  std::vector<Pairing> pairs = class_pairs(topology, distance, home == "remote");
  if (pairs.empty()) {
    diagnostics.error({table.file, {row.line, 1}, "class"},
                      "the machine has no distance \"" + cell + "\"; " +
                          input::suggestion(distance, distances(topology)) +
                          " To leave the row out, begin it with #.");
    return;
  }
  data.classes.push_back({distance, home, std::move(pairs)});
  for (const Statistic& statistic : kStatistics) {
    const auto column = table.column(statistic.column);
    if (!column || (statistic.quantile != 0.5 && row.cells[*column].empty())) continue;
    // A core's two threads are one place on the grid: their ping-pongs do not differ.
    if (statistic.quantile != 0.5 && distance == "smt sibling") continue;
    const auto measured = positive_cell(table, row, *column, diagnostics);
    if (measured) add_point(data, row.line, data.classes.size() - 1, statistic, *measured);
  }
}

void add_classes(const DataTable& table, const std::string& machine, const Topology& topology,
                 LatencyData& data, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  required(table, "class", diagnostics);
  required(table, "median_ns", diagnostics);
  if (diagnostics.errors() > errors) return;
  for (const DataTable::Row* row : rows_of(table, machine, diagnostics)) {
    add_class(table, *row, topology, data, diagnostics);
  }
}

/// Turns what a cell says into ns an operation, system-wide.
double system_ns(std::string_view column, double value, std::uint32_t threads) {
  if (column == "per_second") return 1e9 / value;
  return column == "ns_per_thread" ? value / threads : value;
}

}  // namespace

void add_matrix(const std::filesystem::path& file, const std::string& machine,
                const Topology& topology, LatencyData& data, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  const std::string text = input::load_bytes(file, diagnostics);
  if (diagnostics.errors() > errors) return;
  const Square rows = cells_of(text);
  if (!is_square(rows)) {
    const DataTable table = input::parse_csv(text, file.string(), diagnostics);
    if (diagnostics.errors() == errors) add_classes(table, machine, topology, data, diagnostics);
  } else if (check_square(file.string(), rows, topology, diagnostics)) {
    add_square(rows, topology, data);
  }
}

void add_curve(const std::filesystem::path& file, const Topology& topology, LatencyData& data,
               Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  const DataTable table = input::load_csv(file, diagnostics);
  if (diagnostics.errors() > errors) return;
  const std::size_t threads = required(table, "threads", diagnostics);
  const auto measured = measured_column(table, diagnostics);
  if (!measured || diagnostics.errors() > errors) return;
  const auto operation = table.column("operation");
  for (const DataTable::Row& row : table.rows) {
    LatencyPoint point;
    const auto count = input::parse_unsigned(row.cells[threads]).value.value_or(0);
    if (count < 1 || count > topology.cpus()) {
      diagnostics.error({table.file, {row.line, 1}, "threads"},
                        "\"" + row.cells[threads] + "\" is no number of threads from 1 to the " +
                            std::to_string(topology.cpus()) + " CPUs of the machine");
      continue;
    }
    point.row.line = row.line;
    point.row.threads = static_cast<std::uint32_t>(count);
    point.row.series = operation ? row.cells[*operation] : "add";
    const auto hammer = parse_hammer(point.row.series);
    if (!hammer) {
      diagnostics.error({table.file, {row.line, 1}, "operation"},
                        "no operation is called \"" + point.row.series + "\"; " +
                            input::suggestion(point.row.series, hammer_names()));
    }
    point.hammer = hammer.value_or(Hammer::kAdd);
    const double value = positive_cell(table, row, *measured, diagnostics).value_or(1);
    point.row.measured = system_ns(table.columns[*measured], value, *point.row.threads);
    data.points.push_back(std::move(point));
  }
}

void hold_out(const std::string& text, LatencyData& data, Diagnostics& diagnostics) {
  DataTable table{{}, {"threads", "operation", "class", "home", "statistic"}, {}};
  for (const LatencyPoint& point : data.points) {
    std::vector<std::string> cells(table.columns.size());
    if (point.pair_class) {
      const PairClass& of = data.classes[*point.pair_class];
      cells = {"", "", of.distance, of.home,
               point.row.series.substr(point.row.series.rfind(' ') + 1)};
    } else {
      cells = {std::to_string(*point.row.threads), point.row.series, "", "", ""};
    }
    table.rows.push_back({point.row.line, std::move(cells)});
  }
  const HoldOut held(text, table, diagnostics);
  for (std::size_t i = 0; i < data.points.size(); ++i) {
    data.points[i].row.is_held_out = held.holds(table.rows[i]);
  }
  const bool has_rows = std::any_of(data.points.begin(), data.points.end(),
                                    [](const auto& point) { return !point.row.is_held_out; });
  if (!data.points.empty() && !has_rows) {
    diagnostics.error({"--hold-out", {}, {}}, "leaves no row to fit to");
  }
}

}  // namespace hotline::experiment
