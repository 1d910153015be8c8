#pragma once

#include <coroutine>
#include <cstdint>
#include <type_traits>

#include "sim/machine/types.hpp"

/// What the operations of a Thread return, each for one co_await.
namespace hotline::os {

class Thread;

/// Awaits one memory operation: resumes the thread when it is performed, with the value seen
/// before any write.
struct [[nodiscard]] Operation {
  Thread* thread;
  static bool await_ready() noexcept { return false; }
  inline void await_suspend(std::coroutine_handle<> waiting) const;
  inline machine::Value await_resume() const;
};

/// Awaits the end of an optimistic spin loop.
struct [[nodiscard]] OptimisticSpin : Operation {
  inline machine::Value await_resume() const;
};

/// Awaits the passing of a stretch of computing; no memory is touched.
struct [[nodiscard]] Computation {
  Thread* thread;
  machine::Duration length;
  bool leaves_core = false;  ///< to a sibling: it only waits, and takes its time whatever that does
  static bool await_ready() noexcept { return false; }
  inline void await_suspend(std::coroutine_handle<> waiting) const;
  inline void await_resume() const;
};

/// Awaits being woken.
struct [[nodiscard]] Block {
  Thread* thread;
  static bool await_ready() noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> waiting) const;
  static void await_resume() noexcept {}
};

/// Whether a thread that could go on lets others run.
enum class GiveWay : std::uint8_t {
  kNot,       ///< there was no reason
  kIfNeeded,  ///< to whoever should run by the scheduler's rules
  kAlways,    ///< to the next one, even if it has had more time: sched_yield()
};

/// Awaits the CPU again after letting others run.
struct [[nodiscard]] Yield {
  Thread* thread;
  GiveWay way = GiveWay::kAlways;
  bool await_ready() const noexcept { return way == GiveWay::kNot; }
  void await_suspend(std::coroutine_handle<> waiting) const;
  static void await_resume() noexcept {}
};

/// Awaits nothing, unless the scheduler wants the CPU: for another thread, or for an interrupt.
struct [[nodiscard]] Checkpoint {
  Thread* thread;
  inline bool await_ready() const noexcept;
  void await_suspend(std::coroutine_handle<> waiting) const;
  static void await_resume() noexcept {}
};

/// Awaits the CPU for the first time.
struct [[nodiscard]] Start {
  Thread* thread;
  bool await_ready() const noexcept;
  void await_suspend(std::coroutine_handle<> waiting) const;
  static void await_resume() noexcept {}
};

static_assert(std::is_trivially_destructible_v<Operation>);
static_assert(std::is_trivially_destructible_v<OptimisticSpin>);
static_assert(std::is_trivially_destructible_v<Computation>);
static_assert(std::is_trivially_destructible_v<Block>);
static_assert(std::is_trivially_destructible_v<Yield>);
static_assert(std::is_trivially_destructible_v<Checkpoint>);
static_assert(std::is_trivially_destructible_v<Start>);

}  // namespace hotline::os
