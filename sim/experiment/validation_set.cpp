#include "sim/experiment/validation_set.hpp"

#include <algorithm>

#include "sim/input/document.hpp"
#include "sim/input/suggest.hpp"
#include "sim/input/types.hpp"
#include "sim/workload/published_reader.hpp"

namespace hotline::experiment {

using input::DataTable;
using input::MapReader;
using input::Value;

namespace {

/// Reads one set; the table of data is known before anything that names its columns.
class SetReader {
 public:
  SetReader(ValidationSet& set, const std::filesystem::path& folder) : set_(set), folder_(folder) {}

  void read(MapReader& map);

 private:
  void read_data(MapReader& map);
  void read_columns(MapReader& map);
  void read_subject(MapReader& map);
  void read_changes(MapReader& map, std::vector<Template>& changes);
  void read_row_changes(MapReader& map);
  void read_ping_pong(MapReader& map);
  void read_over(MapReader& map);
  static void read_bounds(MapReader& map, Bounds& bounds);
  RowFilter read_filter(const Value& value);
  std::optional<std::size_t> column(const Value& value, std::string_view name) const;
  std::optional<std::size_t> find_column(MapReader& map, std::string_view key,
                                         std::string_view description) const;
  void check_cells(const Value& value, const std::string& text) const;
  void check_numbers(MapReader& map) const;

