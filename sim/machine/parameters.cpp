#include "sim/machine/parameters.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "sim/input/suggest.hpp"
#include "sim/input/types.hpp"

namespace hotline::machine {
namespace {

using input::Diagnostics;
using input::MapReader;
using input::Node;

using Values = std::map<std::string, Node, std::less<>>;

std::vector<std::string> names_of(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  names.reserve(parameters.size());
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

/// Takes a key out of a map.
std::optional<Node> take(Node& map, std::string_view key) {
  const auto at = std::find_if(map.members.begin(), map.members.end(),
                               [key](const input::Member& member) { return member.key == key; });
  if (at == map.members.end()) return std::nullopt;
  std::optional<Node> taken = std::move(at->value);
  map.members.erase(at);
  return taken;
}

class Substitution {
 public:
  Substitution(const std::vector<Parameter>& declared, Diagnostics& diagnostics)
      : names_(names_of(declared)), diagnostics_(diagnostics) {}

  void set(const std::string& name, const Node& value) {
    input::Reading reading{diagnostics_};
    const input::Value given(reading, value, name);
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) {
      given.error(names_.empty() ? "the machine has no parameters"
                                 : "unknown parameter; " + input::suggestion(name, names_));
      return;
    }
    if (given.as(input::text())) values_[name] = value;
  }

  void apply(Node& node, const std::string& path) {
    if (node.is_scalar() && !node.quoted && node.text.starts_with('$')) replace(node, path);
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      apply(node.items[i], path + "[" + std::to_string(i) + "]");
    }
    for (input::Member& member : node.members) {
      apply(member.value, path.empty() ? member.key : path + "." + member.key);
    }
  }

 private:
  void replace(Node& node, const std::string& path) {
    const std::string name = node.text.substr(1);
    if (const auto value = values_.find(name); value != values_.end()) {
      node = value->second;
      return;
    }
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) return;  // reported before
    input::Reading reading{diagnostics_};
    input::Value(reading, node, path)
        .error("unknown parameter \"" + name + "\"; " + input::suggestion(name, names_));
  }

  std::vector<std::string> names_;
  Diagnostics& diagnostics_;
  Values values_;
};

void read_parameter(MapReader& map, Parameter& parameter) {
  map.require_value("default", "its value where none is given", [&](const input::Value& value) {
    parameter.fallback = value.as(input::text()).value_or("");
  });
  parameter.description = map.require("description", input::text(), "one line for people");
}

/// A file that sets a parameter of the one it extends has that value as its default.
void restate_default(std::vector<Parameter>& declared, std::string_view name,
                     const std::string& value) {
  for (Parameter& parameter : declared) {
    if (parameter.name == name) parameter.fallback = value;
  }
}

}  // namespace

std::vector<Parameter> read_parameters(MapReader& map) {
  std::vector<Parameter> parameters;
  map.value("parameters", "what a user may change: use it as $name",
            [&](const input::Value& block) {
              block.entries([&](std::string_view name, const input::Value& entry) {
                Parameter& parameter = parameters.emplace_back();
                parameter.name = name;
                entry.map([&parameter](MapReader& one) { read_parameter(one, parameter); });
              });
            });
  return parameters;
}

Node substitute_parameters(Node document, const ParameterValues& given,
                           std::vector<Parameter>& declared, Diagnostics& diagnostics) {
  input::Reading reading{diagnostics};
  {
    MapReader map(input::Value(reading, document, {}));
    declared = read_parameters(map);
  }
  Substitution substitution(declared, diagnostics);
  const auto parameters = take(document, "parameters");
  if (parameters) {
    for (const input::Member& member : parameters->members) {
      const Node* fallback = member.value.find("default");
      if (fallback != nullptr) substitution.set(member.key, *fallback);
    }
  }
  if (const auto with = take(document, "with")) {
    input::Value(reading, *with, "with")
        .entries([&](std::string_view name, const input::Value& value) {
          substitution.set(std::string(name), *value.node());
          restate_default(declared, name, value.node()->text);
        });
  }
  for (const auto& [name, value] : given) substitution.set(name, value);
  substitution.apply(document, {});
  return document;
}

}  // namespace hotline::machine
