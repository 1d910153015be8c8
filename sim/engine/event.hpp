#pragma once

#include <coroutine>
#include <cstdint>

namespace hotline::engine {

/// A thing that happens at a point of simulated time: derive from it and give it a function.
///
/// The first word is the function, which is called with the event's own address. A suspended
/// coroutine's frame has the same shape (its first word is the resume function, in the ABI that
/// g++ and clang++ share), so the queue holds one kind of pointer and fires both alike.
struct Event {
  void (*fire)(Event*);
};

/// The order of simultaneous events: messages arrive, then threads run, then agents decide.
///
/// This is part of the model's definition, not a tie-break: an agent that picks the next request
/// for a line at time t sees every request that arrives at t, however many events brought them
/// there, so serving waiters in one batch or one by one cannot change a result.
enum class Phase : std::uint8_t { kArrival = 0, kThread = 1, kDecision = 2 };

/// Fires the event, or resumes the coroutine, at `address`.
inline void fire_at(void* address) { std::coroutine_handle<>::from_address(address).resume(); }

/// A handle that calls `event.fire(&event)` when it is resumed, for use as a continuation.
inline std::coroutine_handle<> as_continuation(Event& event) {
  return std::coroutine_handle<>::from_address(&event);
}

}  // namespace hotline::engine
