#include "sim/os/thread.hpp"

#include <utility>

namespace hotline::os {

Thread::Thread(engine::Simulator& simulator, machine::Port& port, ThreadId id, std::string name)
    : simulator_(simulator),
      port_(port),
      id_(id),
      name_(std::move(name)),
      random_(simulator.stream("thread", id.value)) {}

Operation Thread::spin_until(Word word, Condition condition, Pace pace) {
  access_ = {machine::Op::kSpin, word, 0, 0};
  condition_ = condition;
  poll_ = pace == Pace::kPause ? port_.pause_time() : Duration{};
  return {this};
}

Computation Thread::pause(std::uint64_t count) { return {this, port_.pause_time() * count}; }

void Thread::enter(FunctionId function) {
  calls_.push_back(function);
  if (by_function_.size() <= function.value) by_function_.resize(function.value + 1);
}

}  // namespace hotline::os
