#include "sim/experiment/fit_data.hpp"

#include <algorithm>

#include "sim/experiment/hold_out.hpp"
#include "sim/input/quantity.hpp"

namespace hotline::experiment {

using input::DataTable;

std::optional<std::size_t> measured_column(const DataTable& table,
                                           input::Diagnostics& diagnostics) {
  std::optional<std::size_t> found;
  for (const char* const name : {"per_second", "ns", "ns_per_thread"}) {
    const auto column = table.column(name);
    if (!column) continue;
    if (found) {
      diagnostics.error({table.file, {}, {}}, "has both columns \"" + table.columns[*found] +
                                                  "\" and \"" + name + "\"; keep one");
    }
    found = column;
  }
  if (!found) {
    diagnostics.error({table.file, {}, {}},
                      "must have one of the columns per_second, ns and ns_per_thread");
  }
  return found;
}

std::optional<double> positive_cell(const DataTable& table, const DataTable::Row& row,
                                    std::size_t column, input::Diagnostics& diagnostics) {
  const auto number = input::parse_decimal(row.cells[column]);
  if (number.value && *number.value > 0) return *number.value;
  diagnostics.error({table.file, {row.line, 1}, table.columns[column]},
                    "\"" + row.cells[column] + "\" is not a number above 0");
  return std::nullopt;
}

FitData read_fit_data(const DataTable& table, std::string_view hold_out,
                      const workload::Workload& workload) {
  input::Diagnostics diagnostics;
  FitData data;
  const auto measured = measured_column(table, diagnostics);
  const HoldOut held(hold_out, table, diagnostics);
  diagnostics.throw_if_errors();
  const std::string& column = table.columns[*measured];
  data.quantity.kind =
      column == "per_second" ? workload::Quantity::Kind::kRate : workload::Quantity::Kind::kTime;
  data.quantity.per_thread = column == "ns_per_thread";
  const auto threads = table.column("threads");
  const auto variant = table.column("variant");
  for (const DataTable::Row& row : table.rows) {
    FitRow one;
    one.line = row.line;
    one.series = variant ? row.cells[*variant] : workload.variants().front().name;
    if (threads) {
      one.threads =
          static_cast<std::uint32_t>(positive_cell(table, row, *threads, diagnostics).value_or(1));
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& name = table.columns[i];
      const bool is_taken = i == measured || i == threads || i == variant;
      if (is_taken || workload.at(name) == nullptr) continue;
      one.changes.push_back(workload::parse_change(name + "=" + row.cells[i], table.file));
    }
    one.measured = positive_cell(table, row, *measured, diagnostics).value_or(1);
    one.is_held_out = held.holds(row);
    data.rows.push_back(std::move(one));
  }
  const bool has_rows = std::any_of(data.rows.begin(), data.rows.end(),
                                    [](const FitRow& row) { return !row.is_held_out; });
  if (!has_rows) diagnostics.error({table.file, {}, {}}, "leaves no row to fit to");
  diagnostics.throw_if_errors();
  return data;
}

}  // namespace hotline::experiment
