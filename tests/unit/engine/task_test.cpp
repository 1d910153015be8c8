#include "sim/engine/task.hpp"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/engine/simulator.hpp"
#include "tests/catch.hpp"

using namespace hotline::engine;

namespace {

Duration ps(std::uint64_t count) { return Duration::from_ps(count); }

Task<std::uint64_t> doubled(std::uint64_t value) { co_return value * 2; }

Task<std::uint64_t> doubled_later(Simulator& simulator, std::uint64_t value) {
  co_await simulator.sleep(ps(1));
  co_return value * 2;
}

Task<std::unique_ptr<int>> boxed(int value) { co_return std::make_unique<int>(value); }

Task<> sum_both(Simulator& simulator, std::uint64_t& sum) {
  const std::uint64_t now = co_await doubled(1);
  const std::uint64_t later = co_await doubled_later(simulator, 10);
  const std::unique_ptr<int> box = co_await boxed(100);
  sum = now + later + static_cast<std::uint64_t>(*box);
}

Task<> fail(Simulator& simulator, bool later) {
  if (later) co_await simulator.sleep(ps(1));
  throw std::runtime_error("deep");
}

Task<> pass_on(Simulator& simulator, int levels, bool later) {
  if (levels == 0) {
    co_await fail(simulator, later);
  } else {
    co_await pass_on(simulator, levels - 1, later);
  }
}

Task<> catch_it(Simulator& simulator, bool later, std::string& caught) {
  try {
    co_await pass_on(simulator, 5, later);
  } catch (const std::runtime_error& error) {
    caught = error.what();
  }
  co_await simulator.sleep(ps(1));
}

Task<> many_children(std::uint64_t count, std::uint64_t& sum) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t value = co_await doubled(i);
    sum += value;
  }
}

Task<> mixed_children(Simulator& simulator, std::uint64_t count, std::uint64_t& sum) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t now = co_await doubled(i);
    const std::uint64_t later = co_await doubled_later(simulator, i);
    sum += now + later;
  }
}

Task<std::uint64_t> nested(Simulator& simulator, std::uint64_t depth) {
  if (depth == 0) {
    co_await simulator.sleep(ps(1));
    co_return 0;
  }
  const std::uint64_t below = co_await nested(simulator, depth - 1);
  co_return below + 1;
}

Task<> store_depth(Simulator& simulator, std::uint64_t depth, std::uint64_t& reached) {
  reached = co_await nested(simulator, depth);
}

Task<> note(std::vector<int>& log, int value) {
  log.push_back(value);
  co_return;
}

/// Counts its own destruction.
struct Guard {
  explicit Guard(int& count) : destroyed(count) {}
  ~Guard() { ++destroyed; }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  int& destroyed;
};

Task<> guarded(Simulator& simulator, int& destroyed) {
  const Guard guard(destroyed);
  co_await simulator.sleep(ps(100));
}

Task<> around_guarded(Simulator& simulator, int& destroyed) {
  const Guard guard(destroyed);
  co_await guarded(simulator, destroyed);
}

}  // namespace

TEST_CASE("a task gives its value, whether or not it suspended") {
  Simulator simulator;
  std::uint64_t sum = 0;
  simulator.spawn(sum_both(simulator, sum));
  simulator.run();
  REQUIRE(sum == 122);
}

TEST_CASE("a task does nothing until it is awaited") {
  std::vector<int> log;
  {
    const Task<> never_awaited = note(log, 1);
    REQUIRE(never_awaited.valid());
    REQUIRE_FALSE(never_awaited.done());
  }
  REQUIRE(log.empty());
}

TEST_CASE("an exception passes through several levels of tasks, at once and later") {
  for (const bool later : {false, true}) {
    Simulator simulator;
    std::string caught;
    simulator.spawn(catch_it(simulator, later, caught));
    simulator.run();
    REQUIRE(caught == "deep");
  }
}

TEST_CASE("an exception that nobody catches comes out of run") {
  for (const bool later : {false, true}) {
    Simulator simulator;
    simulator.spawn(pass_on(simulator, 5, later));
    REQUIRE_THROWS_WITH(simulator.run(), "deep");
    REQUIRE(simulator.unfinished_roots() == 0);
  }
}

TEST_CASE("a million children that do not suspend need no more stack than one") {
  Simulator simulator;
  std::uint64_t sum = 0;
  simulator.spawn(many_children(1'000'000, sum));
  simulator.run();
  REQUIRE(sum == 999'999'000'000);
}

TEST_CASE("children that suspend and children that do not take turns without stack growth") {
  Simulator simulator;
  std::uint64_t sum = 0;
  simulator.spawn(mixed_children(simulator, 200'000, sum));
  simulator.run();
  REQUIRE(sum == 4 * (std::uint64_t{200'000} * 199'999 / 2));
}

TEST_CASE("tasks nest a thousand deep") {
  Simulator simulator;
  std::uint64_t reached = 0;
  simulator.spawn(store_depth(simulator, 1000, reached));
  simulator.run();
  REQUIRE(reached == 1000);
}

TEST_CASE("a task that is dropped while it waits destroys what it holds, innermost first") {
  int destroyed = 0;
  {
    Simulator simulator;
    simulator.spawn(around_guarded(simulator, destroyed));
    simulator.run_until(SimTime::from_ps(50));
    REQUIRE(destroyed == 0);
  }
  REQUIRE(destroyed == 2);
}

TEST_CASE("a moved task leaves an empty one behind") {
  std::vector<int> log;
  Task<> first = note(log, 1);
  Task<> second = std::move(first);
  REQUIRE(second.valid());
  second = Task<>();
  REQUIRE(log.empty());
}

TEST_CASE("the frames of finished tasks are used again") {
  Simulator simulator;
  std::uint64_t sum = 0;
  const std::size_t before = frames_in_use();
  simulator.spawn(many_children(10, sum));
  simulator.run();
  REQUIRE(frames_in_use() == before);
}
