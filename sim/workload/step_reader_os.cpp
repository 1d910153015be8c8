#include "sim/workload/step_reader.hpp"

// The steps that ask something of the operating system.
namespace hotline::workload {

using input::Value;

void StepReader::bare(const Value& value, Action action) {
  value.map([&](input::MapReader&) { emit({.action = action}, value); });
}

void StepReader::sleep(const Value& value) {
  Instruction sleep{.action = Action::kSleep};
  auto length = value.as(time_span(scope()));
  if (!length) return;
  sleep.first = builder_.expression(std::move(*length));
  emit(sleep, value);
}

void StepReader::wake(const Value& value) {
  Instruction wake{.action = Action::kWake};
  auto thread = value.as(number(scope()));
  if (!thread) return;
  wake.first = builder_.expression(std::move(*thread));
  emit(wake, value);
}

void StepReader::system_call(const Value& value) {
  emit({.action = Action::kKernel, .flag = true}, value);
  steps(value);
  emit({.action = Action::kKernel}, value);
}

}  // namespace hotline::workload
