#include "sim/workload/document_reader.hpp"

#include <algorithm>
#include <array>

#include "sim/input/suggest.hpp"
#include "sim/input/types.hpp"
#include "sim/workload/group_reader.hpp"
#include "sim/workload/kernel_rcu.hpp"
#include "sim/workload/object_reader.hpp"
#include "sim/workload/os_reader.hpp"
#include "sim/workload/step_context.hpp"
#include "sim/workload/step_reader.hpp"

namespace hotline::workload {

using input::MapReader;
using input::Value;

namespace {

struct BuiltInRow {
  std::string_view name;
  bool of_one_thread;  ///< means nothing where threads are still to be counted
};
constexpr std::array<BuiltInRow, kBuiltIns> kNames{{{"thread", true},
                                                    {"threads", false},
                                                    {"member", true},
                                                    {"cpu", true},
                                                    {"node", true},
                                                    {"cpus", false},
                                                    {"nodes", false},
                                                    {"index", true}}};

/// Says in the schema that a machine file may stand here.
struct WholeMachine {
  using type = bool;
  static std::optional<bool> read(const Value&) { return std::nullopt; }
  static input::Declaration declare() {
    input::Declaration form;
    form.kind = input::Declaration::Kind::kReference;
    form.reference = "machine";
    return form;
  }
  static std::string print(bool) { return {}; }
  static bool is_figure() { return false; }
};

/// The same for one that says only what differs from the machine that it extends.
struct ExtendedMachine : WholeMachine {
  static input::Declaration declare() {
    input::Declaration form = WholeMachine::declare();
    form.reference = "extended_machine";
    return form;
  }
};

/// A map without anything that must be there.
void demand_nothing(input::Declaration& map) {
  for (input::Property& property : map.properties) {
    property.required = false;
    demand_nothing(property.value);
  }
  for (input::Declaration& one : map.entries) demand_nothing(one);
  for (input::Declaration& one : map.alternatives) demand_nothing(one);
}

input::Declaration extending(input::Declaration machine) {
  demand_nothing(machine);
  for (input::Property& property : machine.properties) {
    property.required = property.key == "extends";
  }
  return machine;
}

/// Checks that every event that somebody waits for is signalled by somebody.
void check_events(const StepContext& context, input::Diagnostics& diagnostics) {
  std::vector<std::string> signalled;
  for (const auto& [name, place] : context.signalled) signalled.push_back(name);
  for (const auto& [name, place] : context.waited_for) {
    if (context.signalled.contains(name)) continue;
    std::string message = "nobody signals \"" + name + "\"";
    const std::string near = input::nearest(name, signalled);
    if (!near.empty()) message += "; did you mean \"" + near + "\"?";
    diagnostics.error(place, message);
  }
  for (const auto& [name, place] : context.signalled) {
    if (!context.waited_for.contains(name)) {
      diagnostics.warning(place, "nobody waits for \"" + name + "\"");
    }
  }
}

}  // namespace

void DocumentReader::read(MapReader& map) {
  document_.name = map.get("name", input::text(), "", "of the workload; without it, the file's");
  document_.description = map.get("description", input::text(), "", "what it is, for people");
  read_machine(map);
  read_measure(map);
  map.map("os", "the operating system: ticks, time slices, costs; without it an ideal one",
          [&](MapReader& inside) { document_.scenario.os = read_os(inside); });
  add_built_ins();
  read_variables(map, "variables", "numbers and durations by name, each thread with its own");
  read_variables(map, "shared", "variables that all threads share; using them costs no time");
  const std::vector<std::int64_t> known = values();
  ObjectContext counts{counts_, known, topology_ ? &*topology_ : nullptr, 1, *library_.models};
  GroupReader groups(document_.scenario, counts);
  map.require_value("threads", "groups of threads by name",
                    [&](const Value& value) { groups.read(value); });
  check_threads(map);

  counts.threads = document_.scenario.threads;
  map.value("objects", "locks, counters and structs by name", [&](const Value& objects) {
    objects.entries([&](std::string_view name, const Value& object) {
      check_name(name, object, "an object");
      document_.scenario.objects.push_back(read_object(name, object, counts));
    });
  });
  read_programs(map, groups);
  if (library_.models) provide_kernel_rcu(document_.scenario, *library_.models);
  read_variants(map);
  read_points(map);
  read_published(map);
  read_lesson(map);
  read_ranges(map);
}

void DocumentReader::read_machine(MapReader& map) {
  map.require_value(
      "machine", "its name, or a machine by name with parameters, or a whole one",
      [&](const Value& value) {
        if (value.is_dry()) {
          declare_machine(value);
          return;
        }
        input::Diagnostics& diagnostics = value.reading().diagnostics;
        const std::size_t before = diagnostics.errors();
        machine::Description& machine = document_.scenario.machine;
        machine =
            machine::read_machine(*value.node(), {}, library_.machines, diagnostics).description;
        if (diagnostics.errors() > before) return;
        try {
          topology_.emplace(machine);
        } catch (const input::InputError& error) {
          for (const input::Diagnostic& one : error.diagnostics().sorted()) {
            diagnostics.error(one.place, one.message);
          }
        }
      });
}

void DocumentReader::declare_machine(const Value& value) {
  value.as(input::text());
  value.map([](MapReader& use) {
    use.require("use", input::text(), "the machine's name");
    use.value("with", "values of its parameters",
              [](const Value& with) { with.entries([](std::string_view, const Value&) {}); });
  });
  input::Schema machines = machine::machine_schema();
  auto& definitions = value.reading().schema->definitions;
  definitions.merge(machines.definitions);
  definitions.emplace("extended_machine", extending(machines.document));
  definitions.emplace("machine", std::move(machines.document));
  value.as(WholeMachine{});
  value.as(ExtendedMachine{});
}

void DocumentReader::read_measure(MapReader& map) {
  MeasureSpec& measure = document_.scenario.measure;
  map.map("measure", "how much to simulate", [&](MapReader& inside) {
    asked_threads_ = inside.find("threads", input::integer<std::uint32_t>(1, 1'000'000),
                                 "what `threads` is in counts; without it, all CPUs");
    const Duration shortest = Duration::from_ps(1);
    const Duration longest = Duration::from_ps(std::uint64_t{3600} * 1'000'000'000'000);
    measure.duration = inside.find("duration", input::duration(shortest, longest),
                                   "simulated time to measure; without it, until all programs end");
    inside.value("warm_up", "simulated time before that, of which nothing is counted; or auto",
                 [&](const Value& value) { read_warm_up(value, longest); });
    if (measure.finds_warm_up && !measure.duration) {
      inside.error_at("warm_up", "auto makes no sense without key \"duration\"");
    }
    measure.hang_after =
        inside.get("hang_after", input::duration(shortest, longest), measure.hang_after,
                   "simulated time without any work counted after which the run has hung");
    measure.replications = inside.get("replications", input::integer<std::uint32_t>(1, 10'000), 5U,
                                      "independent runs, for the interval");
    measure.seed = inside.get("seed", input::integer<std::uint64_t>(0, INT64_MAX), std::uint64_t{1},
                              "of all chance");
  });
}

void DocumentReader::read_warm_up(const Value& value, Duration longest) {
  MeasureSpec& measure = document_.scenario.measure;
  measure.finds_warm_up = !value.is_dry() && value.node()->text == "auto";
  if (value.is_dry()) value.as(input::choice<bool>({{"auto", true}}));
  if (measure.finds_warm_up) return;
  measure.warm_up = value.as(input::duration({}, longest)).value_or(Duration());
}

void DocumentReader::add_built_ins() {
  for (const BuiltInRow& row : kNames) {
    document_.scenario.names.scope.add(std::string(row.name), Unit::kNumber, true);
    counts_.add(row.of_one_thread ? "" : std::string(row.name), Unit::kNumber, true);
  }
}

std::vector<std::int64_t> DocumentReader::values() const {
  std::vector<std::int64_t> slots(kBuiltIns);
  const std::uint32_t cpus = topology_ ? topology_->cpus() : 1;
  slots[static_cast<std::size_t>(BuiltIn::kThreads)] = asked_threads_.value_or(cpus);
  slots[static_cast<std::size_t>(BuiltIn::kCpus)] = cpus;
  slots[static_cast<std::size_t>(BuiltIn::kNodes)] = topology_ ? topology_->nodes() : 1;
  const std::vector<std::int64_t>& own = document_.scenario.variables;
  slots.insert(slots.end(), own.begin(), own.end());
  return slots;
}

void DocumentReader::read_variables(MapReader& map, std::string_view key,
                                    std::string_view description) {
  engine::Random random(0, "variables");
  map.value(key, description, [&](const Value& variables) {
    variables.entries([&](std::string_view name, const Value& value) {
      check_variable(name, value);
      std::int64_t initial = 0;
      const auto formula = value.as(any_value(counts_));
      try {
        if (formula) initial = formula->evaluate(values(), random);
      } catch (const ExpressionError& error) {
        value.error(error.what());
      }
      if (value.is_dry()) return;
      const Unit unit = formula ? formula->unit() : Unit::kNumber;
      document_.scenario.names.scope.add(std::string(name), unit, false, key == "shared");
      counts_.add(std::string(name), unit);
      document_.scenario.variables.push_back(initial);
    });
  });
}

void DocumentReader::check_variable(std::string_view name, const Value& value) const {
  if (value.is_dry() || !check_name(name, value, "a variable")) return;
  constexpr std::array<std::string_view, 6> kWords{"and", "or", "not", "min", "max", "random"};
  const bool word = std::find(kWords.begin(), kWords.end(), name) != kWords.end();
  if (word || document_.scenario.names.scope.find(name) >= 0) {
    value.error("the name \"" + std::string(name) + "\" is built in; choose another");
  } else if (name.find('-') != std::string_view::npos) {
    value.error("\"" + std::string(name) + "\" would be a subtraction in a formula; use _ for -");
  }
}

void DocumentReader::check_threads(const MapReader& map) {
  if (map.is_dry() || !map.has("threads") || map.whole().reading().diagnostics.has_errors()) return;
  const std::uint32_t total = document_.scenario.threads;
  if (total == 0) map.error_at("threads", "there are no threads");
  if (asked_threads_ && total != 0 && *asked_threads_ != total) {
    map.error_at("threads", "the groups add up to " + std::to_string(total) +
                                " threads, but measure.threads is " +
                                std::to_string(*asked_threads_) +
                                "; compute the counts from `threads`");
  }
}

void DocumentReader::read_programs(MapReader& map, GroupReader& groups) {
  StepContext context{document_.scenario, {}, {}, {}, {}, false, library_.models.get()};
  map.value("functions", "lists of steps by name, for `call`", [&](const Value& functions) {
    functions.entries([&](std::string_view name, const Value& function) {
      check_name(name, function, "a function");
      if (!function.is_dry()) {
        context.functions.emplace(name, function.node());
        return;
      }
      ProgramBuilder builder;
      StepReader(context, builder, "").steps(function);
    });
  });
  if (map.is_dry()) return;
  input::Reading& reading = map.whole().reading();
  groups.compile(reading, context, folder_);
  const std::size_t sites = document_.scenario.names.call_sites.size();
  for (const auto& [name, node] : context.functions) {
    if (context.called.contains(name)) continue;
    ProgramBuilder unused;
    StepReader(context, unused, name).steps(Value(reading, *node, "functions." + name));
  }
  document_.scenario.names.call_sites.resize(sites);
  check_events(context, reading.diagnostics);
  if (context.loops_forever && !document_.scenario.measure.duration) {
    map.whole().error("a program repeats for ever, so key \"measure.duration\" is needed");
  }
}

}  // namespace hotline::workload
