#include "sim/experiment/parameter.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
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

/// A figure with the range that it states: "3ns to 12ns", "within 30%".
std::optional<Parameter> parameter_of(const input::Figure& figure, std::string_view prefix) {
  const std::string name = std::string(prefix) + figure.place.path;
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

/// Whether the longest way of a hop is scaled with its shortest, or is a parameter of its own.
enum class Hops : std::uint8_t { kTogether, kApart };

/// Adds `next`, unless it belongs to a known parameter: it stands at the same place of the file, so
/// is an alias; or it is the longest way of the hop whose shortest way is known.
void add_or_join(std::vector<Parameter>& known, const Parameter& next, Hops hops) {
  constexpr std::string_view kFarthest = ".farthest";
  std::string nearest = next.name;
  if (hops == Hops::kTogether && nearest.ends_with(kFarthest)) {
    nearest.replace(nearest.size() - kFarthest.size(), kFarthest.size(), ".nearest");
  }
  const auto at = std::find_if(known.begin(), known.end(), [&](const Parameter& one) {
    const bool is_alias = one.position == next.position && one.value == next.value;
    return is_alias || (one.name == nearest && nearest != next.name);
  });
  if (at == known.end()) {
    known.push_back(next);
  } else {
    at->places.push_back({next.name, next.value / at->value});
  }
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
    const auto parameter = parameter_of(figure, kMachine);
    if (parameter) add_or_join(found, *parameter, Hops::kTogether);
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

/// A part of --free: "hold=50ns..2us", or the name alone.
struct Named {
  std::string name;
  std::string least;  ///< empty if no range is given
  std::string most;
};

Named split_range(std::string_view text, std::string_view option) {
  const std::size_t equals = text.find('=');
  Named named{std::string(trimmed(text.substr(0, equals))), {}, {}};
  if (equals == std::string_view::npos) return named;
  const std::string_view range = trimmed(text.substr(equals + 1));
  const std::size_t dots = range.find("..");
  if (dots == std::string_view::npos) {
    fail(option, "\"" + std::string(range) + "\" is no range; write it as 50ns..2us");
  }
  named.least = trimmed(range.substr(0, dots));
  named.most = trimmed(range.substr(dots + 2));
  return named;
}

Parameter parameter_within(const Named& named, const std::string& value, std::string_view option) {
  auto parameter = make_parameter(named.name, value, named.least, named.most);
  if (!parameter || parameter->least >= parameter->most) {
    fail(option, "\"" + named.least + ".." + named.most + "\" is no range for " + named.name +
                     ", which is " + value);
  }
  return *parameter;
}

Parameter parse_one(std::string_view text, std::string_view option,
                    const workload::Workload& workload) {
  Named named = split_range(text, option);
  const input::Node* node = workload.at(named.name);
  if (node == nullptr || !node->is_scalar()) {
    std::vector<std::string> known;
    if (const input::Node* variables = workload.at("variables")) {
      for (const input::Member& one : variables->members) known.push_back(one.key);
    }
    fail(option,
         "there is no figure \"" + named.name + "\"; " + input::suggestion(named.name, known));
  }
  if (named.least.empty()) {
    const workload::Range* range = range_of(workload, named.name);
    if (range == nullptr) {
      fail(option, "\"" + named.name + "\" has no range: write " + named.name +
                       "=LEAST..MOST, or state it under key \"ranges\" of the workload");
    }
    named.least = range->least;
    named.most = range->most;
  }
  Parameter parameter = parameter_within(named, node->text, option);
  parameter.position = node->position;
  return parameter;
}

Parameter parse_figure(std::string_view text, std::string_view option, const input::Figures& all) {
  const Named named = split_range(text, option);
  const auto figure = std::find_if(all.begin(), all.end(), [&](const input::Figure& one) {
    return one.place.path == named.name;
  });
  if (figure == all.end()) {
    std::vector<std::string> known;
    for (const input::Figure& one : all) known.push_back(one.place.path);
    fail(option, "the machine has no figure \"" + named.name + "\"; " +
                     input::suggestion(named.name, known));
  }
  auto parameter = named.least.empty() ? parameter_of(*figure, {})
                                       : parameter_within(named, figure->text, option);
  if (!parameter) {
    fail(option, "\"" + named.name + "\" has no range in its file: write " + named.name +
                     "=LEAST..MOST around " + figure->text);
  }
  parameter->position = figure->place.position;
  for (const input::Figure& one : all) {  // its aliases
    const bool is_alias = one.place.position == figure->place.position &&
                          one.text == figure->text && one.place.path != named.name;
    if (is_alias) parameter->places.push_back({one.place.path, 1});
  }
  return *parameter;
}

std::vector<std::string_view> parts_of(std::string_view text, std::string_view option) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    parts.push_back(trimmed(text.substr(0, comma)));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  if (parts.empty()) fail(option, "names nothing");
  return parts;
}

/// A part of a transfer: not a core's own costs, nor what serves readers or memory.
bool is_leg(std::string_view path) {
  constexpr std::string_view kLegs[] = {"issue", "fill", "snoop", "look_up", "directory", "fabric"};
  if (path.starts_with("interconnect.")) return true;
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view leg = path.substr(dot + 1);
  return leg.starts_with("hop") || leg.starts_with("direct.") ||
         std::find(std::begin(kLegs), std::end(kLegs), leg) != std::end(kLegs);
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
  for (const std::string_view part : parts_of(text, option)) {
    found.push_back(parse_one(part, option, workload));
  }
  return found;
}

std::vector<Parameter> parse_figures(std::string_view text, std::string_view option,
                                     const input::Figures& figures) {
  std::vector<Parameter> found;
  for (const std::string_view part : parts_of(text, option)) {
    found.push_back(parse_figure(part, option, figures));
  }
  return found;
}

std::vector<Parameter> inferred_legs(const input::Figures& figures) {
  std::vector<Parameter> found;
  for (const input::Figure& figure : figures) {
    if (!figure.origin.inferred || !is_leg(figure.place.path)) continue;
    const auto parameter = parameter_of(figure, {});
    if (parameter) add_or_join(found, *parameter, Hops::kApart);
  }
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
