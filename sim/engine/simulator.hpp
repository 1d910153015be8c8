#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "sim/engine/event.hpp"
#include "sim/engine/event_queue.hpp"
#include "sim/engine/random.hpp"
#include "sim/engine/split_mix.hpp"
#include "sim/engine/task.hpp"
#include "sim/engine/tie_order.hpp"
#include "sim/engine/time.hpp"

namespace hotline::engine {

/// The simulated clock, the pending events, and the tasks that were started from outside.
///
/// One simulator belongs to one thread of the host; several can live side by side.
class Simulator {
 public:
  explicit Simulator(std::uint64_t seed = 1, TieOrder ties = {});
  ~Simulator();
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  /// The present point of simulated time.
  [[nodiscard]] SimTime now() const { return now_; }

  /// Has `event` fired `delay` from now; it must stay where it is until then.
  EventId schedule(Duration delay, Event& event, Phase phase = Phase::kArrival) {
    return queue_.insert(now_ + delay, phase, &event);
  }

  /// Has `event` fired at `time`. Throws std::logic_error if that is in the past.
  EventId schedule_at(SimTime time, Event& event, Phase phase = Phase::kArrival) {
    check_not_past(time);
    return queue_.insert(time, phase, &event);
  }

  /// Has `coroutine` resumed at `time`, from the event loop. Throws std::logic_error if that is in
  /// the past.
  EventId resume_at(SimTime time, std::coroutine_handle<> coroutine, Phase phase = Phase::kThread) {
    check_not_past(time);
    return queue_.insert(time, phase, coroutine.address());
  }

  /// Has `coroutine` resumed `delay` from now, from the event loop.
  EventId resume_after(Duration delay, std::coroutine_handle<> coroutine,
                       Phase phase = Phase::kThread) {
    return queue_.insert(now_ + delay, phase, coroutine.address());
  }

  /// Takes back a pending event. Throws std::logic_error if it is being fired; an id whose event
  /// has fired must not be used.
  void cancel(EventId id) { queue_.cancel(id); }

  /// Moves a pending event to `time`, after all events already there in its phase. Throws
  /// std::logic_error if that is in the past or the event is being fired.
  void reschedule(EventId id, SimTime time) {
    check_not_past(time);
    queue_.reschedule(id, time);
  }

  /// What sleep() returns; for co_await.
  class Sleep {
   public:
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> coroutine) const {
      simulator_.resume_after(delay_, coroutine);
    }
    void await_resume() const noexcept {}

   private:
    friend class Simulator;
    Sleep(Simulator& simulator, Duration delay) : simulator_(simulator), delay_(delay) {}

    Simulator& simulator_;
    Duration delay_;
  };
  static_assert(std::is_trivially_destructible_v<Sleep>);

  /// Suspends the awaiting coroutine, which the event loop resumes `delay` from now in
  /// Phase::kThread, even if the delay is zero.
  [[nodiscard]] Sleep sleep(Duration delay) { return {*this, delay}; }

  /// Starts `root` at now(), from the event loop in Phase::kThread, and keeps it until it ends.
  /// What it throws ends the run and is rethrown by run() or run_until().
  void spawn(Task<> root);

  /// Fires events until none is left, stop() is called, or a root throws; the clock then shows the
  /// time of the last event.
  void run();

  /// Fires all events up to and including `end` as run() does, then sets the clock to `end` unless
  /// it was stopped.
  void run_until(SimTime end);

  /// Makes the running run() or run_until() return after the present event.
  void stop() { stopped_ = true; }

  /// True if no pending event will ever fire.
  [[nodiscard]] bool idle() const { return queue_.idle(); }

  /// How many spawned tasks have not ended; if idle(), they wait for something that cannot come.
  [[nodiscard]] std::size_t unfinished_roots() const { return roots_.size(); }

  /// How many events have fired.
  [[nodiscard]] std::uint64_t events() const { return events_; }

  /// A hash of the time and phase of every event fired so far, in order: two runs that differ in
  /// any of them differ here, with overwhelming probability.
  [[nodiscard]] std::uint64_t fingerprint() const { return scramble(fingerprint_); }

  /// The seed of the run, from which every stream is derived.
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

  /// The order of simultaneous events of one phase that the run was given.
  [[nodiscard]] const TieOrder& tie_order() const { return ties_; }

  /// The stream of random numbers of this run with that name and index: always from its start.
  [[nodiscard]] Random stream(std::string_view name, std::uint64_t index = 0) const {
    return Random(seed_, name, index);
  }

 private:
  struct Root;

  void check_not_past(SimTime time) const {
    if (time < now_) [[unlikely]] {
      throw std::logic_error("an event was scheduled in the past");
    }
  }

  void mix(std::uint64_t stamp) {
    const std::uint64_t mixed = (fingerprint_ ^ stamp) * 0x9E3779B97F4A7C15U;
    fingerprint_ = mixed << 29 | mixed >> 35;
  }

  void fire_until(SimTime end);
  static void root_ended(Event* event);

  SimTime now_;
  EventQueue queue_;
  bool stopped_ = false;
  std::uint64_t events_ = 0;
  std::uint64_t fingerprint_ = 0;
  std::uint64_t seed_;
  TieOrder ties_;
  std::exception_ptr failure_;
  std::vector<std::unique_ptr<Root>> roots_;  // last: what a root owns may still use the queue
};

}  // namespace hotline::engine
