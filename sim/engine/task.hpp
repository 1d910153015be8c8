#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "sim/engine/task_promise.hpp"

namespace hotline::engine {

/// A coroutine that does something in simulated time and gives a T, for one `co_await` by its
/// owner, which it starts: a Task that nobody awaits does nothing.
///
/// Awaiting runs the task inside await_suspend; if it ends without suspending, the awaiting
/// coroutine goes on at once and the stack is as before. Otherwise the awaiting coroutine is
/// resumed by the event in which the task ends, directly after its last statement. What the task
/// throws is thrown by co_await. Frames come from the thread's frame pool.
template <class T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = TaskPromise<T>;

  Task() = default;
  Task(Task&& other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(coroutine_, other.coroutine_);
    return *this;
  }
  ~Task() {
    if (coroutine_) coroutine_.destroy();
  }

  /// What co_await on a Task uses: starts it, and gives its result when it has ended.
  class Awaiter {
   public:
    [[nodiscard]] bool await_ready() const noexcept { return false; }

    bool await_suspend(std::coroutine_handle<> parent) const {
      coroutine_.resume();
      if (coroutine_.done()) return false;
      coroutine_.promise().resume_at_end(parent);
      return true;
    }

    T await_resume() const { return coroutine_.promise().take_result(); }

   private:
    friend class Task;
    explicit Awaiter(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}

    std::coroutine_handle<promise_type> coroutine_;
  };
  static_assert(std::is_trivially_destructible_v<Awaiter>);

  /// Starts the task; it must not be empty and must not have been started.
  Awaiter operator co_await() const { return Awaiter(coroutine_); }

  /// False for an empty task, from the default constructor or moved from.
  [[nodiscard]] bool valid() const { return coroutine_ != nullptr; }

  /// Whether the task has run to its end.
  [[nodiscard]] bool done() const { return coroutine_.done(); }

  /// The coroutine, for whoever starts the task other than by co_await: the first resume() starts
  /// it, and when it ends it resumes what promise().resume_at_end() was given.
  [[nodiscard]] std::coroutine_handle<promise_type> coroutine() const { return coroutine_; }

 private:
  friend promise_type;
  explicit Task(std::coroutine_handle<promise_type> coroutine) : coroutine_(coroutine) {}

  std::coroutine_handle<promise_type> coroutine_;
};

template <class T>
Task<T> TaskPromise<T>::get_return_object() {
  const auto coroutine = std::coroutine_handle<TaskPromise>::from_promise(*this);
  check_frame(coroutine.address());
  return Task<T>(coroutine);
}

inline Task<void> TaskPromise<void>::get_return_object() {
  const auto coroutine = std::coroutine_handle<TaskPromise>::from_promise(*this);
  check_frame(coroutine.address());
  return Task<void>(coroutine);
}

}  // namespace hotline::engine
