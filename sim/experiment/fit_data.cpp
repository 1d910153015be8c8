#include "sim/experiment/fit_data.hpp"

#include <algorithm>
#include <array>

#include "sim/input/quantity.hpp"
#include "sim/input/suggest.hpp"

namespace hotline::experiment {

using input::DataTable;

namespace {

/// A comparison of a column with a number.
class HoldOut {
 public:
  HoldOut(std::string_view text, const DataTable& table, input::Diagnostics& diagnostics) {
    if (text.empty()) return;
    const input::Place place{"--hold-out", {}, {}};
    for (const std::string_view sign : {">=", "<=", "==", ">", "<"}) {
      const std::size_t at = text.find(sign);
      if (at == std::string_view::npos) continue;
      sign_ = sign;
      const std::string_view name = text.substr(0, at);
      column_ = table.column(name);
      if (!column_) {
        diagnostics.error(place, "the data has no column \"" + std::string(name) + "\"; " +
                                     input::suggestion(name, table.columns));
      }
      const auto number = input::parse_decimal(text.substr(at + sign.size()));
      if (!number.value) {
        diagnostics.error(
            place, "\"" + std::string(text.substr(at + sign.size())) + "\" " + number.problem);
      }
      limit_ = number.value.value_or(0);
      return;
    }
    diagnostics.error(place, "\"" + std::string(text) + "\" compares nothing; write threads>=32");
  }

  [[nodiscard]] bool holds(const DataTable::Row& row) const {
    if (!column_) return false;
    const auto value = input::parse_decimal(row.cells[*column_]).value;
    if (!value) return false;
    if (sign_ == ">=") return *value >= limit_;
    if (sign_ == "<=") return *value <= limit_;
    if (sign_ == ">") return *value > limit_;
    return sign_ == "<" ? *value < limit_ : *value == limit_;
  }

 private:
  std::optional<std::size_t> column_;
  std::string_view sign_;
  double limit_ = 0;
};

std::optional<std::size_t> measured_column(const DataTable& table, FitData& data) {
  using Kind = workload::Quantity::Kind;
  std::optional<std::size_t> found;
  for (const char* const name : {"per_second", "ns", "ns_per_thread"}) {
    const auto column = table.column(name);
    if (!column) continue;
    if (found) return std::nullopt;
    found = column;
    data.column = name;
  }
  data.quantity.kind = data.column == "per_second" ? Kind::kRate : Kind::kTime;
  data.quantity.per_thread = data.column == "ns_per_thread";
  return found;
}

double positive(const DataTable& table, const DataTable::Row& row, std::size_t column,
                input::Diagnostics& diagnostics) {
  const auto number = input::parse_decimal(row.cells[column]);
  if (number.value && *number.value > 0) return *number.value;
  diagnostics.error({table.file, {row.line, 1}, table.columns[column]},
                    "\"" + row.cells[column] + "\" is not a number above 0");
  return 1;
}

}  // namespace

FitData read_fit_data(const DataTable& table, std::string_view hold_out,
                      const workload::Workload& workload) {
  input::Diagnostics diagnostics;
  FitData data;
  const auto measured = measured_column(table, data);
  if (!measured) {
    diagnostics.error({table.file, {}, {}},
                      "must have one of the columns per_second, ns and ns_per_thread");
  }
  const HoldOut held(hold_out, table, diagnostics);
  diagnostics.throw_if_errors();
  const auto threads = table.column("threads");
  const auto variant = table.column("variant");
  for (const DataTable::Row& row : table.rows) {
    FitRow one;
    one.line = row.line;
    one.variant = variant ? row.cells[*variant] : workload.variants().front().name;
    if (threads) {
      one.threads = static_cast<std::uint32_t>(positive(table, row, *threads, diagnostics));
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& name = table.columns[i];
      const bool is_taken = i == measured || i == threads || i == variant;
      if (is_taken || workload.at(name) == nullptr) continue;
      one.changes.push_back(workload::parse_change(name + "=" + row.cells[i], table.file));
    }
    one.measured = positive(table, row, *measured, diagnostics);
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