  ValidationSet& set_;
  const std::filesystem::path& folder_;
};

std::optional<std::size_t> SetReader::column(const Value& value, std::string_view name) const {
  const auto found = set_.data.column(name);
  if (!found && !value.is_dry() && !set_.data.columns.empty()) {
    value.error("the data has no column \"" + std::string(name) + "\"; " +
                input::suggestion(name, set_.data.columns));
  }
  return found;
}

std::optional<std::size_t> SetReader::find_column(MapReader& map, std::string_view key,
                                                  std::string_view description) const {
  std::optional<std::size_t> found;
  map.value(key, description, [&](const Value& value) {
    if (const auto name = value.as(input::text())) found = column(value, *name);
  });
  return found;
}

/// Checks the columns that `{column}` names.
void SetReader::check_cells(const Value& value, const std::string& text) const {
  for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
    const std::size_t end = text.find('}', at);
    if (end == std::string::npos) return;
    const std::string name = text.substr(at + 1, end - at - 1);
    const bool is_name = !name.empty() && name.find_first_of(" :,") == std::string::npos;
    if (is_name) column(value, name);
  }
}

RowFilter SetReader::read_filter(const Value& value) {
  RowFilter filter;
  value.entries([&](std::string_view name, const Value& cells) {
    RowFilter::Condition condition;
    condition.column = column(cells, name).value_or(0);
    if (cells.may_be_map()) {
      cells.map([&](MapReader& range) {
        condition.least = range.find("least", input::decimal(), "the least number meant");
        condition.most = range.find("most", input::decimal(), "the greatest number meant");
      });
    }
    if (cells.may_be_list()) {
      cells.list([&](const Value& one) {
        if (const auto text = one.as(input::text())) condition.texts.push_back(*text);
      });
    }
    if (cells.is_dry() || cells.may_be_scalar()) {
      if (const auto text = cells.as(input::text())) condition.texts.push_back(*text);
    }
    filter.conditions.push_back(std::move(condition));
  });
  return filter;
}

void SetReader::read_data(MapReader& map) {
  map.map("data", "what was measured", [&](MapReader& data) {
    data.require_value("file", "comma-separated; relative to this file", [&](const Value& value) {
      const auto path = value.as(input::text());
      if (path) set_.data = input::load_csv(folder_ / *path, value.reading().diagnostics);
    });
    set_.source = data.require("source", input::text(), "who measured it, and where it stands");
    data.value("rows", "which rows are meant: by column, cells or {least, most}",
               [&](const Value& value) { set_.rows = read_filter(value); });
    read_columns(data);
  });
}

void SetReader::read_columns(MapReader& map) {
  DataColumns& columns = set_.columns;
  columns.threads = find_column(map, "threads", "the column that says how many threads");
  columns.x = find_column(map, "x", "the column that is the axis of curves; without it, threads");
  map.value("series", "the columns whose cells name a curve", [&](const Value& value) {
    value.list([&](const Value& one) {
      const auto name = one.as(input::text());
      const auto found = name ? column(one, *name) : std::nullopt;
      if (found) columns.series.push_back(*found);
    });
  });
  columns.measured = find_column(map, "measured", "the column of figures").value_or(0);
  columns.low = find_column(map, "low", "the column of the least of several measurements");
  columns.high = find_column(map, "high", "the column of the greatest of several measurements");
  columns.spread = map.get("spread", input::share_of(input::Share{0}, input::Share{1}),
                           input::Share{0}, "figures nearer to each other are not told apart")
                       .of_one;
  const auto units = input::choice<double>({{"ns", 1},
                                            {"us", 1e3},
                                            {"ms", 1e6},
                                            {"s", 1e9},
                                            {"1/s", 1},
                                            {"1/ms", 1e3},
                                            {"1/us", 1e6},
                                            {"ratio", 1},
                                            {"%", 1}});
  columns.scale = map.get("unit", units, 1, "of the figures");
  if (!map.is_dry()) check_numbers(map);
}

/// Figures, thread counts and axes must be numbers in each row that is meant.
void SetReader::check_numbers(MapReader& map) const {
  const DataColumns& columns = set_.columns;
  std::vector<std::size_t> numbers{columns.measured};
  for (const auto& one : {columns.threads, columns.low, columns.high}) {
    if (one) numbers.push_back(*one);
  }
  if (!map.has("measured") || set_.data.columns.empty()) return;
  std::size_t meant = 0;
  for (const DataTable::Row& row : set_.data.rows) {
    if (!set_.rows.holds(row)) continue;
    ++meant;
    for (const std::size_t at : numbers) {
      const auto number = input::parse_decimal(row.cells[at]);
      if (number.value && *number.value > 0) continue;
      map.whole().reading().diagnostics.error(
          {set_.data.file, {row.line, 1}, set_.data.columns[at]},
          "\"" + row.cells[at] + "\" is not a number above 0");
    }
  }
  if (meant == 0) map.error_at("rows", "leave no row of the data");
}

void SetReader::read_changes(MapReader& map, std::vector<Template>& changes) {
  map.value("set", "what stands at a path of the workload becomes a value; {column} is a cell",
            [&](const Value& value) {
              value.entries([&](std::string_view path, const Value& one) {
                const auto text = one.as(input::text());
                if (!text || one.is_dry()) return;
                check_cells(one, *text);
                changes.push_back({std::string(path), *text, one.node()->position});
              });
            });
}

void SetReader::read_row_changes(MapReader& map) {
  const auto read_one = [&](MapReader& inside) {
    RowChanges& changes = set_.row_changes.emplace_back();
    inside.require_value("rows", "for which",
                         [&](const Value& rows) { changes.rows = read_filter(rows); });
    read_changes(inside, changes.changes);
  };
  map.value("for", "changes for some rows",
            [&](const Value& value) { value.list([&](const Value& one) { one.map(read_one); }); });
}

void SetReader::read_ping_pong(MapReader& map) {
  map.map(
      "ping_pong", "cores that pass one word back and forth, instead of a workload",
      [&](MapReader& inside) {
        PingPongColumns columns;
        columns.distance = find_column(inside, "class", "column: name of a distance class");
        columns.home = find_column(inside, "home", "column: remote, or anything else");
        columns.from = find_column(inside, "from", "column: a CPU");
        columns.to = find_column(inside, "to", "column: another CPU");
        inside.value("turns", "how they wait, by series (default: blind)", [&](const Value& value) {
          value.entries([&](std::string_view series, const Value& one) {
            const auto turn = one.as(
                input::choice<Turn>({{"blind", Turn::kBlind}, {"load-first", Turn::kLoadFirst}}));
            if (turn) columns.turns.emplace_back(series, *turn);
          });
        });
        if (!inside.is_dry() && !columns.distance && !(columns.from && columns.to)) {
          inside.whole().error("needs key \"class\", or \"from\" and \"to\"");
        }
        set_.ping_pong = columns;
      });
}

void SetReader::read_over(MapReader& map) {
  map.value("over", "figures are ratios to those of the row with these cells, else the same",
            [&](const Value& value) {
              value.entries([&](std::string_view name, const Value& cell) {
                const auto text = cell.as(input::text());
                const auto found = column(cell, name);
                if (text && found) set_.over.emplace_back(*found, *text);
              });
            });
}

void SetReader::read_subject(MapReader& map) {
  read_ping_pong(map);
  set_.workload = map.get("workload", input::text(), "", "a workload; relative to this file");
  set_.machine = map.get("machine", input::text(), "", "instead of the workload's");
  set_.variant = map.get("variant", input::text(), "", "of the workload");
  map.value("variants", "of the workload, by series", [&](const Value& value) {
    value.entries([&](std::string_view series, const Value& one) {
      if (const auto name = one.as(input::text())) set_.variants.emplace_back(series, *name);
    });
  });
  read_changes(map, set_.changes);
  read_row_changes(map);
  set_.quantity = workload::read_quantity(map);
  set_.replications =
      map.get("replications", input::integer<std::uint32_t>(1, 100), 1U, "simulations a point");
  if (map.is_dry()) return;
  if (set_.workload.empty() == !set_.ping_pong.has_value()) {
    map.whole().error("must have one of workload and ping_pong");
  }
  if (set_.ping_pong && set_.machine.empty()) {
    map.whole().error("a ping_pong needs key \"machine\"");
  }
}

void SetReader::read_bounds(MapReader& map, Bounds& bounds) {
  const auto share = input::share_of(input::Share{0}, input::Share{100});
  bounds.median = map.get("median", share, {bounds.median}, "error of half of the points").of_one;
  bounds.ninetieth =
      map.get("ninetieth", share, {bounds.ninetieth}, "error of nine tenths of the points").of_one;
  bounds.tau = map.get("tau", input::decimal(-1, 1), bounds.tau, "Kendall's tau at least");
}

void SetReader::read(MapReader& map) {
  set_.title = map.require("title", input::text(), "what was measured on which machine");
  set_.notes = map.get("notes", input::text(), "", "what a reader should know");
  set_.calibration = map.require("calibration", input::text(), "what was calibrated on what");
  set_.missed = map.get("missed", input::text(), "", "why it misses the target, as far as known");
  set_.is_published =
      map.get("published", input::boolean(), false, "the points are the workload's own figures");
  read_data(map);
  map.value(
      "calibrated", "the rows that the calibration has used, a list of such, or true for all",
      [&](const Value& value) {
        if (value.is_dry() || value.may_be_scalar()) {
          set_.is_calibrated = value.as(input::boolean()).value_or(false);
        }
        if (value.may_be_map()) set_.calibrated.push_back(read_filter(value));
        if (value.may_be_list()) {
          value.list([&](const Value& rows) { set_.calibrated.push_back(read_filter(rows)); });
        }
      });
  read_over(map);
  read_subject(map);
  set_.is_curve = map.get("curves", input::boolean(), true, "points form curves along x");
  map.map("target", "beyond it the set misses", [&](MapReader& m) { read_bounds(m, set_.target); });
  map.map("recorded", "the errors when they were last accepted; `validate` fails beyond them",
          [&](MapReader& inside) {
            Bounds bounds{0, 0, -1};
            read_bounds(inside, bounds);
            set_.recorded = bounds;
            set_.collapses = inside.find("collapses", input::integer<std::size_t>(0, 1000),
                                         "curves that collapse where measured, at least");
          });
  if (map.is_dry()) return;
  if (set_.is_published && set_.workload.empty()) map.whole().error("needs key \"workload\"");
  if (!set_.is_published && !map.has("data")) map.whole().error("needs key \"data\"");
}

ValidationSet read_document(const input::Node& document, std::string_view name,
                            const std::filesystem::path& folder, input::Diagnostics& diagnostics) {
  ValidationSet set;
  set.file = name;
  set.name = std::filesystem::path(name).stem().string();
  if (diagnostics.has_errors()) return set;
  input::Reading reading{diagnostics};
  SetReader reader(set, folder);
  input::read(reading, document, [&](MapReader& map) { reader.read(map); });
  if (!set.workload.empty()) set.workload = (folder / set.workload).lexically_normal().string();
  return set;
}

}  // namespace

