#include "sim/engine/simulator.hpp"

#include <algorithm>
#include <coroutine>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "tests/catch.hpp"

using namespace hotline::engine;

namespace {

Duration ps(std::uint64_t count) { return Duration::from_ps(count); }

/// Appends its number to a log when it fires.
struct Logged : Event {
  Logged(std::vector<int>& to, int value) : Event{&Logged::append}, log(to), number(value) {}

  static void append(Event* event) {
    auto& self = *static_cast<Logged*>(event);
    self.log.push_back(self.number);
  }

  std::vector<int>& log;
  int number;
};

Task<> tick(Simulator& simulator, Duration period, int times, std::vector<std::uint64_t>& log) {
  for (int i = 0; i < times; ++i) {
    co_await simulator.sleep(period);
    log.push_back(simulator.now().ps());
  }
}

Task<> stumble(Simulator& simulator) {
  co_await simulator.sleep(ps(10));
  throw std::runtime_error("stumbled");
}

Task<> walk(Simulator& simulator, Random random, int steps) {
  for (int i = 0; i < steps; ++i) co_await simulator.sleep(random.uniform(ps(1), ps(4)));
}

/// The fingerprint of 20 processes that sleep at random.
std::uint64_t fingerprint_of_walks(std::uint64_t seed, TieOrder ties = {}) {
  Simulator simulator(seed, ties);
  for (std::uint64_t i = 0; i < 20; ++i) {
    simulator.spawn(walk(simulator, simulator.stream("walk", i), 200));
  }
  simulator.run();
  return simulator.fingerprint();
}

/// Suspends, and leaves no event that would resume it.
struct Forever {
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<>) const {}
  void await_resume() const {}
};
static_assert(std::is_trivially_destructible_v<Forever>);

Forever forever() { return {}; }

Task<> wait_for_ever() { co_await forever(); }

Task<> append(Simulator& simulator, std::vector<int>& log, int number) {
  co_await simulator.sleep(ps(5));
  log.push_back(number);
}

std::vector<int> order_of_simultaneous(TieOrder ties) {
  Simulator simulator(1, ties);
  std::vector<int> log;
  for (int i = 0; i < 50; ++i) simulator.spawn(append(simulator, log, i));
  simulator.run();
  return log;
}

}  // namespace

TEST_CASE("the clock shows each event's time while it fires") {
  Simulator simulator;
  std::vector<std::uint64_t> log;
  simulator.spawn(tick(simulator, ps(7), 3, log));
  simulator.run();
  REQUIRE(log == std::vector<std::uint64_t>{7, 14, 21});
  REQUIRE(simulator.now() == SimTime::from_ps(21));
  REQUIRE(simulator.events() == 4);
  REQUIRE(simulator.idle());
  REQUIRE(simulator.unfinished_roots() == 0);
}

TEST_CASE("simultaneous messages arrive before threads run, and agents decide last") {
  Simulator simulator;
  std::vector<int> log;
  Logged decision(log, 3);
  Logged thread(log, 2);
  Logged arrival(log, 1);
  simulator.schedule(ps(5), decision, Phase::kDecision);
  simulator.schedule(ps(5), thread, Phase::kThread);
  simulator.schedule_at(SimTime::from_ps(5), arrival);
  simulator.run();
  REQUIRE(log == std::vector<int>{1, 2, 3});
}

TEST_CASE("events can be cancelled and moved while the simulation runs") {
  Simulator simulator;
  std::vector<int> log;
  Logged first(log, 1);
  Logged second(log, 2);
  const EventId a = simulator.schedule(ps(5), first);
  const EventId b = simulator.schedule(ps(6), second);
  simulator.reschedule(a, SimTime::from_ps(9));
  simulator.cancel(b);
  simulator.run();
  REQUIRE(log == std::vector<int>{1});
  REQUIRE(simulator.now() == SimTime::from_ps(9));
}

TEST_CASE("scheduling in the past is an error") {
  Simulator simulator;
  std::vector<int> log;
  Logged event(log, 1);
  simulator.run_until(SimTime::from_ps(100));
  REQUIRE_THROWS_AS(simulator.schedule_at(SimTime::from_ps(99), event), std::logic_error);
  const EventId id = simulator.schedule(ps(1), event);
  REQUIRE_THROWS_AS(simulator.reschedule(id, SimTime::from_ps(99)), std::logic_error);
}

TEST_CASE("run_until fires what is due, sets the clock, and can be continued") {
  Simulator simulator;
  std::vector<std::uint64_t> log;
  simulator.spawn(tick(simulator, ps(10), 3, log));
  simulator.run_until(SimTime::from_ps(20));
  REQUIRE(log == std::vector<std::uint64_t>{10, 20});
  simulator.run_until(SimTime::from_ps(25));
  REQUIRE(simulator.now() == SimTime::from_ps(25));
  REQUIRE(simulator.unfinished_roots() == 1);
  simulator.run();
  REQUIRE(log == std::vector<std::uint64_t>{10, 20, 30});
}

