#include "sim/workload/interpreter.hpp"

#include <algorithm>

#include "sim/input/diagnostics.hpp"
#include "sim/os/scheduler.hpp"

namespace hotline::workload {
namespace {

/// So many jumps back without any time passing are a program that will never pass time.
constexpr std::uint32_t kMostIdleJumps = 1'000'000;

}  // namespace

Interpreter::Interpreter(World& world, Self self)
    : world_(world),
      thread_(self.thread),
      program_(self.program),
      random_(self.thread.simulator().stream("program", self.thread.id().value)),
      passes_(self.program.every),
      owner_(self.thread.id()),
      work_(world.scenario.names.works.size()) {
  slots_.resize(kBuiltIns);
  const machine::Topology& topology = world.machine.topology();
  set(static_cast<std::uint32_t>(BuiltIn::kThread), thread_.id().value);
  set(static_cast<std::uint32_t>(BuiltIn::kThreads), world.scenario.threads);
  set(static_cast<std::uint32_t>(BuiltIn::kMember), self.member);
  set(static_cast<std::uint32_t>(BuiltIn::kCpu), thread_.cpu().value);
  set(static_cast<std::uint32_t>(BuiltIn::kNode), thread_.node().value);
  set(static_cast<std::uint32_t>(BuiltIn::kCpus), topology.cpus());
  set(static_cast<std::uint32_t>(BuiltIn::kNodes), topology.nodes());
  slots_.insert(slots_.end(), world.scenario.variables.begin(), world.scenario.variables.end());
  loops_.reserve(self.program.loops);
  for (const Reference& reference : program_.references) fixed_.push_back(fix(reference));
}

// One case a kind of step; a function between would cost a coroutine frame a step.
// NOLINTNEXTLINE(readability-function-size)
engine::Task<> Interpreter::run() {
  if (caller_ == nullptr) co_await thread_.started();
  if (caller_ == nullptr && world_.observer != nullptr) {
    world_.observer->thread_began(thread_.id(), thread_.simulator().now());
  }
  while (true) {
    const Instruction& step = advance();
    switch (step.action) {
      case Action::kOperate:
      case Action::kSpin:
      case Action::kFence: {
        const machine::Value seen = co_await operation(step);
        if (step.into != kNone) set(step.into, static_cast<std::int64_t>(seen));
        break;
      }
      case Action::kCompute:
      case Action::kUniform:
      case Action::kExponential:
        co_await thread_.compute(length(step));
        break;
      case Action::kStall:
        co_await thread_.stall(length(step));
        break;
      case Action::kAcquire:
        co_await begin_acquire(step).lock->acquire(thread_);
        end_acquire(step);
        break;
      case Action::kRelease:
        co_await begin_release(step).release(thread_);
        end_release();
        co_await thread_.checkpoint();
        break;
      case Action::kAcquireRead:
        co_await acquire_read(step);
        break;
      case Action::kReleaseRead:
        co_await release_read(step);
        break;
      case Action::kCondWait:
        co_await cond_wait(step);
        break;
      case Action::kCondSignal:
        co_await cond_signal(step);
        break;
      case Action::kAdd:
      case Action::kAddLocal:
        co_await add(step);
        break;
      case Action::kRead:
      case Action::kSum: {
        const std::int64_t seen = co_await read(step);
        if (step.into != kNone) set(step.into, seen);
        break;
      }
      case Action::kGet:
      case Action::kTryGet:
      case Action::kPut:
      case Action::kKill:
      case Action::kQuery: {
        const bool yes = co_await use(step);
        if (step.into != kNone) set(step.into, yes ? 1 : 0);
        break;
      }
      case Action::kTouch:
        co_await touch(step);
        break;
      case Action::kScan:
        co_await scan(step);
        break;
      case Action::kRcuLock:
        co_await begin_section(step);
        break;
      case Action::kRcuUnlock:
        co_await end_section();
        break;
      case Action::kSynchronize:
        co_await synchronize(step);
        break;
      case Action::kCallRcu:
        co_await defer(step);
        break;
      case Action::kWaitFor:
      case Action::kWaitUntil:
      case Action::kSleep:
        co_await wait(step);
        break;
      case Action::kSignal:
        co_await signal(step);
        break;
      case Action::kBlock:
        co_await block();
        break;
      case Action::kWake:
        co_await wake(step);
        break;
      case Action::kYield:
        co_await thread_.yield();
        break;
      case Action::kCondResched:
        co_await thread_.cond_resched();
        break;
      case Action::kKernel:
        co_await thread_.cross(step.flag);
        break;
      default:
        end();
        co_return;
    }
  }
}

const Instruction& Interpreter::advance() {
  while (true) {
    const Instruction& step = program_.code[at_++];
    if (!control(step)) return step;
  }
}

bool Interpreter::control(const Instruction& step) {
  switch (step.action) {
    case Action::kJump:
      jump_back(step.target);
      return true;
    case Action::kBranch:
      if (value(step.first) == 0) at_ = step.target;
      return true;
    case Action::kLoop:
      begin_loop(step);
      return true;
    case Action::kNext:
      next_round(step);
      return true;
    case Action::kUntil:
      if (value(step.first) == 0) jump_back(step.target);
      return true;
    case Action::kChoose:
      choose(step);
      return true;
    case Action::kEvery:
      every(step);
      return true;
    case Action::kSet:
      set(step.into, value(step.first));
      return true;
    case Action::kCount:
      count(step);
      return true;
    case Action::kEnter:
      enter(step);
      return true;
    case Action::kLeave:
      leave();
      return true;
    case Action::kPrepareToBlock:
      thread_.prepare_to_block();
      return true;
    default:
      return false;
  }
}

void Interpreter::begin_loop(const Instruction& step) {
  const std::uint64_t rounds = amount(step.first, "a number of rounds");
  if (rounds == 0) {
    at_ = step.target;
    return;
  }
  std::int64_t& index = slots_[static_cast<std::size_t>(BuiltIn::kIndex)];
  loops_.push_back({rounds, index});
  index = 0;
}

void Interpreter::next_round(const Instruction& step) {
  Loop& loop = loops_.back();
  std::int64_t& index = slots_[static_cast<std::size_t>(BuiltIn::kIndex)];
  if (--loop.rounds_left > 0) {
    ++index;
    jump_back(step.target);
    return;
  }
  index = loop.outer_index;
  loops_.pop_back();
}

void Interpreter::jump_back(std::uint32_t target) {
  const bool back = target < at_;
  at_ = target;
  if (!back) return;
  const SimTime now = thread_.simulator().now();
  if (now != last_jump_) {
    last_jump_ = now;
    idle_jumps_ = 0;
  } else if (++idle_jumps_ > kMostIdleJumps) {
    fail("the loop goes round a million times without any simulated time passing");
  }
}

void Interpreter::choose(const Instruction& step) {
  const std::vector<Choice>& choices = program_.choices[step.target];
  std::uint64_t total = 0;
  for (const Choice& choice : choices) total += choice.weight;
  std::uint64_t ticket = random_.below(total);
  for (const Choice& choice : choices) {
    if (ticket < choice.weight) {
      at_ = choice.target;
      return;
    }
    ticket -= choice.weight;
  }
}

void Interpreter::every(const Instruction& step) {
  const std::uint64_t period = amount(step.first, "a period");
  if (period == 0) fail("the period n of every must be at least 1");
  const std::uint64_t pass = ++passes_[step.index] + amount(step.second, "a phase");
  if (pass % period != 0) at_ = step.target;
}

void Interpreter::set(std::uint32_t variable, std::int64_t value) {
  if (!world_.scenario.names.scope.variables()[variable].shared) {
    slots_[variable] = value;
    return;
  }
  world_.shared[variable] = value;
  if (world_.observer != nullptr) {
    world_.observer->shared_set(variable, value, thread_.simulator().now());
  }
}

void Interpreter::count(const Instruction& step) {
  const std::uint64_t done = amount(step.first, "an amount of work");
  (caller_ == nullptr ? work_ : caller_->work_)[step.index] += done;
  if (world_.observer != nullptr) {
    world_.observer->counted(owner_, {step.index}, done, thread_.simulator().now());
  }
}

void Interpreter::enter(const Instruction& step) {
  thread_.enter({step.index});
  if (caller_ == nullptr && world_.observer != nullptr) {
    world_.observer->entered(thread_.id(), {step.index}, thread_.simulator().now());
  }
}

void Interpreter::leave() {
  thread_.leave();
  if (caller_ == nullptr && world_.observer != nullptr) {
    world_.observer->left(thread_.id(), thread_.simulator().now());
  }
}

void Interpreter::end() {
  if (!held_.empty()) {
    fail("the program ends while it holds " + name_of(*held_.back().part));
  }
  if (caller_ != nullptr) return;
  ended_ = true;
  ended_at_ = thread_.simulator().now();
  thread_.scheduler()->end(thread_);
  if (world_.observer != nullptr) world_.observer->thread_ended(thread_.id(), ended_at_);
  if (++world_.ended == world_.threads.size()) world_.all_ended();
}

std::uint64_t Interpreter::amount(std::uint32_t expression, std::string_view what) {
  const std::int64_t found = value(expression);
  if (found < 0)
    fail(std::to_string(found) + " is no " + std::string(what.substr(what.find(' ') + 1)));
  return static_cast<std::uint64_t>(found);
}

void Interpreter::fail(const std::string& message) const {
  input::Diagnostics diagnostics;
  const std::size_t under_way = at_ == 0 ? 0 : at_ - 1;
  diagnostics.error({world_.scenario.file, program_.positions[under_way], thread_.name()},
                    message + " (thread " + std::to_string(thread_.id().value) + ", at " +
                        std::to_string(thread_.simulator().now().ps()) + " ps)");
  throw input::InputError(std::move(diagnostics));
}

}  // namespace hotline::workload
