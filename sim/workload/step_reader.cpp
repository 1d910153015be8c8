#include "sim/workload/step_reader.hpp"

#include <algorithm>

#include "sim/input/suggest.hpp"
#include "sim/input/types.hpp"

// Steps that steer: calls, loops, choices, variables, events, work. None costs simulated time.
namespace hotline::workload {

using input::MapReader;
using input::Value;

std::uint32_t StepReader::emit(Instruction instruction, const Value& value) {
  return builder_.emit(instruction, value.place().position);
}

void StepReader::body(MapReader& map, std::string_view description) {
  map.require_value("do", description, [&](const Value& value) { steps(value); });
}

void StepReader::call(const Value& value) {
  if (value.may_be_map()) {
    value.map([&](MapReader& map) {
      const std::string name =
          map.require("function", input::text(), "its name, for profiles and lock tables");
      begin_function(name, value);
      body(map, "what the function does");
      end_function(value);
    });
  }
  if (value.is_dry() || !value.may_be_map()) call_named(value);
}

void StepReader::call_named(const Value& value) {
  const auto name = value.as(input::text());
  if (!name) return;
  const auto found = context_.functions.find(*name);
  if (found == context_.functions.end()) {
    std::vector<std::string> known;
    for (const auto& [function, steps] : context_.functions) known.push_back(function);
    value.error("there is no function \"" + *name + "\" under functions; " +
                input::suggestion(*name, known));
    return;
  }
  if (std::find(functions_.begin(), functions_.end(), *name) != functions_.end()) {
    value.error("\"" + *name + "\" calls itself");
    return;
  }
  context_.called.insert(*name);
  begin_function(*name, value);
  steps(Value(value.reading(), *found->second, "functions." + *name));
  end_function(value);
}

void StepReader::begin_function(std::string_view name, const Value& value) {
  Instruction enter{.action = Action::kEnter};
  enter.index = call_path(name);
  functions_.emplace_back(name);
  paths_.push_back(enter.index);
  emit(enter, value);
}

std::uint32_t StepReader::call_path(std::string_view name) {
  Names& names = context_.scenario.names;
  const std::uint32_t caller = paths_.empty() ? kNone : paths_.back();
  for (std::uint32_t id = 0; id < names.functions.size(); ++id) {
    if (names.functions[id] == name && names.callers[id] == caller) return id;
  }
  names.functions.emplace_back(name);
  names.callers.push_back(caller);
  return static_cast<std::uint32_t>(names.functions.size() - 1);
}

void StepReader::end_function(const Value& value) {
  functions_.pop_back();
  paths_.pop_back();
  emit({.action = Action::kLeave}, value);
}

void StepReader::loop(const Value& value) {
  value.map([&](MapReader& map) {
    const auto times = map.find("times", number(scope()), "how many rounds");
    const auto until =
        map.find("until", number(scope()), "a condition, looked at after each round");
    if (!map.is_dry() && map.has("times") == map.has("until")) {
      value.error("a loop has either times or until");
    }
    map.require_value("do", "the steps of a round", [&](const Value& steps_value) {
      if (times) {
        counted_loop(value, *times, steps_value);
        return;
      }
      const std::uint32_t start = builder_.here();
      steps(steps_value);
      Instruction end{.action = Action::kUntil, .target = start};
      end.first = builder_.expression(until.value_or(Expression(1)));
      emit(end, value);
    });
  });
}

void StepReader::counted_loop(const Value& value, Expression times, const Value& steps_value) {
  Instruction begin{.action = Action::kLoop};
  begin.first = builder_.expression(std::move(times));
  const std::uint32_t head = emit(begin, value);
  builder_.begin_loop();
  const std::uint32_t start = builder_.here();
  steps(steps_value);
  emit({.action = Action::kNext, .target = start}, value);
  builder_.end_loop();
  builder_.set_target(head, builder_.here());
}

void StepReader::repeat(const Value& value) {
  context_.loops_forever = true;
  const std::uint32_t start = builder_.here();
  steps(value);
  emit({.action = Action::kJump, .target = start}, value);
}

void StepReader::choose(const Value& value) {
  const std::uint32_t head = emit({.action = Action::kChoose}, value);
  std::vector<Choice> choices;
  std::vector<std::uint32_t> exits;
  value.list(
      [&](const Value& one) {
        one.map([&](MapReader& map) {
          const auto weight = map.require("weight", input::integer<std::uint32_t>(1, 1'000'000'000),
                                          "how likely, in proportion to the others");
          choices.push_back({std::max<std::uint32_t>(weight, 1), builder_.here()});
          body(map, "what is done then");
          exits.push_back(emit({.action = Action::kJump}, one));
        });
      },
      {1, 1000});
  if (choices.empty()) choices.push_back({1, builder_.here()});
  builder_.set_target(head, builder_.choices(std::move(choices)));
  for (const std::uint32_t exit : exits) builder_.set_target(exit, builder_.here());
}

void StepReader::every(const Value& value) {
  value.map([&](MapReader& map) {
    Instruction head{.action = Action::kEvery, .index = builder_.new_every()};
    head.first =
        builder_.expression(map.require("n", number(scope()), "on every which pass of this step"));
    head.second = builder_.expression(map.get("phase", number(scope()), Expression(0),
                                              "how many passes earlier the first time comes"));
    const std::uint32_t at = emit(head, value);
    body(map, "what is done then");
    builder_.set_target(at, builder_.here());
  });
}

void StepReader::branch(const Value& value) {
  value.map([&](MapReader& map) {
    Instruction test{.action = Action::kBranch};
    test.first = builder_.expression(
        map.require("condition", number(scope()), "a formula; everything but 0 holds"));
    const std::uint32_t head = emit(test, value);
    map.require_value("then", "what is done if it holds", [&](const Value& then) { steps(then); });
    const std::uint32_t exit = emit({.action = Action::kJump}, value);
    builder_.set_target(head, builder_.here());
    map.value("else", "what is done if not", [&](const Value& other) { steps(other); });
    builder_.set_target(exit, builder_.here());
  });
}

void StepReader::set(const Value& value) {
  value.entries(
      [&](std::string_view name, const Value& formula) {
        Instruction assignment{.action = Action::kSet};
        assignment.into = variable_named(formula, name);
        auto expression = formula.as(any_value(scope()));
        if (!expression || assignment.into == kNone) return;
        const Unit wanted = scope().variables()[assignment.into].unit;
        if (expression->unit() != wanted) {
          formula.error(wanted == Unit::kDuration ? "the variable is a duration, this is a number"
                                                  : "the variable is a number, this is a duration");
          return;
        }
        assignment.first = builder_.expression(std::move(*expression));
        emit(assignment, formula);
      },
      {1, 1000});
}

std::uint32_t StepReader::variable_named(const Value& value, std::string_view name) {
  if (value.is_dry()) return kNone;
  const std::int64_t slot = scope().find(name);
  if (slot >= kBuiltIns) return static_cast<std::uint32_t>(slot);
  std::vector<std::string> known;
  for (const Scope::Variable& one : scope().variables()) {
    if (!one.built_in) known.push_back(one.name);
  }
  const std::string quoted = "\"" + std::string(name) + "\"";
  value.error(slot >= 0 ? quoted + " is built in and cannot be set"
                        : quoted + " is not among variables; " + input::suggestion(name, known));
  return kNone;
}

std::uint32_t StepReader::variable(MapReader& map, std::string_view key) {
  std::uint32_t slot = kNone;
  map.value(key, "the variable that gets what was there", [&](const Value& value) {
    const auto name = value.as(input::text());
    if (name) slot = variable_named(value, *name);
    if (slot != kNone && scope().variables()[slot].unit == Unit::kDuration) {
      value.error("\"" + *name + "\" is a duration; expected a number");
    }
  });
  return slot;
}

std::uint32_t StepReader::event(const Value& value, std::string_view name, bool waits) {
  auto& uses = waits ? context_.waited_for : context_.signalled;
  uses.emplace(name, value.place());
  return intern(context_.scenario.names.events, name);
}

void StepReader::wait_for(const Value& value) {
  Instruction wait{.action = Action::kWaitFor};
  Expression count(1);
  if (value.may_be_map()) {
    value.map([&](MapReader& map) {
      const auto name = map.require("event", input::text(), "what to wait for");
      wait.index = event(value, name, true);
      count = map.get("count", number(scope()), Expression(1), "how many signals to take");
    });
  }
  if (value.is_dry() || !value.may_be_map()) {
    if (const auto name = value.as(input::text())) wait.index = event(value, *name, true);
  }
  wait.first = builder_.expression(std::move(count));
  if (wait.index != kNone) emit(wait, value);
}

void StepReader::signal(const Value& value) {
  Instruction signal{.action = Action::kSignal};
  Expression times(1);
  if (value.may_be_map()) {
    value.map([&](MapReader& map) {
      const auto name = map.require("event", input::text(), "what to signal");
      signal.index = event(value, name, false);
      times = map.get("times", number(scope()), Expression(1), "how many signals to give");
    });
  }
  if (value.is_dry() || !value.may_be_map()) {
    if (const auto name = value.as(input::text())) signal.index = event(value, *name, false);
  }
  signal.first = builder_.expression(std::move(times));
  if (signal.index != kNone) emit(signal, value);
}

void StepReader::count(const Value& value) {
  Instruction count{.action = Action::kCount};
  Expression amount(1);
  std::string work;
  if (value.may_be_map()) {
    value.map([&](MapReader& map) {
      work = map.require("work", input::text(), "the kind of work, for reports");
      amount = map.get("amount", number(scope()), Expression(1), "how many units");
    });
  }
  if (value.is_dry() || !value.may_be_map()) {
    if (const auto name = value.as(input::text())) work = *name;
  }
  if (work.empty()) return;
  count.index = intern(context_.scenario.names.works, work);
  count.first = builder_.expression(std::move(amount));
  emit(count, value);
}

}  // namespace hotline::workload
