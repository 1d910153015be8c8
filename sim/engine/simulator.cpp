#include "sim/engine/simulator.hpp"

#include <utility>

namespace hotline::engine {

/// A spawned task, and the event that its end fires.
struct Simulator::Root : Event {
  Root(Simulator& owner, Task<> body, std::size_t place)
      : Event{&Simulator::root_ended}, simulator(owner), task(std::move(body)), index(place) {}

  Simulator& simulator;
  Task<> task;
  std::size_t index;
};

Simulator::Simulator(std::uint64_t seed, TieOrder ties) : queue_(ties), seed_(seed), ties_(ties) {}

Simulator::~Simulator() = default;

void Simulator::spawn(Task<> root) {
  roots_.push_back(std::make_unique<Root>(*this, std::move(root), roots_.size()));
  const auto coroutine = roots_.back()->task.coroutine();
  coroutine.promise().resume_at_end(as_continuation(*roots_.back()));
  resume_after(Duration(), coroutine);
}

void Simulator::root_ended(Event* event) {
  auto& root = *static_cast<Root*>(event);
  Simulator& self = root.simulator;
  if (const auto& thrown = root.task.coroutine().promise().exception()) {
    if (!self.failure_) self.failure_ = thrown;
    self.stopped_ = true;
  }
  auto& place = self.roots_[root.index];
  self.roots_.back()->index = root.index;
  std::swap(place, self.roots_.back());
  self.roots_.pop_back();
}

void Simulator::run() { fire_until(SimTime::never() - Duration::from_ps(1)); }

void Simulator::run_until(SimTime end) {
  fire_until(end);
  if (!stopped_ && now_ < end) now_ = end;
}

void Simulator::fire_until(SimTime end) {
  stopped_ = false;
  FiredEvent next;
  while (!stopped_ && queue_.take(end, next)) {
    now_ = next.time;
    ++events_;
    mix(next.stamp);
    fire_at(next.payload);
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace hotline::engine
