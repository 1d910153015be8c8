#include "sim/input/schema.hpp"

#include <sstream>
#include <utility>

#include <boost/json.hpp>

namespace hotline::input {
namespace {

namespace json = boost::json;

json::object describe(const Declaration& declaration);

/// Whole numbers without a point, as people write bounds.
json::value bound(double number) {
  const auto whole = static_cast<std::int64_t>(number);
  if (static_cast<double>(whole) == number) return whole;
  return number;
}

void add_bounds(json::object& out, const Declaration& form, const char* least, const char* most) {
  if (form.least) out[least] = bound(*form.least);
  if (form.most) out[most] = bound(*form.most);
}

void add_text(json::object& out, const Declaration& form) {
  out["type"] = "string";
  if (!form.pattern.empty()) out["pattern"] = form.pattern;
  if (form.choices.empty()) return;
  json::array& choices = out["enum"].emplace_array();
  for (const std::string& choice : form.choices) choices.emplace_back(choice);
}

void add_map(json::object& out, const Declaration& form) {
  out["type"] = "object";
  if (!form.entries.empty()) {
    out["additionalProperties"] = describe(form.entries.front());
    add_bounds(out, form, "minProperties", "maxProperties");
    return;
  }
  out["additionalProperties"] = false;
  json::object& properties = out["properties"].emplace_object();
  json::array required;
  for (const Property& property : form.properties) {
    properties[property.key] = describe(property.value);
    if (property.required) required.emplace_back(property.key);
  }
  if (!required.empty()) out["required"] = std::move(required);
}

void add_list(json::object& out, const Declaration& form) {
  out["type"] = "array";
  if (!form.entries.empty()) out["items"] = describe(form.entries.front());
  add_bounds(out, form, "minItems", "maxItems");
}

void add_form(json::object& out, const Declaration& form) {
  using Kind = Declaration::Kind;
  switch (form.kind) {
    case Kind::kAnything:
      break;
    case Kind::kText:
      add_text(out, form);
      break;
    case Kind::kBoolean:
      out["type"] = "boolean";
      break;
    case Kind::kInteger:
    case Kind::kNumber:
      out["type"] = form.kind == Kind::kInteger ? "integer" : "number";
      add_bounds(out, form, "minimum", "maximum");
      break;
    case Kind::kList:
      add_list(out, form);
      break;
    case Kind::kMap:
      add_map(out, form);
      break;
    case Kind::kReference:
      out["$ref"] = "#/$defs/" + form.reference;
      break;
    case Kind::kOneOf: {
      json::array& forms = out["anyOf"].emplace_array();
      for (const Declaration& one : form.alternatives) forms.push_back(describe(one));
      break;
    }
  }
}

/// The default with the JSON type that the value has.
json::value fallback(const Declaration& declaration) {
  using Kind = Declaration::Kind;
  const Kind kind = declaration.kind == Kind::kOneOf && !declaration.alternatives.empty()
                        ? declaration.alternatives.front().kind
                        : declaration.kind;
  const std::string& text = declaration.fallback;
  if (kind != Kind::kBoolean && kind != Kind::kInteger && kind != Kind::kNumber) return {text};
  json::error_code error;
  json::value parsed = json::parse(text, error);
  return error ? json::value(text) : parsed;
}

json::object describe(const Declaration& declaration) {
  json::object out;
  if (!declaration.description.empty()) out["description"] = declaration.description;
  add_form(out, declaration);
  if (!declaration.fallback.empty()) out["default"] = fallback(declaration);
  return out;
}

/// Boost.JSON writes everything on one line; editors and diffs want lines.
void indent(std::ostream& out, const json::value& value, const std::string& margin) {
  const std::string deeper = margin + "  ";
  const char* separator = "\n";
  if (value.is_object() && !value.get_object().empty()) {
    out << "{";
    for (const auto& [key, below] : value.get_object()) {
      out << separator << deeper << json::serialize(key) << ": ";
      indent(out, below, deeper);
      separator = ",\n";
    }
    out << "\n" << margin << "}";
  } else if (value.is_array() && !value.get_array().empty()) {
    out << "[";
    for (const json::value& below : value.get_array()) {
      out << separator << deeper;
      indent(out, below, deeper);
      separator = ",\n";
    }
    out << "\n" << margin << "]";
  } else {
    out << json::serialize(value);
  }
}

}  // namespace

void Declaration::allow(Declaration form) {
  if (kind == Kind::kAnything) {
    form.description = std::move(description);
    *this = std::move(form);
    return;
  }
  if (kind != Kind::kOneOf) {
    Declaration first = std::move(*this);
    *this = Declaration{};
    description = std::move(first.description);
    first.description.clear();
    kind = Kind::kOneOf;
    alternatives.push_back(std::move(first));
  }
  alternatives.push_back(std::move(form));
}

std::string to_json(const Schema& schema) {
  json::object document;
  document["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  document["title"] = schema.title;
  add_form(document, schema.document);
  if (!schema.definitions.empty()) {
    json::object& definitions = document["$defs"].emplace_object();
    for (const auto& [name, form] : schema.definitions) definitions[name] = describe(form);
  }
  std::ostringstream out;
  indent(out, document, "");
  out << "\n";
  return out.str();
}

}  // namespace hotline::input
