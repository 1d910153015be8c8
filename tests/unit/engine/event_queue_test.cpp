#include "sim/engine/event_queue.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/catch.hpp"

using namespace hotline::engine;

namespace {

SimTime at(std::uint64_t ps) { return SimTime::from_ps(ps); }

/// Takes everything that is left and gives the payloads in order.
template <class Queue>
std::vector<int> drain(Queue& queue) {
  std::vector<int> order;
  FiredEvent event;
  while (queue.take(SimTime::never(), event)) order.push_back(*static_cast<int*>(event.payload));
  return order;
}

std::vector<int> numbers(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = i;
  return values;
}

/// The order in which `count` events, simultaneous in threes, fire.
std::vector<int> order_of_ties(TieOrder ties, int count) {
  EventQueue queue(ties);
  std::vector<int> values = numbers(count);
  for (int& value : values) {
    queue.insert(at(static_cast<std::uint64_t>(value / 3)), Phase::kArrival, &value);
  }
  return drain(queue);
}

}  // namespace

TEST_CASE("events come out by time, then phase, then insertion") {
  EventQueue queue;
  std::vector<int> values = numbers(6);
  queue.insert(at(20), Phase::kArrival, &values[5]);
  queue.insert(at(10), Phase::kDecision, &values[4]);
  queue.insert(at(10), Phase::kThread, &values[2]);
  queue.insert(at(10), Phase::kThread, &values[3]);
  queue.insert(at(10), Phase::kArrival, &values[1]);
  queue.insert(at(5), Phase::kDecision, &values[0]);
  REQUIRE(drain(queue) == values);
}

TEST_CASE("taking tells the time and the phase, and stops at the given time") {
  EventQueue queue;
  int value = 1;
  queue.insert(at(10), Phase::kThread, &value);
  FiredEvent event;
  REQUIRE_FALSE(queue.take(at(9), event));
  REQUIRE(queue.take(at(10), event));
  REQUIRE(event.time == at(10));
  REQUIRE(event.stamp == (10 << 2 | 1));
  REQUIRE(queue.idle());
}

TEST_CASE("an event inserted for the present time in an earlier phase comes next") {
  EventQueue queue;
  std::vector<int> values = numbers(3);
  queue.insert(at(10), Phase::kDecision, &values[0]);
  queue.insert(at(10), Phase::kDecision, &values[2]);
  FiredEvent event;
  REQUIRE(queue.take(SimTime::never(), event));
  queue.insert(at(10), Phase::kArrival, &values[1]);
  REQUIRE(drain(queue) == std::vector<int>{1, 2});
}

TEST_CASE("a cancelled event does not come out, wherever it stands") {
  for (int cancelled = 0; cancelled < 100; ++cancelled) {
    EventQueue queue;
    std::vector<int> values = numbers(100);
    std::vector<EventId> ids;
    for (int& value : values) {
      const auto time = static_cast<std::uint64_t>(value) * 37 % 100;
      ids.push_back(queue.insert(at(time), Phase::kArrival, &value));
    }
    queue.cancel(ids[static_cast<std::size_t>(cancelled)]);
    REQUIRE(queue.size() == 99);
    const std::vector<int> order = drain(queue);
    REQUIRE(order.size() == 99);
    REQUIRE(std::count(order.begin(), order.end(), cancelled) == 0);
  }
}

TEST_CASE("a rescheduled event keeps its phase and counts as newly inserted") {
  EventQueue queue;
  std::vector<int> values = numbers(3);
  const EventId moved = queue.insert(at(5), Phase::kThread, &values[1]);
  queue.insert(at(10), Phase::kThread, &values[0]);
  queue.insert(at(10), Phase::kDecision, &values[2]);
  queue.reschedule(moved, at(10));
  REQUIRE(drain(queue) == values);
}

TEST_CASE("cancelling what is not pending is an error") {
  EventQueue queue;
  int value = 0;
  const EventId id = queue.insert(at(5), Phase::kThread, &value);
  REQUIRE_THROWS_AS(queue.cancel(EventId()), std::logic_error);
  REQUIRE_THROWS_AS(queue.cancel(EventId(id.leaf() + 1)), std::logic_error);
  FiredEvent event;
  REQUIRE(queue.take(at(5), event));
  REQUIRE_THROWS_AS(queue.cancel(id), std::logic_error);
  REQUIRE_THROWS_AS(queue.reschedule(id, at(7)), std::logic_error);
}

