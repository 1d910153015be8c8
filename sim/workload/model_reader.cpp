#include "sim/workload/model_reader.hpp"

#include <stdexcept>

#include "sim/engine/simulator.hpp"
#include "sim/input/types.hpp"
#include "sim/machine/machine.hpp"
#include "sim/model/site.hpp"

namespace hotline::workload {
namespace {

/// A value of the type that it is spelled as.
model::ParamValue param_value(const input::Node& node) {
  if (!node.quoted) {
    if (node.text == "true") return true;
    if (node.text == "false") return false;
    if (const auto whole = input::parse_integer(node.text); whole.value) return *whole.value;
    if (const auto time = input::parse_duration(node.text); time.value) return *time.value;
  }
  return node.text;
}

/// A parameter of a model as a type of scalar: which one it must be only the model knows.
struct Parameter {
  using type = model::ParamValue;

  static std::optional<type> read(const input::Value& value) {
    if (!value.as(input::text())) return std::nullopt;
    return param_value(*value.node());
  }
  static input::Declaration declare() {
    using Kind = input::Declaration::Kind;
    input::Declaration form;
    form.kind = Kind::kOneOf;
    for (const Kind kind : {Kind::kText, Kind::kBoolean, Kind::kInteger}) {
      form.alternatives.emplace_back().kind = kind;
    }
    return form;
  }
  static std::string print(const type&) { return {}; }
  static bool is_figure() { return false; }
};

/// The names of the models as a type of scalar.
struct ModelName {
  using type = const model::Entry*;
  const model::Catalog& models;

  std::optional<type> read(const input::Value& value) const {
    const auto name = input::detail::scalar(value, "the name of a model");
    if (!name) return std::nullopt;
    if (const model::Entry* entry = models.find(*name)) return entry;
    value.error("there is no model \"" + std::string(*name) + "\"; " + models.suggestion(*name));
    return std::nullopt;
  }
  input::Declaration declare() const {
    input::Declaration form;
    form.kind = input::Declaration::Kind::kText;
    for (const model::Entry& entry : models.entries()) form.choices.emplace_back(entry.name);
    return form;
  }
  static std::string print(type entry) { return std::string(entry->name); }
  static bool is_figure() { return false; }
};

std::vector<model::ParamProblem> try_out(const ModelUse& use) {
  machine::Description one_core;
  one_core.name = "scratch";
  one_core.core.clock = {{1, 1000}};
  const machine::Topology topology(one_core);
  engine::Simulator simulator;
  machine::Machine machine(simulator, topology);
  model::Site site(machine, {use.name, {0}, std::nullopt, {{0}}, nullptr});
  model::ParamReader params(use.params);
  try {
    const auto model = use.entry->make(site, params);
  } catch (const std::invalid_argument& error) {
    params.reject("model", error.what());
  }
  return params.problems();
}

void report(const std::vector<model::ParamProblem>& problems, const input::MapReader& map) {
  const input::Node* with = map.whole().node()->find("with");
  for (const model::ParamProblem& problem : problems) {
    const input::Node* node = with == nullptr ? nullptr : with->find(problem.name);
    if (node == nullptr) {
      map.error_at("model", problem.message);
    } else {
      input::Value(map.whole().reading(), *node, map.whole().path() + ".with." + problem.name)
          .error(problem.message);
    }
  }
}

}  // namespace

std::optional<ModelUse> read_model(input::MapReader& map, const model::Catalog& models) {
  const auto entry = map.find("model", ModelName{models}, "a lock or counter of the catalogue");
  ModelUse use;
  map.value("with", "parameters of the model", [&](const input::Value& value) {
    value.entries([&](std::string_view name, const input::Value& param) {
      if (auto given = param.as(Parameter{})) use.params.emplace(name, std::move(*given));
    });
  });
  if (map.is_dry()) return std::nullopt;
  if (map.has("with") && !map.has("model")) map.error_at("with", "there is no model to set up");
  if (!entry) return std::nullopt;
  use.name = (*entry)->name;
  use.entry = *entry;
  report(try_out(use), map);
  return use;
}

}  // namespace hotline::workload
