#include "tests/unit/workload/json_schema.hpp"

#include <regex>
#include <set>
#include <stdexcept>

#include "sim/input/quantity.hpp"

namespace hotline::tests {
namespace {

namespace json = boost::json;

json::value scalar(const input::Node& node) {
  if (!node.quoted) {
    if (node.text == "true") return true;
    if (node.text == "false") return false;
    if (const auto whole = input::parse_integer(node.text); whole.value) return *whole.value;
    if (const auto number = input::parse_decimal(node.text); number.value) return *number.value;
  }
  return json::value(json::string(node.text));
}

class Validator {
 public:
  explicit Validator(const json::value& root) : root_(root.as_object()) {}

  std::string check(const json::value& value, const json::object& schema, const std::string& path) {
    check_keywords(schema);
    if (const json::value* reference = schema.if_contains("$ref")) {
      const std::string name(reference->as_string());
      const auto& definitions = root_.at("$defs").as_object();
      return check(value, definitions.at(name.substr(std::string("#/$defs/").size())).as_object(),
                   path);
    }
    if (const json::value* forms = schema.if_contains("anyOf")) return any(value, *forms, path);
    const json::value* type = schema.if_contains("type");
    if (type == nullptr) return {};
    if (type->as_string() == "object") return object(value, schema, path);
    if (type->as_string() == "array") return array(value, schema, path);
    if (type->as_string() == "string") return string(value, schema, path);
    if (type->as_string() == "boolean") return value.is_bool() ? "" : path + " is no boolean";
    return number(value, schema, path, type->as_string() == "integer");
  }

 private:
  static void check_keywords(const json::object& schema) {
    static const std::set<std::string_view> known{
        "$schema",       "title",        "$defs",
        "description",   "default",      "type",
        "properties",    "required",     "additionalProperties",
        "items",         "anyOf",        "$ref",
        "enum",          "pattern",      "minimum",
        "maximum",       "minItems",     "maxItems",
        "minProperties", "maxProperties"};
    for (const auto& [key, value] : schema) {
      if (!known.contains(std::string_view(key.data(), key.size()))) {
        throw std::logic_error("unknown keyword " + std::string(key));
      }
    }
  }

  std::string any(const json::value& value, const json::value& forms, const std::string& path) {
    std::string all;
    for (const json::value& form : forms.as_array()) {
      const std::string one = check(value, form.as_object(), path);
      if (one.empty()) return {};
      all += (all.empty() ? "" : " / ") + one;
    }
    return all;
  }

  static bool within(std::size_t size, const json::object& schema, const char* least,
                     const char* most) {
    const json::value* low = schema.if_contains(least);
    const json::value* high = schema.if_contains(most);
    return (low == nullptr || static_cast<double>(size) >= low->to_number<double>()) &&
           (high == nullptr || static_cast<double>(size) <= high->to_number<double>());
  }

  std::string object(const json::value& value, const json::object& schema,
                     const std::string& path) {
    if (!value.is_object()) return path + " is no map";
    const json::object& map = value.as_object();
    if (!within(map.size(), schema, "minProperties", "maxProperties"))
      return path + " has a bad size";
    if (const json::value* required = schema.if_contains("required")) {
      for (const json::value& key : required->as_array()) {
        if (!map.contains(key.as_string())) return path + " lacks " + std::string(key.as_string());
      }
    }
    const json::value* properties = schema.if_contains("properties");
    const json::value* others = schema.if_contains("additionalProperties");
    for (const auto& [key, below] : map) {
      const json::value* form =
          properties == nullptr ? nullptr : properties->as_object().if_contains(key);
      const std::string place = path + "." + std::string(key);
      if (form == nullptr && others != nullptr && others->is_bool()) return place + " is unknown";
      if (form == nullptr) form = others;
      if (form == nullptr) continue;
      const std::string one = check(below, form->as_object(), place);
      if (!one.empty()) return one;
    }
    return {};
  }

  std::string array(const json::value& value, const json::object& schema, const std::string& path) {
    if (!value.is_array()) return path + " is no list";
    if (!within(value.as_array().size(), schema, "minItems", "maxItems"))
      return path + " has a bad size";
    const json::value* items = schema.if_contains("items");
    if (items == nullptr) return {};
    for (const json::value& item : value.as_array()) {
      const std::string one = check(item, items->as_object(), path + "[]");
      if (!one.empty()) return one;
    }
    return {};
  }

  static std::string string(const json::value& value, const json::object& schema,
                            const std::string& path) {
    if (!value.is_string()) return path + " is no text";
    const std::string text(value.as_string());
    if (const json::value* pattern = schema.if_contains("pattern")) {
      if (!std::regex_search(text, std::regex(std::string(pattern->as_string())))) {
        return path + " does not match";
      }
    }
    const json::value* choices = schema.if_contains("enum");
    if (choices == nullptr) return {};
    for (const json::value& choice : choices->as_array()) {
      if (choice.as_string() == text) return {};
    }
    return path + " is none of the choices";
  }

  static std::string number(const json::value& value, const json::object& schema,
                            const std::string& path, bool whole) {
    if (!value.is_number() || (whole && value.is_double())) return path + " is no number";
    const double found = value.to_number<double>();
    const json::value* low = schema.if_contains("minimum");
    const json::value* high = schema.if_contains("maximum");
    if (low != nullptr && found < low->to_number<double>()) return path + " is too small";
    if (high != nullptr && found > high->to_number<double>()) return path + " is too large";
    return {};
  }

  const json::object& root_;
};

}  // namespace

json::value to_json_value(const input::Node& node) {
  if (node.is_scalar()) return scalar(node);
  if (node.is_list()) {
    json::array list;
    for (const input::Node& item : node.items) list.push_back(to_json_value(item));
    return list;
  }
  if (node.is_map()) {
    json::object map;
    for (const input::Member& member : node.members) map[member.key] = to_json_value(member.value);
    return map;
  }
  return nullptr;
}

std::string mismatch(const json::value& value, const json::value& schema) {
  return Validator(schema).check(value, schema.as_object(), "");
}

}  // namespace hotline::tests