bool RowFilter::holds(const DataTable::Row& row) const {
  return std::all_of(conditions.begin(), conditions.end(), [&](const Condition& condition) {
    const std::string& cell = row.cells[condition.column];
    if (!condition.texts.empty()) {
      return std::find(condition.texts.begin(), condition.texts.end(), cell) !=
             condition.texts.end();
    }
    const auto number = input::parse_decimal(cell).value;
    return number && *number >= condition.least.value_or(*number) &&
           *number <= condition.most.value_or(*number);
  });
}

ValidationSet read_validation_set(const std::filesystem::path& file,
                                  input::Diagnostics& diagnostics) {
  const input::Node document = input::load_file(file, diagnostics);
  return read_document(document, file.string(), file.parent_path(), diagnostics);
}

ValidationSet parse_validation_set(std::string_view text, std::string_view name,
                                   const std::filesystem::path& folder,
                                   input::Diagnostics& diagnostics) {
  const input::Node document = input::load_text(text, name, diagnostics);
  return read_document(document, name, folder, diagnostics);
}

std::vector<ValidationSet> read_validation_sets(const std::filesystem::path& folder) {
  input::Diagnostics diagnostics;
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  if (error) diagnostics.error({folder.string(), {}, {}}, "cannot be read: " + error.message());
  std::sort(files.begin(), files.end());
  std::vector<ValidationSet> sets;
  for (const auto& file : files) {
    input::Diagnostics own;
    sets.push_back(read_validation_set(file, own));
    for (const input::Diagnostic& one : own.sorted()) diagnostics.error(one.place, one.message);
  }
  diagnostics.throw_if_errors();
  return sets;
}

std::string filled(const std::string& text, const DataTable& data, const DataTable::Row& row) {
  std::string result = text;
  for (std::size_t i = 0; i < data.columns.size(); ++i) {
    const std::string name = "{" + data.columns[i] + "}";
    for (std::size_t at = result.find(name); at != std::string::npos; at = result.find(name, at)) {
      result.replace(at, name.size(), row.cells[i]);
      at += row.cells[i].size();
    }
  }
  return result;
}

std::string series_of(const ValidationSet& set, const DataTable::Row& row) {
  std::string name;
  for (const std::size_t column : set.columns.series) {
    name += (name.empty() ? "" : ", ") + row.cells[column];
  }
  return name;
}

}  // namespace hotline::experiment
