#pragma once

#include <coroutine>
#include <cstdint>
#include <deque>
#include <type_traits>
#include <vector>

#include "sim/engine/simulator.hpp"

namespace hotline::workload {

/// The events of `signal` and `wait_for`: each holds the signals that nobody has taken yet. Waiters
/// are served in the order of waiting; nothing of this costs simulated time or touches memory.
class Rendezvous {
 public:
  Rendezvous(engine::Simulator& simulator, std::size_t events)
      : simulator_(simulator), events_(events) {}

  /// Awaits `count` signals of an event and takes them. A thread that waits is resumed by the event
  /// loop, at the time of the signal that completes its count.
  class Wait {
   public:
    bool await_ready() const { return rendezvous_->take(event_, count_); }
    void await_suspend(std::coroutine_handle<> waiting) const {
      rendezvous_->events_[event_].waiters.push_back({waiting, count_});
    }
    void await_resume() const noexcept {}

   private:
    friend class Rendezvous;
    Wait(Rendezvous* rendezvous, std::uint32_t event, std::uint64_t count)
        : rendezvous_(rendezvous), event_(event), count_(count) {}

    Rendezvous* rendezvous_;
    std::uint32_t event_;
    std::uint64_t count_;
  };
  static_assert(std::is_trivially_destructible_v<Wait>);

  [[nodiscard]] Wait wait(std::uint32_t event, std::uint64_t count) { return {this, event, count}; }
  void signal(std::uint32_t event, std::uint64_t times);

 private:
  struct Waiter {
    std::coroutine_handle<> waiting;
    std::uint64_t count;
  };
  struct State {
    std::uint64_t signals = 0;
    std::deque<Waiter> waiters;
  };

  bool take(std::uint32_t event, std::uint64_t count);

  engine::Simulator& simulator_;
  std::vector<State> events_;
};

}  // namespace hotline::workload
