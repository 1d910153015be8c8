#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "sim/engine/frame_pool.hpp"

namespace hotline::engine {

template <class T>
class Task;

/// What the promises of all tasks share: pooled frames, and who goes on when the task ends.
class TaskPromiseBase {
 public:
  static void* operator new(std::size_t bytes) { return allocate_frame(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept { free_frame(frame, bytes); }

  /// Hands over to whoever waits for the task; a task that never suspended has nobody.
  class AtEnd {
   public:
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
      return ended.promise().continuation_;
    }
    void await_resume() const noexcept {}
  };
  static_assert(std::is_trivially_destructible_v<AtEnd>);

  std::suspend_always initial_suspend() noexcept { return {}; }
  AtEnd final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { exception_ = std::current_exception(); }

  /// Has `continuation` resumed when the task ends.
  void resume_at_end(std::coroutine_handle<> continuation) { continuation_ = continuation; }

  /// What the task threw, or null.
  [[nodiscard]] const std::exception_ptr& exception() const { return exception_; }

 protected:
  void rethrow_exception() const {
    if (exception_) [[unlikely]] {
      std::rethrow_exception(exception_);
    }
  }

 private:
  std::coroutine_handle<> continuation_ = std::noop_coroutine();
  std::exception_ptr exception_;
};

/// Ends the program with a message about check_frame.
[[noreturn]] void report_wrong_frame();

/// Ends the program with a message unless `frame` is the last one that operator new gave out.
///
/// g++ 12 computes a wrong frame address from the promise when a co_await stands in the condition
/// of an if or a loop and the coroutine has no other local variable: this finds it at creation
/// instead of as a wild jump. clang++ does not have the fault, and may leave out the allocation.
inline void check_frame([[maybe_unused]] const void* frame) {
#if defined(__GNUC__) && !defined(__clang__)
  if (!was_allocated_last(frame)) [[unlikely]] {
    report_wrong_frame();
  }
#endif
}

template <class T>
class TaskPromise : public TaskPromiseBase {
 public:
  static_assert(!std::is_reference_v<T>, "a task gives its result by value");

  Task<T> get_return_object();

  template <class U>
  void return_value(U&& value) {
    result_.emplace(std::forward<U>(value));
  }

  T take_result() {
    rethrow_exception();
    return std::move(*result_);
  }

 private:
  std::optional<T> result_;
};

template <>
class TaskPromise<void> : public TaskPromiseBase {
 public:
  Task<void> get_return_object();
  void return_void() {}
  void take_result() const { rethrow_exception(); }
};

}  // namespace hotline::engine