TEST_CASE("stop ends the run after the present event") {
  struct Stopper : Event {
    explicit Stopper(Simulator& owner) : Event{&Stopper::stop}, simulator(owner) {}
    static void stop(Event* event) { static_cast<Stopper*>(event)->simulator.stop(); }
    Simulator& simulator;
  };
  Simulator simulator;
  std::vector<int> log;
  Stopper stopper(simulator);
  Logged before(log, 1);
  Logged after(log, 2);
  simulator.schedule(ps(5), before);
  simulator.schedule(ps(5), stopper);
  simulator.schedule(ps(5), after);
  simulator.run_until(SimTime::from_ps(50));
  REQUIRE(log == std::vector<int>{1});
  REQUIRE(simulator.now() == SimTime::from_ps(5));
  simulator.run();
  REQUIRE(log == std::vector<int>{1, 2});
}

TEST_CASE("an exception of a root ends the run, is rethrown, and leaves the rest pending") {
  Simulator simulator;
  std::vector<std::uint64_t> log;
  simulator.spawn(stumble(simulator));
  simulator.spawn(tick(simulator, ps(8), 2, log));
  REQUIRE_THROWS_WITH(simulator.run(), "stumbled");
  REQUIRE(simulator.now() == SimTime::from_ps(10));
  REQUIRE(simulator.unfinished_roots() == 1);
  simulator.run();
  REQUIRE(log == std::vector<std::uint64_t>{8, 16});
}

TEST_CASE("an exception of a plain event passes through run, which can be continued") {
  struct Thrower : Event {
    Thrower() : Event{[](Event*) { throw std::runtime_error("thrown"); }} {}
  };
  Simulator simulator;
  std::vector<int> log;
  Thrower thrower;
  Logged after(log, 1);
  simulator.schedule(ps(1), thrower);
  simulator.schedule(ps(1), after);
  REQUIRE_THROWS_WITH(simulator.run(), "thrown");
  simulator.run();
  REQUIRE(log == std::vector<int>{1});
}

TEST_CASE("a simulator with nothing to do is idle, and running it changes nothing") {
  Simulator simulator(42, {true, 7});
  simulator.run();
  REQUIRE(simulator.idle());
  REQUIRE(simulator.now() == SimTime());
  REQUIRE(simulator.events() == 0);
  REQUIRE(simulator.seed() == 42);
  REQUIRE(simulator.tie_order().shuffle);
  REQUIRE(simulator.tie_order().seed == 7);
}

TEST_CASE("tasks that wait for ever are counted, and freed with the simulator") {
  const std::size_t before = frames_in_use();
  {
    Simulator simulator;
    simulator.spawn(wait_for_ever());
    simulator.spawn(wait_for_ever());
    simulator.run();
    REQUIRE(simulator.idle());
    REQUIRE(simulator.unfinished_roots() == 2);
    REQUIRE(frames_in_use() == before + 2);
  }
  REQUIRE(frames_in_use() == before);
}

TEST_CASE("a finished root is freed at once") {
  const std::size_t before = frames_in_use();
  Simulator simulator;
  std::vector<std::uint64_t> log;
  simulator.spawn(tick(simulator, ps(1), 1, log));
  simulator.spawn(tick(simulator, ps(2), 1, log));
  simulator.run_until(SimTime::from_ps(1));
  REQUIRE(frames_in_use() == before + 1);
  simulator.run();
  REQUIRE(frames_in_use() == before);
}

TEST_CASE("the same seed gives the same fingerprint, another seed another") {
  REQUIRE(fingerprint_of_walks(1) == fingerprint_of_walks(1));
  REQUIRE(fingerprint_of_walks(1) != fingerprint_of_walks(2));
}

TEST_CASE("the fingerprint is this one, with every compiler") {
  REQUIRE(fingerprint_of_walks(1) == 0x257B9CCF404AC065U);
}

TEST_CASE("shuffled ties give another order of simultaneous threads, and the same times") {
  const std::vector<int> plain = order_of_simultaneous({});
  const std::vector<int> shuffled = order_of_simultaneous({true, 3});
  REQUIRE(std::is_sorted(plain.begin(), plain.end()));
  REQUIRE_FALSE(std::is_sorted(shuffled.begin(), shuffled.end()));
  REQUIRE(order_of_simultaneous({true, 3}) == shuffled);
  // Independent walks do the same whatever the order, and a fingerprint holds no order of ties.
  REQUIRE(fingerprint_of_walks(1, {true, 3}) == fingerprint_of_walks(1));
}

TEST_CASE("two simulators live side by side") {
  Simulator a;
  Simulator b;
  std::vector<std::uint64_t> log;
  a.spawn(tick(a, ps(3), 2, log));
  b.spawn(tick(b, ps(5), 1, log));
  a.run();
  b.run();
  REQUIRE(log == std::vector<std::uint64_t>{3, 6, 5});
}

TEST_CASE("a run of two simulated seconds, twice the window, keeps the time exactly") {
  Simulator simulator;
  std::vector<std::uint64_t> log;
  simulator.spawn(tick(simulator, ps(400'000'000'000), 5, log));
  simulator.spawn(tick(simulator, ps(2'000'000'000'000), 1, log));
  simulator.run();
  REQUIRE(log == std::vector<std::uint64_t>{400'000'000'000, 800'000'000'000, 1'200'000'000'000,
                                            1'600'000'000'000, 2'000'000'000'000,
                                            2'000'000'000'000});
}
