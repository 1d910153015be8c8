#include "sim/workload/interpreter.hpp"

// Where a thread stands that makes no progress.
namespace hotline::workload {

namespace {

std::string spelled(const Scenario& scenario, const Reference& reference) {
  const ObjectSpec& object = scenario.objects[reference.object];
  if (reference.field == kNone) return object.name;
  return object.name + "." + object.fields[reference.field].name;
}

}  // namespace

Standstill Interpreter::standstill() const {
  const std::size_t under_way = at_ == 0 ? 0 : at_ - 1;
  const input::Position position = program_.positions[under_way];
  const Instruction& step = program_.code[under_way];
  Standstill stand;
  stand.thread = &thread_;
  stand.where = std::to_string(position.line) + ":" + std::to_string(position.column);
  stand.since = wait_began_;
  for (const Held& held : held_) stand.holds.push_back(name_of(*held.part));
  if (on_condition_) {
    stand.event = "a signal of " + spelled(world_.scenario, program_.references[step.reference]);
    return stand;
  }
  switch (step.action) {
    case Action::kAcquire:
    case Action::kAcquireRead:
    case Action::kCondWait:
      stand.lock = name_of(*part_);
      stand.lock_is_free = !part_->holder && part_->readers == 0;
      stand.holder = part_->holder;
      stand.readers = part_->readers;
      break;
    case Action::kWaitFor:
      stand.event = "signals of \"" + world_.scenario.names.events[step.index] + "\"";
      break;
    case Action::kSynchronize:
      stand.event = "a grace period";
      break;
    case Action::kSpin:
      stand.event = "a word to change";
      break;
    case Action::kBlock:
      stand.event = "a wake";
      break;
    default:
      break;
  }
  return stand;
}

}  // namespace hotline::workload
