#include <algorithm>

#include "sim/input/types.hpp"
#include "sim/workload/step_reader.hpp"

// Steps that take simulated time.
namespace hotline::workload {

using input::MapReader;
using input::Value;

std::optional<std::uint32_t> StepReader::target(const Value& value, Want want) {
  const auto reference = read_reference(value, want, context_, builder_);
  if (!reference) return std::nullopt;
  return builder_.reference(*reference);
}

std::optional<std::uint32_t> StepReader::target(MapReader& map, std::string_view key, Want want,
                                                std::string_view description) {
  std::optional<std::uint32_t> found;
  map.require_value(key, description, [&](const Value& value) { found = target(value, want); });
  return found;
}

void StepReader::compute(const Value& value) {
  if (value.may_be_map()) distribution(value);
  if (!value.is_dry() && value.may_be_map()) return;
  auto time = value.as(time_span(scope()));
  if (!time) return;
  Instruction compute{.action = Action::kCompute};
  compute.first = builder_.expression(std::move(*time));
  emit(compute, value);
}

void StepReader::stall(const Value& value) {
  auto time = value.as(time_span(scope()));
  if (!time) return;
  Instruction stall{.action = Action::kStall};
  stall.first = builder_.expression(std::move(*time));
  emit(stall, value);
}

void StepReader::distribution(const Value& value) {
  value.map([&](MapReader& map) {
    const bool has_uniform = map.value("uniform",
                                       "the shortest and the longest time, all between "
                                       "equally likely",
                                       [&](const Value& bounds) { uniform(bounds); });
    auto mean = map.find("exponential", time_span(scope()), "the mean of an exponential time");
    if (!map.is_dry() && has_uniform == map.has("exponential")) {
      value.error("expected either uniform or exponential");
    }
    if (!mean) return;
    Instruction compute{.action = Action::kExponential};
    compute.first = builder_.expression(std::move(*mean));
    emit(compute, value);
  });
}

void StepReader::uniform(const Value& value) {
  std::vector<Expression> bounds;
  value.list(
      [&](const Value& bound) {
        if (auto time = bound.as(time_span(scope()))) bounds.push_back(std::move(*time));
      },
      {2, 2});
  if (bounds.size() != 2) return;
  Instruction compute{.action = Action::kUniform};
  compute.first = builder_.expression(std::move(bounds[0]));
  compute.second = builder_.expression(std::move(bounds[1]));
  emit(compute, value);
}

void StepReader::add(const Value& value) {
  if (value.may_be_map()) {
    value.map([&](MapReader& map) {
      const auto to = target(map, "to", Want::kCounterOrWord, "a counter or a plain field");
      auto amount = map.get("amount", number(scope()), Expression(1), "how much");
      const bool local = map.get("local", input::boolean(), false,
                                 "never touch the shared part; readers must use sum");
      if (!map.is_dry()) add_to(value, to, std::move(amount), local);
    });
  }
  if (value.is_dry() || !value.may_be_map()) {
    add_to(value, target(value, Want::kCounterOrWord), Expression(1), false);
  }
}

void StepReader::add_to(const Value& value, std::optional<std::uint32_t> to, Expression amount,
                        bool local) {
  if (!to) return;
  Instruction add{.reference = *to};
  const bool counter = is_part(builder_.reference_at(*to), context_.scenario);
  if (counter) {
    add.action = local ? Action::kAddLocal : Action::kAdd;
  } else {
    add.action = Action::kOperate;
    add.op = machine::Op::kAdd;
    if (local) value.error("a plain field has no local part; drop local, or give it a model");
  }
  add.first = builder_.expression(std::move(amount));
  emit(add, value);
}

void StepReader::read_counter(const Value& value, Action action) {
  Instruction read{.action = action};
  std::optional<std::uint32_t> from;
  if (value.may_be_map()) {
    value.map([&](MapReader& map) {
      from = target(map, "counter", Want::kCounter, "the counter");
      read.into = variable(map, "into");
    });
  }
  if (value.is_dry() || !value.may_be_map()) from = target(value, Want::kCounter);
  if (!from) return;
  read.reference = *from;
  emit(read, value);
}

void StepReader::get(const Value& value) {
  Instruction get{.action = Action::kGet};
  std::optional<std::uint32_t> of;
  if (value.may_be_map()) {
    value.map([&](MapReader& map) {
      of = target(map, "reference", Want::kReference, "the reference");
      if (map.get("unless_zero", input::boolean(), false, "get nothing if it has no users")) {
        get.action = Action::kTryGet;
      }
      get.into = variable(map, "into");
    });
  }
  if (value.is_dry() || !value.may_be_map()) of = target(value, Want::kReference);
  if (!of) return;
  get.reference = *of;
  emit(get, value);
}

void StepReader::use_reference(const Value& value, Action action) {
  Instruction use{.action = action};
  std::optional<std::uint32_t> of;
  if (value.may_be_map()) {
    value.map([&](MapReader& map) {
      of = target(map, "reference", Want::kReference, "the reference");
      use.into = variable(map, "into");
    });
  }
  if (value.is_dry() || !value.may_be_map()) of = target(value, Want::kReference);
  if (!of) return;
  use.reference = *of;
  emit(use, value);
}

void StepReader::touch(const Value& value) {
  Instruction touch{.action = Action::kTouch, .op = machine::Op::kLoad};
  std::optional<std::uint32_t> place;
  Expression lines(1);
  if (value.may_be_map()) {
    value.map([&](MapReader& map) {
      place = target(map, "object", Want::kPlace, "a struct, or a plain field of one");
      const bool write = map.get("access", input::choice<bool>({{"read", false}, {"write", true}}),
                                 false, "what is done to each line");
      if (write) touch.op = machine::Op::kStore;
      lines = map.get("lines", number(scope()), Expression(1), "how many, from there on");
    });
  }
  if (value.is_dry() || !value.may_be_map()) place = target(value, Want::kPlace);
  if (!place) return;
  check_touch(value, builder_.reference_at(*place), touch.op);
  touch.reference = *place;
  touch.first = builder_.expression(std::move(lines));
  emit(touch, value);
}

/// A write without a field goes to the first word of each line, which must be nobody's.
void StepReader::check_touch(const Value& value, const Reference& place, machine::Op op) const {
  if (op != machine::Op::kStore || place.field != kNone) return;
  for (const FieldSpec& field : context_.scenario.objects[place.object].fields) {
    if (!field.model) continue;
    value.error("would write where the " + field.model->name + " \"" + field.name +
                "\" may lie; name the plain field to begin at");
    return;
  }
}

void StepReader::scan(const Value& value) {
  value.map([&](MapReader& map) {
    const auto list = target(map, "list", Want::kList, "a struct with a count of instances");
    Instruction scan{.action = Action::kScan};
    scan.first =
        builder_.expression(map.require("length", number(scope()), "how many entries to walk"));
    scan.second = builder_.expression(
        map.get("lines", number(scope()), Expression(1), "how many lines of each entry to read"));
    if (!list) return;
    scan.reference = *list;
    emit(scan, value);
  });
}

void StepReader::load(const Value& value) {
  Instruction load{.action = Action::kOperate, .op = machine::Op::kLoad};
  std::optional<std::uint32_t> word;
  if (value.may_be_map()) {
    value.map([&](MapReader& map) {
      word = target(map, "word", Want::kWord, "a plain field");
      load.into = variable(map, "into");
    });
  }
  if (value.is_dry() || !value.may_be_map()) word = target(value, Want::kWord);
  if (!word) return;
  load.reference = *word;
  emit(load, value);
}

void StepReader::fetch_add(const Value& value) {
  if (value.may_be_map()) operate(value, machine::Op::kFetchAdd);
  if (!value.is_dry() && value.may_be_map()) return;
  const auto word = target(value, Want::kWord);
  if (!word) return;
  Instruction add{.action = Action::kOperate, .op = machine::Op::kFetchAdd, .reference = *word};
  add.first = builder_.constant(1);
  emit(add, value);
}

void StepReader::operate(const Value& value, machine::Op op) {
  value.map([&](MapReader& map) {
    const auto word = target(map, "word", Want::kWord, "a plain field");
    Instruction operation{.action = Action::kOperate, .op = op};
    operation.first =
        builder_.expression(map.get("value", number(scope()), Expression(1), "the operand"));
    operation.into = variable(map, "into");
    if (op == machine::Op::kStore && operation.into != kNone) {
      map.error_at("into", "a store gives nothing back; use exchange");
    }
    if (!word) return;
    operation.reference = *word;
    emit(operation, value);
  });
}

void StepReader::compare_exchange(const Value& value) {
  value.map([&](MapReader& map) {
    const auto word = target(map, "word", Want::kWord, "a plain field");
    Instruction exchange{.action = Action::kOperate, .op = machine::Op::kCompareExchange};
    exchange.second =
        builder_.expression(map.require("expected", number(scope()), "what it must hold"));
    exchange.first =
        builder_.expression(map.require("desired", number(scope()), "what it holds afterwards"));
    exchange.into = variable(map, "into");
    if (!word) return;
    exchange.reference = *word;
    emit(exchange, value);
  });
}

void StepReader::spin(const Value& value) {
  value.map([&](MapReader& map) {
    const auto word = target(map, "word", Want::kWord, "a plain field");
    auto until = map.find("until", number(scope()), "the value that ends the wait");
    auto change = map.find("while", number(scope()), "the value that keeps it waiting");
    if (!map.is_dry() && map.has("until") == map.has("while")) {
      value.error("expected either until or while");
    }
    Instruction spin{.action = Action::kSpin, .op = machine::Op::kSpin};
    spin.tight = !map.get("pause", input::boolean(), true, "pause between two looks");
    spin.into = variable(map, "into");
    if (!word || (!until && !change)) return;
    spin.reference = *word;
    spin.flag = change.has_value();
    spin.first = builder_.expression(std::move(change ? *change : *until));
    emit(spin, value);
  });
}

}  // namespace hotline::workload
