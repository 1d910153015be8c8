// P10, P11, P12: what a core's siblings, its clock and its pause instruction do.

#include <numeric>
#include <vector>

#include "tests/catch.hpp"
#include "tests/unit/machine/rig.hpp"

namespace hotline::tests {

namespace {

using machine::Description;

Task<> take_turns(Thread& self, Word word, Value mine, std::uint32_t turns) {
  while (turns != 0) {
    const Value seen = co_await self.compare_exchange(word, mine, 1 - mine);
    if (seen == mine) --turns;
  }
}

Task<> spin(Thread& self, Word word, Value wanted, Pace pace, SimTime& seen) {
  co_await self.spin_until(word, wanted, pace);
  seen = self.simulator().now();
}

Task<> store_at(Thread& self, Word word, Duration when) {
  co_await self.compute(when);
  co_await self.store(word, 1);
}

Task<> stall_then_compute(Thread& self, Duration stalled, Duration length) {
  co_await self.stall(stalled);
  co_await self.compute(length);
}

/// When a spinning core notices a store made at `when`.
SimTime notices(Pace pace, Duration when) {
  Rig rig(even_sockets(1, 2));
  const Word word = rig.word();
  SimTime seen;
  rig.spawn(spin(rig.thread(0), word, 1, pace, seen));
  rig.spawn(store_at(rig.thread(1), word, when));
  rig.run();
  return seen;
}

}  // namespace

TEST_CASE("P10: hardware threads of one core share its copies") {
  Rig rig(xeon8176(1));
  const Word word = rig.word();
  time_of(rig, rig.thread(0).compare_exchange(word, 0, 1));
  CHECK(time_of(rig, rig.thread(28).compare_exchange(word, 1, 2)) == ps(7090));
  CHECK(rig.machine().counts().ownerships == 1);
}

TEST_CASE("P10: a hand-over between siblings takes one operation of each") {
  Rig rig(xeon8176(1));
  const Word word = rig.word();
  const std::uint32_t turns = 100;
  rig.spawn(take_turns(rig.thread(0), word, 0, turns));
  rig.spawn(take_turns(rig.thread(28), word, 1, turns));
  rig.run();
  const double cost = (rig.now() - SimTime()).ns() / (2.0 * turns);
  INFO(cost << " ns a hand-over; measured 7.2");
  CHECK(cost < 2 * 7.09);
  CHECK(cost > 7.0);
}

TEST_CASE("P10: locked operations of siblings on one line do not overlap") {
  Description d = even_sockets(1, 1);
  d.threads_per_core = 2;
  Rig rig(d);
  const Word word = rig.word();
  time_of(rig, rig.thread(0).fetch_add(word, 1));
  std::vector<Duration> taken(2);
  rig.spawn(timed(rig, rig.thread(0).fetch_add(word, 1), taken[0]));
  rig.spawn(timed(rig, rig.thread(1).fetch_add(word, 1), taken[1]));
  rig.run();
  CHECK(taken[0] + taken[1] == ns(5) + ns(10));
}

TEST_CASE("P10: a fill serves every hardware thread of the core that waits for the line") {
  Description d = even_sockets(1, 4);
  d.threads_per_core = 2;
  d.socket_agent->take_up = machine::TakeUp::kDispatch;  // the next snoop is there before the fill
  Rig rig(d);
  const Word word = rig.word();
  std::vector<std::uint64_t> done(8);
  const SimTime end = rig.now() + ns(20'000);
  for (std::uint32_t cpu = 0; cpu < 8; ++cpu) {
    rig.spawn(hammer(rig.thread(cpu), word, end, done[cpu]));
  }
  rig.run();
  const auto operations = std::accumulate(done.begin(), done.end(), std::uint64_t{0});
  const double reuse =
      static_cast<double>(operations) / static_cast<double>(rig.machine().counts().ownerships);
  CHECK(reuse > 1.9);
  CHECK(reuse < 2.1);
}

TEST_CASE("P10: a sibling that spins sees its sibling's store without a miss") {
  Rig rig(xeon8176(1));
  const Word word = rig.word();
  time_of(rig, rig.thread(0).store(word, 0));
  rig.machine().reset_statistics();
  SimTime seen;
  const SimTime began = rig.now();
  rig.spawn(spin(rig.thread(28), word, 1, Pace::kTight, seen));
  rig.spawn(store_at(rig.thread(0), word, ns(500)));
  rig.run();
  CHECK(rig.machine().counts().reads == 0);
  CHECK(seen - began > ns(500));
  CHECK(seen - began < ns(550));  // the one that computes has the core to itself
}

TEST_CASE("P10: siblings share their core's issue width while both compute") {
  Rig rig(xeon8176(1));
  std::vector<Duration> taken(3);
  rig.spawn(timed(rig, rig.thread(0).compute(ns(200)), taken[0]));
  rig.spawn(timed(rig, rig.thread(28).compute(ns(100)), taken[1]));
  rig.spawn(timed(rig, rig.thread(1).compute(ns(100)), taken[2]));
  rig.run();
  CHECK(taken[1] == ns(160));
  CHECK(taken[0] == ns(260));  // the other half alone
  CHECK(taken[2] == ns(100));  // another core changes nothing
}

TEST_CASE("P10: a sibling that begins to compute slows one that computes already") {
  Rig rig(xeon8176(1));
  Duration taken;
  rig.spawn(timed(rig, rig.thread(0).compute(ns(200)), taken));
  rig.spawn(stall_then_compute(rig.thread(28), ns(100), ns(500)));
  rig.run();
  CHECK(taken == ns(100) + ns(160));
}

TEST_CASE("P10: a sibling that stalls, pauses or misses leaves the core alone") {
  Rig rig(xeon8176(1));
  const Word word = rig.word();
  std::vector<Duration> taken(4);
  rig.spawn(timed(rig, rig.thread(0).compute(ns(100)), taken[0]));
  rig.spawn(timed(rig, rig.thread(28).stall(ns(100)), taken[1]));
  rig.run();
  rig.spawn(timed(rig, rig.thread(0).compute(ns(100)), taken[2]));
  rig.spawn(timed(rig, rig.thread(28).pause(2), taken[3]));
  rig.run();
  CHECK(taken[0] == ns(100));
  CHECK(taken[1] == ns(100));
  CHECK(taken[2] == ns(100));
  Duration beside_miss;
  Duration miss;
  rig.spawn(timed(rig, rig.thread(0).compute(ns(100)), beside_miss));
  rig.spawn(timed(rig, rig.thread(28).load(word), miss));
  rig.run();
  CHECK(beside_miss == ns(100));
}

TEST_CASE("P11: cycles get longer as more cores of the socket are busy") {
  const auto fence_with = [](std::uint32_t busy_cores) {
    Rig rig(xeon8176(2));
    for (std::uint32_t core = 0; core < busy_cores; ++core) rig.thread(core);
    return time_of(rig, rig.thread(0).fence());
  };
  CHECK(fence_with(1) == ps(33000000 / 3730));
  CHECK(fence_with(2) == ps(33000000 / 3730));
  CHECK(fence_with(3) == ps(33000000 / 3500));
  CHECK(fence_with(13) == ps(33000000 / 3100));
  CHECK(fence_with(28) == ps(33000000 / 2800));
  CHECK(fence_with(29) == ps(33000000 / 2800));  // the 29th is on the other socket
}

TEST_CASE("P11: an SMT sibling does not count as another busy core, an idle core counts no more") {
  Rig rig(xeon8176(1));
  for (const std::uint32_t cpu : {0U, 28U, 1U, 29U}) rig.thread(cpu);
  CHECK(time_of(rig, rig.thread(0).fence()) == ps(33000000 / 3730));
  rig.thread(2);
  CHECK(time_of(rig, rig.thread(0).fence()) == ps(33000000 / 3500));
  rig.machine().port({2}).set_busy(false);
  CHECK(time_of(rig, rig.thread(0).fence()) == ps(33000000 / 3730));
}

TEST_CASE("P12: a waiter that pauses notices up to one pause late, and uses the whole range") {
  const Duration pause = ns(40);
  Duration least = Duration::max();
  Duration most;
  for (std::uint64_t offset = 0; offset < 40; ++offset) {
    const Duration when = ns(2000 + offset);
    const SimTime tight = notices(Pace::kTight, when);
    const SimTime paused = notices(Pace::kPause, when);
    REQUIRE(paused >= tight);
    least = std::min(least, paused - tight);
    most = std::max(most, paused - tight);
  }
  CHECK(most < pause);
  CHECK(least < ns(2));
  CHECK(most > ns(37));
}

}  // namespace hotline::tests
