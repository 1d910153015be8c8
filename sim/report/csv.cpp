#include "sim/report/document.hpp"
#include "sim/report/format.hpp"

namespace hotline::report {

namespace {

/// A field in quotes where it must be: RFC 4180, section 2.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + "\"";
}

std::string block(const measure::Table& table) {
  std::string text = "# " + table.name + ": " + std::string(table.description) + "\n";
  for (std::size_t i = 0; i < table.fields.size(); ++i) {
    text += (i == 0 ? "" : ",") + quoted(std::string(table.fields[i].name));
  }
  text += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += (i == 0 ? "" : ",") + quoted(exact_text(row[i]));
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string to_csv(const Document& document) {
  measure::Table facts{"facts", "what was run", {}, {}};
  facts.fields = {{"fact", measure::Unit::kText, "name"}, {"value", measure::Unit::kText, "value"}};
  for (const auto& [name, value] : document.facts) facts.rows.push_back({name, value});
  std::string text = block(facts);
  for (const measure::Table& table : document.tables) text += "\n\n" + block(table);
  return text;
}

}  // namespace hotline::report
