#include "sim/experiment/parameter.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/input/document.hpp"
#include "sim/input/quantity.hpp"
#include "sim/input/suggest.hpp"
#include "sim/machine/reader.hpp"
#include "sim/workload/changes.hpp"

namespace hotline::experiment {

namespace {

constexpr std::string_view kMachine = "machine.";

struct Number {
  double number = 0;
  Parameter::Unit unit = Parameter::Unit::kNone;
};

/// What a scalar says, in ns, cycles, per cent, GHz or plain.
std::optional<Number> number_of(std::string_view text) {
  using Unit = Parameter::Unit;
  if (const auto time = input::parse_duration(text).value) {
    return Number{time->ns(), Unit::kNanoseconds};
  }
  if (const auto cycles = input::parse_cycles(text).value) {
    return Number{static_cast<double>(cycles->milli) / 1000, Unit::kCycles};
  }
  if (const auto share = input::parse_share(text).value) {
    return Number{share->of_one * 100, Unit::kPercent};
  }
  if (const auto frequency = input::parse_frequency(text).value) {
    return Number{static_cast<double>(frequency->hertz) / 1e9, Unit::kGigahertz};
  }
  if (const auto plain = input::parse_decimal(text).value) return Number{*plain, Unit::kNone};
  return std::nullopt;
}

bool is_whole(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// A parameter from the texts of its value and its ends; nothing if they are not of one kind.
std::optional<Parameter> make_parameter(std::string name, const std::string& value,
                                        const std::string& least, const std::string& most) {
  const auto at = number_of(value);
  const auto from = number_of(least);
  const auto to = number_of(most);
  if (!at || !from || !to || at->unit != from->unit || at->unit != to->unit) return std::nullopt;
  Parameter parameter;
  parameter.places = {{name}};
  parameter.name = std::move(name);
  parameter.unit = at->unit;
  parameter.is_whole = is_whole(value) && is_whole(least) && is_whole(most);
  parameter.value = at->number;
  parameter.least = from->number;
  parameter.most = to->number;
  return parameter;
}

/// An inferred figure with the range that it states: "3ns to 12ns", "within 30%".
std::optional<Parameter> parameter_of(const input::Figure& figure) {
  const std::string name = std::string(kMachine) + figure.place.path;
  const std::string& range = figure.origin.range;
  constexpr std::string_view kWithin = "within ";
  std::optional<Parameter> found;
  if (range.starts_with(kWithin)) {
    found = make_parameter(name, figure.text, figure.text, figure.text);
    const auto share = input::parse_share(std::string_view(range).substr(kWithin.size())).value;
    if (!found || !share) return std::nullopt;
    found->least *= std::max(0.0, 1 - share->of_one);
    found->most *= 1 + share->of_one;
  } else if (const std::size_t to = range.find(" to "); to != std::string::npos) {
    found = make_parameter(name, figure.text, range.substr(0, to), range.substr(to + 4));
  }
  if (found) found->position = figure.place.position;
  return found && found->least < found->most ? found : std::nullopt;
}

/// The parameter that `next` belongs to: it stands at the same place of the file, so is an alias;
/// or is the longest way of the hop whose shortest way is known.
Parameter* one_with(std::vector<Parameter>& known, const Parameter& next) {
  constexpr std::string_view kFarthest = ".farthest";
  std::string nearest = next.name;
  if (nearest.ends_with(kFarthest)) {
    nearest.replace(nearest.size() - kFarthest.size(), kFarthest.size(), ".nearest");
  }
  const auto at = std::find_if(known.begin(), known.end(), [&](const Parameter& one) {
    return (one.position == next.position && one.value == next.value) || one.name == nearest;
  });
  return at == known.end() ? nullptr : &*at;
}

std::vector<Parameter> machine_parameters(const workload::Workload& workload) {
  input::Diagnostics diagnostics;
  const input::Node* machine = workload.at("machine");
  const auto& folders = workload.models_and_machines().machines;
  const input::Node document = machine::filled_document(*machine, folders, diagnostics);
  const machine::MachineFile file = machine::read_machine(document, {}, folders, diagnostics);
  diagnostics.throw_if_errors();
  std::vector<Parameter> found;
  for (input::Figure figure : file.figures) {
    if (!figure.origin.inferred) continue;
    if (figure.place.path.starts_with(kMachine)) figure.place.path.erase(0, kMachine.size());
    const auto parameter = parameter_of(figure);
    if (!parameter) continue;
    Parameter* known = one_with(found, *parameter);
    if (known == nullptr) {
      found.push_back(*parameter);
    } else {
      known->places.push_back({parameter->name, parameter->value / known->value});
    }
  }
  return found;
}

[[noreturn]] void fail(std::string_view option, const std::string& message) {
  input::Diagnostics diagnostics;
  diagnostics.error({std::string(option), {}, {}}, message);
  throw input::InputError(std::move(diagnostics));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// What the workload states as a range for a name, or for the path that it is short for.
const workload::Range* range_of(const workload::Workload& workload, std::string_view name) {
  for (const workload::Range& range : workload.ranges()) {
    if (workload.at(range.path) == workload.at(name)) return &range;
  }
  return nullptr;
}

Parameter parse_one(std::string_view text, std::string_view option,
                    const workload::Workload& workload) {
  const std::size_t equals = text.find('=');
  const std::string name(trimmed(text.substr(0, equals)));
  const input::Node* node = workload.at(name);
  if (node == nullptr || !node->is_scalar()) {
    std::vector<std::string> known;
    if (const input::Node* variables = workload.at("variables")) {
      for (const input::Member& one : variables->members) known.push_back(one.key);
    }
    fail(option, "there is no figure \"" + name + "\"; " + input::suggestion(name, known));
  }
  std::string least;
  std::string most;
  if (equals != std::string_view::npos) {
    const std::string_view range = trimmed(text.substr(equals + 1));
    const std::size_t dots = range.find("..");
    if (dots == std::string_view::npos) {
      fail(option, "\"" + std::string(range) + "\" is no range; write it as 50ns..2us");
    }
    least = trimmed(range.substr(0, dots));
    most = trimmed(range.substr(dots + 2));
  } else if (const workload::Range* range = range_of(workload, name)) {
    least = range->least;
    most = range->most;
  } else {
    fail(option, "\"" + name + "\" has no range: write " + name +
                     "=LEAST..MOST, or state it under key \"ranges\" of the workload");
  }
  auto parameter = make_parameter(name, node->text, least, most);
  if (!parameter || parameter->least >= parameter->most) {
    fail(option,
         "\"" + least + ".." + most + "\" is no range for " + name + ", which is " + node->text);
  }
  parameter->position = node->position;
  return *parameter;
}

}  // namespace

std::string Parameter::text(double number) const {
  if (is_whole) return std::to_string(std::llround(number));
  const auto milli = static_cast<std::uint64_t>(std::llround(std::max(number, 0.0) * 1000));
  switch (unit) {
    case Unit::kNanoseconds:
      return input::to_text(engine::Duration::from_ps(milli));
    case Unit::kCycles:
      return input::to_text(input::CycleCount{milli});
    case Unit::kPercent:
      return input::to_text(input::Share{static_cast<double>(milli) / 1e5});
    case Unit::kGigahertz:
      return input::to_text(input::Frequency{milli * 1'000'000});
    case Unit::kNone:
      break;
  }
  return input::to_text(static_cast<double>(milli) / 1000);
}

std::vector<Parameter> inferred_parameters(const workload::Workload& workload, bool with_machine) {
  std::vector<Parameter> found;
  for (const workload::Range& range : workload.ranges()) {
    found.push_back(parse_one(range.path, workload.file(), workload));
  }
  if (!with_machine) return found;
  for (Parameter& one : machine_parameters(workload)) found.push_back(std::move(one));
  return found;
}

std::vector<Parameter> parse_parameters(std::string_view text, std::string_view option,
                                        const workload::Workload& workload) {
  std::vector<Parameter> found;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    found.push_back(parse_one(trimmed(text.substr(0, comma)), option, workload));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  if (found.empty()) fail(option, "names nothing");
  return found;
}

workload::Overrides overrides_for(const workload::Workload& workload,
                                  std::span<const Parameter> parameters,
                                  std::span<const double> values) {
  workload::Overrides overrides;
  std::optional<input::Node> machine;
  input::Diagnostics diagnostics;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    for (const auto& [path, factor] : parameters[i].places) {
      const input::Node value =
          input::make_scalar(parameters[i].text(values[i] * factor), "varied");
      if (!path.starts_with(kMachine)) {
        overrides.changes.push_back({path, value});
        continue;
      }
      if (!machine) {
        machine = machine::filled_document(*workload.at("machine"),
                                           workload.models_and_machines().machines, diagnostics);
      }
      workload::apply({path.substr(kMachine.size()), value}, *machine, diagnostics);
    }
  }
  diagnostics.throw_if_errors();
  if (machine) overrides.changes.insert(overrides.changes.begin(), {"machine", *machine});
  return overrides;
}

}  // namespace hotline::experiment
