#include "sim/report/document.hpp"

#include <algorithm>

namespace hotline::report {

measure::Table with_context(measure::Table table,
                            const std::vector<std::pair<measure::Field, measure::Value>>& context) {
  std::vector<measure::Field> fields;
  std::vector<measure::Value> values;
  for (const auto& [field, value] : context) {
    fields.push_back(field);
    values.push_back(value);
  }
  table.fields.insert(table.fields.begin(), fields.begin(), fields.end());
  for (auto& row : table.rows) row.insert(row.begin(), values.begin(), values.end());
  return table;
}

void append(Document& document, measure::Table table) {
  const auto same = std::find_if(document.tables.begin(), document.tables.end(),
                                 [&](const measure::Table& t) { return t.name == table.name; });
  if (same == document.tables.end()) {
    document.tables.push_back(std::move(table));
  } else {
    std::move(table.rows.begin(), table.rows.end(), std::back_inserter(same->rows));
  }
}

}  // namespace hotline::report
