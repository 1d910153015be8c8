#include "sim/workload/interpreter.hpp"

// The steps that take simulated time.
namespace hotline::workload {
namespace {

/// Beyond this a length is a slip of the pen, and the clock could run out.
constexpr std::uint64_t kLongestStretch = 3'600'000'000'000'000;  // an hour, in picoseconds

}  // namespace

os::Operation Interpreter::operation(const Instruction& step) {
  if (step.action == Action::kFence) return thread_.fence();
  const machine::Word word = word_at(step.reference);
  if (step.action == Action::kSpin) {
    wait_began_ = thread_.now();
    const auto wanted = static_cast<machine::Value>(value(step.first));
    const os::Pace pace = step.tight ? os::Pace::kTight : os::Pace::kPause;
    return step.flag ? thread_.spin_while(word, wanted, pace)
                     : thread_.spin_until(word, wanted, pace);
  }
  if (step.op == machine::Op::kLoad) return thread_.load(word);
  return locked(step, word);
}

os::Operation Interpreter::locked(const Instruction& step, machine::Word word) {
  const auto operand = static_cast<machine::Value>(value(step.first));
  switch (step.op) {
    case machine::Op::kStore:
      return thread_.store(word, operand);
    case machine::Op::kAdd:
      return thread_.add(word, operand);
    case machine::Op::kFetchAnd:
      return thread_.fetch_and(word, operand);
    case machine::Op::kFetchOr:
      return thread_.fetch_or(word, operand);
    case machine::Op::kExchange:
      return thread_.exchange(word, operand);
    case machine::Op::kCompareExchange:
      return thread_.compare_exchange(word, static_cast<machine::Value>(value(step.second)),
                                      operand);
    default:
      return thread_.fetch_add(word, operand);
  }
}

engine::Duration Interpreter::stretch(std::uint32_t expression) {
  const std::uint64_t ps = amount(expression, "a duration");
  if (ps > kLongestStretch) fail("the time is longer than an hour");
  return engine::Duration::from_ps(ps);
}

engine::Duration Interpreter::length(const Instruction& step) {
  const engine::Duration first = stretch(step.first);
  if (step.action == Action::kExponential) return random_.exponential(first);
  if (step.action != Action::kUniform) return first;
  const engine::Duration second = stretch(step.second);
  if (second < first) fail("the longest time of uniform is below the shortest");
  return random_.uniform(first, second);
}

engine::Task<> Interpreter::touch(const Instruction& step) {
  const Reference& reference = program_.references[step.reference];
  machine::Word word = word_at(step.reference);
  const std::uint64_t lines = amount(step.first, "a number of lines");
  check_lines(reference, lines);
  for (std::uint64_t line = 0; line < lines; ++line) {
    if (step.op == machine::Op::kStore) {
      // What it holds already: the write is there for its line, and a lock may lie beside it.
      co_await thread_.store(word, world_.machine.peek(word));
    } else {
      co_await thread_.load(word);
    }
    ++word.line.value;
  }
}

void Interpreter::check_lines(const Reference& reference, std::uint64_t lines) const {
  const ObjectSpec& object = world_.scenario.objects[reference.object];
  const machine::Bytes line = world_.memory.line_bytes();
  const machine::Bytes from =
      reference.field == kNone ? 0 : object.fields[reference.field].at / line;
  const machine::Bytes here = (object.size + line - 1) / line - from;
  if (lines > here) {
    fail(std::to_string(lines) + " lines are more than the " + std::to_string(here) + " that " +
         object.name + " has from there on");
  }
}

engine::Task<> Interpreter::scan(const Instruction& step) {
  const std::uint32_t object = program_.references[step.reference].object;
  const std::uint64_t length = amount(step.first, "a length");
  const std::uint64_t lines = amount(step.second, "a number of lines");
  const std::uint32_t entries = world_.memory.instances(object);
  check_lines(program_.references[step.reference], lines);
  for (std::uint64_t entry = 0; entry < length; ++entry) {
    machine::Word word =
        world_.memory.word(object, static_cast<std::uint32_t>(entry % entries), 0, 8);
    for (std::uint64_t line = 0; line < lines; ++line) {
      co_await thread_.load(word);
      ++word.line.value;
    }
  }
}

engine::Task<> Interpreter::add(const Instruction& step) {
  const std::int64_t what = value(step.first);
  model::Counter& counter = *part_of(step).counter;
  return step.action == Action::kAddLocal ? counter.add_local(thread_, what)
                                          : counter.add(thread_, what);
}

engine::Task<std::int64_t> Interpreter::read(const Instruction& step) {
  model::Counter& counter = *part_of(step).counter;
  return step.action == Action::kSum ? counter.sum(thread_) : counter.read(thread_);
}

engine::Task<bool> Interpreter::get(const Instruction& step) {
  co_await part_of(step).reference->get(thread_);
  co_return true;
}

engine::Task<bool> Interpreter::use(const Instruction& step) {
  if (step.action == Action::kGet) return get(step);
  model::Reference& reference = *part_of(step).reference;
  if (step.action == Action::kTryGet) return reference.try_get(thread_);
  if (step.action == Action::kQuery) return reference.query(thread_);
  if (reference.users() == 0) fail("gives back a use of a reference that has no users");
  return step.action == Action::kKill ? reference.kill(thread_) : reference.put(thread_);
}

engine::Task<> Interpreter::wait(const Instruction& step) {
  check_may_block("waits");
  wait_began_ = thread_.now();
  if (step.action == Action::kWaitUntil) return thread_.sleep(until(step));
  if (step.action == Action::kSleep) return thread_.sleep(stretch(step.first));
  return world_.events.wait(thread_, step.index, amount(step.first, "a number of signals"));
}

engine::Task<> Interpreter::signal(const Instruction& step) {
  return world_.events.signal(thread_, step.index, amount(step.first, "a number of signals"));
}

engine::Task<> Interpreter::block() {
  check_may_block("blocks");
  wait_began_ = thread_.now();
  co_await thread_.block();
}

engine::Task<> Interpreter::wake(const Instruction& step) {
  const std::uint64_t number = amount(step.first, "the number of a thread");
  if (number >= world_.threads.size()) {
    fail("there is no thread " + std::to_string(number) + "; the last one is " +
         std::to_string(world_.threads.size() - 1));
  }
  return thread_.wake(*world_.threads[number]);
}

engine::Duration Interpreter::until(const Instruction& step) {
  const auto when = engine::SimTime() + stretch(step.first);
  const engine::SimTime now = thread_.simulator().now();
  return when > now ? when - now : engine::Duration();
}

std::uint32_t Interpreter::instance_of(const Reference& reference) {
  const ObjectSpec& object = world_.scenario.objects[reference.object];
  if (reference.instance == kNone) {
    switch (object.instances) {
      case Instances::kPerThread:
        return owner_.value;
      case Instances::kPerCpu:
        return thread_.cpu().value;
      case Instances::kPerNode:
        return thread_.node().value;
      default:
        return 0;
    }
  }
  const std::int64_t index = value(reference.instance);
  if (index < 0 || index >= static_cast<std::int64_t>(object.count)) {
    fail(object.name + "[" + std::to_string(index) + "] does not exist; there are " +
         std::to_string(object.count));
  }
  return static_cast<std::uint32_t>(index);
}

machine::Word Interpreter::word_of(const Reference& reference) {
  const std::uint32_t instance = instance_of(reference);
  if (reference.field == kNone) return world_.memory.word(reference.object, instance, 0, 8);
  const FieldSpec& field = world_.scenario.objects[reference.object].fields[reference.field];
  machine::Bytes offset = field.at;
  if (reference.element != kNone) {
    const std::int64_t element = value(reference.element);
    if (element < 0 || element >= static_cast<std::int64_t>(field.count)) {
      fail(field.name + "[" + std::to_string(element) + "] does not exist; there are " +
           std::to_string(field.count));
    }
    offset += static_cast<machine::Bytes>(element) * field.stride;
  }
  return world_.memory.word(reference.object, instance, offset, field.size);
}

Interpreter::Fixed Interpreter::fix(const Reference& reference) {
  if (reference.instance != kNone || reference.element != kNone) return {};
  Fixed fixed;
  fixed.known = true;
  if (is_part(reference, world_.scenario)) {
    fixed.part = &world_.memory.part(reference.object, instance_of(reference), reference.field);
  } else {
    fixed.word = word_of(reference);
  }
  return fixed;
}

Part& Interpreter::part_of(const Instruction& step) {
  if (fixed_[step.reference].known) return *fixed_[step.reference].part;
  const Reference& reference = program_.references[step.reference];
  return world_.memory.part(reference.object, instance_of(reference), reference.field);
}

}  // namespace hotline::workload
