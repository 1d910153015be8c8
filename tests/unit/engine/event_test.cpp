#include "sim/engine/event.hpp"

#include <coroutine>
#include <cstddef>
#include <type_traits>

#include "sim/engine/task.hpp"
#include "tests/catch.hpp"

using namespace hotline::engine;

namespace {

struct CountingEvent : Event {
  CountingEvent() : Event{&CountingEvent::count} {}

  static void count(Event* event) { ++static_cast<CountingEvent*>(event)->fired; }

  int fired = 0;
};

Task<> set_to_one(int& value) {
  value = 1;
  co_return;
}

/// Calls the function that the first word at `address` points to, with the address. The language
/// knows no type for a resume function, so clang++'s function sanitizer has to look away.
#if defined(__clang__)
__attribute__((no_sanitize("function")))
#endif
void call_first_word(void* address) {
  (*static_cast<void (**)(void*)>(address))(address);
}

}  // namespace

TEST_CASE("the first word of an event is its function") {
  STATIC_REQUIRE(std::is_standard_layout_v<Event>);
  STATIC_REQUIRE(offsetof(Event, fire) == 0);
}

TEST_CASE("firing at an event's address calls its function with the event") {
  CountingEvent event;
  fire_at(static_cast<Event*>(&event));
  fire_at(static_cast<Event*>(&event));
  REQUIRE(event.fired == 2);
}

TEST_CASE("firing at a coroutine's address resumes the coroutine") {
  int value = 0;
  const Task<> task = set_to_one(value);
  fire_at(task.coroutine().address());
  REQUIRE(value == 1);
  REQUIRE(task.done());
}

TEST_CASE("the first word of a coroutine's frame is a function that resumes it") {
  int value = 0;
  const Task<> task = set_to_one(value);
  call_first_word(task.coroutine().address());
  REQUIRE(value == 1);
  REQUIRE(task.done());
}

TEST_CASE("an event can stand where a coroutine goes on") {
  CountingEvent event;
  int value = 0;
  const Task<> task = set_to_one(value);
  task.coroutine().promise().resume_at_end(as_continuation(event));
  task.coroutine().resume();
  REQUIRE(event.fired == 1);
}

TEST_CASE("messages come before threads, and threads before decisions") {
  STATIC_REQUIRE(Phase::kArrival < Phase::kThread);
  STATIC_REQUIRE(Phase::kThread < Phase::kDecision);
}
