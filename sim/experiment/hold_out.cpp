#include "sim/experiment/hold_out.hpp"

#include <algorithm>
#include <vector>

#include "sim/input/quantity.hpp"
#include "sim/input/suggest.hpp"

namespace hotline::experiment {

namespace {

input::Place option() { return {"--hold-out", {}, {}}; }

std::vector<std::string> cells_of(const input::DataTable& table, std::size_t column) {
  std::vector<std::string> cells;
  for (const input::DataTable::Row& row : table.rows) {
    const std::string& cell = row.cells[column];
    if (std::find(cells.begin(), cells.end(), cell) == cells.end()) cells.push_back(cell);
  }
  return cells;
}

}  // namespace

HoldOut::HoldOut(std::string_view text, const input::DataTable& table,
                 input::Diagnostics& diagnostics) {
  if (text.empty()) return;
  for (const std::string_view sign : {">=", "<=", "==", ">", "<"}) {
    const std::size_t at = text.find(sign);
    if (at == std::string_view::npos) continue;
    sign_ = sign;
    read(text.substr(0, at), text.substr(at + sign.size()), table, diagnostics);
    return;
  }
  diagnostics.error(option(), "\"" + std::string(text) + "\" compares nothing; write threads>=32");
}

void HoldOut::read(std::string_view name, std::string_view limit, const input::DataTable& table,
                   input::Diagnostics& diagnostics) {
  column_ = table.column(name);
  if (!column_) {
    diagnostics.error(option(), "the data has no column \"" + std::string(name) + "\"; " +
                                    input::suggestion(name, table.columns));
    return;
  }
  const auto number = input::parse_decimal(limit);
  limit_ = number.value.value_or(0);
  if (number.value) return;
  if (sign_ != "==") {
    diagnostics.error(option(), "\"" + std::string(limit) + "\" " + number.problem);
    return;
  }
  text_ = limit;
  const std::vector<std::string> cells = cells_of(table, *column_);
  if (std::find(cells.begin(), cells.end(), text_) == cells.end()) {
    diagnostics.error(option(), "no row has \"" + text_ + "\" in column \"" + std::string(name) +
                                    "\"; " + input::suggestion(limit, cells));
  }
}

bool HoldOut::holds(const input::DataTable::Row& row) const {
  if (!column_) return false;
  const std::string& cell = row.cells[*column_];
  if (!text_.empty()) return cell == text_;
  const auto value = input::parse_decimal(cell).value;
  if (!value) return false;
  if (sign_ == ">=") return *value >= limit_;
  if (sign_ == "<=") return *value <= limit_;
  if (sign_ == ">") return *value > limit_;
  return sign_ == "<" ? *value < limit_ : *value == limit_;
}

}  // namespace hotline::experiment
