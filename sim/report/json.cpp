#include <variant>

#include <boost/json.hpp>

#include "sim/report/document.hpp"
#include "sim/report/format.hpp"

namespace hotline::report {

namespace {

namespace json = boost::json;

bool is_scalar(const json::value& value) { return !value.is_object() && !value.is_array(); }

/// A row or a field stands on one line.
bool is_flat(const json::value& value) {
  if (!value.is_object()) return is_scalar(value);
  for (const auto& member : value.get_object()) {
    if (!is_scalar(member.value())) return false;
  }
  return true;
}

/// Numbers are written as exact_text writes them, which Boost.JSON's own writer would turn into
/// 1.2345E4; so they are strings in the tree, marked by a first character that no text has.
constexpr char kNumberMark = '\x01';

json::value to_value(const measure::Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return nullptr;
  if (const auto* text = std::get_if<std::string>(&value)) return json::string(*text);
  return json::string(kNumberMark + exact_text(value));
}

std::string scalar_text(const json::value& value) {
  if (value.is_string() && value.get_string().starts_with(kNumberMark)) {
    const auto text = value.get_string().subview(1);
    return {text.data(), text.size()};
  }
  return json::serialize(value);
}

void print(const json::value& value, std::size_t indent, bool on_one_line, std::string& out) {
  if (is_scalar(value)) {
    out += scalar_text(value);
    return;
  }
  const bool is_object = value.is_object();
  const std::string separator =
      on_one_line ? std::string(", ") : ",\n" + std::string(indent + 2, ' ');
  const std::string begin = on_one_line ? std::string() : "\n" + std::string(indent + 2, ' ');
  const std::string end = on_one_line ? std::string() : "\n" + std::string(indent, ' ');
  bool is_first = true;
  const auto item = [&](const json::value& child) {
    print(child, indent + 2, on_one_line || is_flat(child), out);
  };
  const auto separate = [&] {
    out += is_first ? begin : separator;
    is_first = false;
  };
  out += is_object ? "{" : "[";
  if (is_object) {
    for (const auto& member : value.get_object()) {
      separate();
      out += json::serialize(json::string(member.key())) + ": ";
      item(member.value());
    }
  } else {
    for (const json::value& child : value.get_array()) {
      separate();
      item(child);
    }
  }
  out += (is_first ? std::string() : end) + (is_object ? "}" : "]");
}

json::value to_value(const measure::Table& table) {
  json::array fields;
  for (const measure::Field& field : table.fields) {
    fields.push_back(json::object{{"name", field.name},
                                  {"unit", measure::unit_name(field.unit)},
                                  {"description", field.description}});
  }
  json::array rows;
  for (const auto& row : table.rows) {
    json::object object;
    for (std::size_t i = 0; i < row.size(); ++i) object[table.fields[i].name] = to_value(row[i]);
    rows.push_back(std::move(object));
  }
  return json::object{
      {"description", table.description}, {"fields", std::move(fields)}, {"rows", std::move(rows)}};
}

}  // namespace

std::string to_json(const Document& document) {
  json::object root;
  for (const auto& [name, value] : document.facts) root[name] = to_value(value);
  json::object tables;
  for (const measure::Table& table : document.tables) tables[table.name] = to_value(table);
  root["tables"] = std::move(tables);
  if (!document.inputs.empty()) {
    json::array inputs;
    for (const auto& [name, text] : document.inputs) {
      inputs.push_back(json::object{{"name", name}, {"text", text}});
    }
    root["inputs"] = std::move(inputs);
  }
  std::string text;
  print(root, 0, false, text);
  return text + "\n";
}

}  // namespace hotline::report