TEST_CASE("ten thousand events at once come out in order while the queue grows") {
  EventQueue queue;
  std::vector<int> values = numbers(10'000);
  for (int& value : values) {
    const auto time = static_cast<std::uint64_t>(value / 10);
    queue.insert(at(time), Phase::kArrival, &value);
  }
  REQUIRE(queue.size() == values.size());
  REQUIRE(drain(queue) == values);
}

TEST_CASE("events far beyond the window come out in order, and can be cancelled and moved") {
  constexpr std::uint64_t kHour = 3'600'000'000'000'000;
  EventQueue queue;
  std::vector<int> values = numbers(6);
  queue.insert(at(3 * kHour), Phase::kDecision, &values[4]);
  const EventId cancelled = queue.insert(at(kHour), Phase::kArrival, &values[5]);
  const EventId moved = queue.insert(at(2 * kHour), Phase::kArrival, &values[1]);
  queue.insert(at(3 * kHour), Phase::kArrival, &values[2]);
  queue.insert(at(3 * kHour), Phase::kArrival, &values[3]);
  queue.insert(at(10), Phase::kDecision, &values[0]);
  queue.cancel(cancelled);
  queue.reschedule(moved, at(20));
  REQUIRE(drain(queue) == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("an event at never does not come out and does not keep the queue busy") {
  EventQueue queue;
  std::vector<int> values = numbers(2);
  const EventId id = queue.insert(SimTime::never(), Phase::kArrival, &values[0]);
  queue.insert(at(5) + Duration::max(), Phase::kArrival, &values[1]);
  REQUIRE(queue.idle());
  REQUIRE(drain(queue).empty());
  queue.reschedule(id, at(7));
  REQUIRE_FALSE(queue.idle());
  REQUIRE(drain(queue) == std::vector<int>{0});
}

TEST_CASE("looking for an event before a far one does not disturb later insertions") {
  BasicEventQueue<6, 22> queue;
  std::vector<int> values = numbers(3);
  queue.insert(at(1000), Phase::kArrival, &values[2]);
  FiredEvent event;
  REQUIRE_FALSE(queue.take(at(500), event));
  queue.insert(at(600), Phase::kArrival, &values[1]);
  queue.insert(at(3), Phase::kArrival, &values[0]);
  REQUIRE(drain(queue) == values);
}

TEST_CASE("more events than can be ordered are refused") {
  BasicEventQueue<40, 6> queue;
  std::vector<int> values = numbers(100);
  const auto fill = [&] {
    for (int& value : values) queue.insert(at(1), Phase::kArrival, &value);
  };
  REQUIRE_THROWS_AS(fill(), std::length_error);
}

TEST_CASE("a shuffled order is a reproducible permutation of each set of simultaneous events") {
  const std::vector<int> plain = order_of_ties({}, 3000);
  const std::vector<int> shuffled = order_of_ties({true, 5}, 3000);
  REQUIRE(plain == numbers(3000));
  REQUIRE(shuffled != plain);
  REQUIRE(order_of_ties({true, 5}, 3000) == shuffled);
  REQUIRE(order_of_ties({true, 6}, 3000) != shuffled);
  for (std::size_t i = 0; i < shuffled.size(); ++i) {
    REQUIRE(shuffled[i] / 3 == static_cast<int>(i) / 3);
  }
}

TEST_CASE("a shuffled order puts each of three simultaneous events first equally often") {
  const std::vector<int> shuffled = order_of_ties({true, 9}, 30'000);
  std::vector<int> first(3);
  for (std::size_t i = 0; i < shuffled.size(); i += 3) {
    ++first[static_cast<std::size_t>(shuffled[i] % 3)];
  }
  for (const int count : first) REQUIRE(std::abs(count - 10'000 / 3) < 400);
}

TEST_CASE("a shuffled order never mixes phases, through growth and renumbering") {
  BasicEventQueue<8, 8> queue({true, 4});
  std::vector<int> values = numbers(3);
  FiredEvent event;
  for (std::uint64_t round = 0; round < 500; ++round) {
    for (int i = 0; i < 30; ++i) {
      const auto phase = static_cast<Phase>(i % 3);
      queue.insert(at(round * 10), phase, &values[static_cast<std::size_t>(i % 3)]);
    }
    for (int i = 0; i < 30; ++i) {
      REQUIRE(queue.take(SimTime::never(), event));
      REQUIRE(*static_cast<int*>(event.payload) == i / 10);
    }
  }
}
