// Atomics executed at the line's agent or home (P9): order, results, and what they leave behind.

#include <vector>

#include "tests/catch.hpp"
#include "tests/unit/machine/rig.hpp"

namespace hotline::tests {

namespace {

using machine::Consistency;
using machine::Description;
using machine::TakeUp;

Description far_machine(Description d) {
  d.far = {.add = true, .fetch_add = true, .exchange = true, .compare_exchange = true};
  return d;
}

Task<> add_and_load(Thread& self, Word word, std::uint32_t rounds) {
  for (Value i = 1; i <= rounds; ++i) {
    co_await self.add(word, 1);
    const Value seen = co_await self.load(word);
    CHECK(seen == i);
  }
}

Task<> add_then_operate(Thread& self, Word word) {
  co_await self.add(word, 5);
  const Value first = co_await self.fetch_add(word, 1);
  CHECK(first == 5);
  co_await self.add(word, 10);
  co_await self.store(word, 100);
  co_await self.add(word, 1);
  const Value spun = co_await self.spin_until(word, 101);
  CHECK(spun == 101);
}

Task<> adds(Thread& self, Word word, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    co_await self.add(word, 1);
  }
}

Task<> add_and_fence(Thread& self, Word word, Duration& taken) {
  const SimTime began = self.simulator().now();
  co_await self.add(word, 1);
  co_await self.fence();
  taken = self.simulator().now() - began;
}

Task<> wait_for_count(Thread& self, Word word, Value count) {
  co_await self.spin_until(word, count, Pace::kTight);
}

}  // namespace

TEST_CASE("a far add retires like a store and a fence waits for its reply") {
  Rig rig(far_machine(even_sockets(1, 2)));
  const Word word = rig.word();
  time_of(rig, rig.thread(0).fetch_add(word, 0));  // brings the line to the agent
  CHECK(time_of(rig, rig.thread(0).add(word, 1)) == ns(1));
  Duration taken;
  rig.spawn(add_and_fence(rig.thread(0), word, taken));
  rig.run();
  CHECK(taken == ns(3 + 4 + 5 + 4) + ns(9));
  CHECK(rig.machine().peek(word) == 2);
}

TEST_CASE("a thread's own far adds come before its later operations on the word") {
  for (const Consistency consistency : {Consistency::kTso, Consistency::kSc}) {
    for (const bool has_copy : {false, true}) {
      Description d = far_machine(even_sockets(2, 2));
      d.consistency = consistency;
      d.far.fetch_add = false;
      Rig rig(d);
      const Word word = rig.word();
      const Word other = rig.word();
      if (has_copy) {
        for (const Word w : {word, other}) {
          time_of(rig, rig.thread(1).load(w));
          time_of(rig, rig.thread(0).load(w));
        }
      }
      rig.spawn(add_and_load(rig.thread(0), word, 5));
      rig.run();
      rig.spawn(add_then_operate(rig.thread(0), other));
      rig.run();
      CHECK(rig.machine().peek(other) == 101);
    }
  }
}

TEST_CASE("a far atomic takes every copy, the requester's own too, and a waiter sees its result") {
  for (const Description& shape : {even_sockets(2, 2), clusters_below_sockets(2, 2, 2),
                                   clusters_below_homes(2, 2, 2), bare_cores(2, 2)}) {
    Rig rig(far_machine(shape));
    const Word word = rig.word(1);
    for (const std::uint32_t cpu : {0U, 1U, 3U}) time_of(rig, rig.thread(cpu).load(word));
    rig.spawn(wait_for_count(rig.thread(1), word, 3));
    rig.run_for(ns(1000));
    rig.spawn(adds(rig.thread(0), word, 2));
    rig.run_for(ns(1000));
    REQUIRE(rig.machine().peek(word) == 2);
    rig.spawn(wait_for_count(rig.thread(0), word, 3));
    rig.run_for(ns(1000));
    rig.spawn(adds(rig.thread(3), word, 1));
    rig.run();
    CHECK(rig.machine().peek(word) == 3);
  }
}

TEST_CASE("far atomics end with every rule of taking up, next to near operations") {
  for (const TakeUp take_up : {TakeUp::kDispatch, TakeUp::kResponse, TakeUp::kCompletion}) {
    for (Description d : {even_sockets(2, 2), clusters_below_sockets(2, 2, 2), bare_cores(2, 2)}) {
      if (d.cluster_agent) d.cluster_agent->take_up = take_up;
      if (d.socket_agent) d.socket_agent->take_up = take_up;
      d.home.take_up = take_up;
      d.far.add = true;
      Rig rig(d);
      const Word word = rig.word(1);
      const std::uint32_t cores = rig.topology().cores();
      std::vector<std::uint64_t> done(cores);
      for (std::uint32_t cpu = 0; cpu < cores; ++cpu) {
        if (cpu % 2 == 0) {
          rig.spawn(adds(rig.thread(cpu), word, 20));
        } else {
          rig.spawn(hammer(rig.thread(cpu), word, SimTime() + ns(3000), done[cpu]));
          rig.run_for(ns(200));
        }
      }
      rig.run();
    }
  }
}

TEST_CASE("a machine without store buffers waits for its far adds") {
  Description d = far_machine(even_sockets(1, 2));
  d.consistency = Consistency::kSc;
  Rig rig(d);
  const Word word = rig.word();
  time_of(rig, rig.thread(0).fetch_add(word, 0));
  CHECK(time_of(rig, rig.thread(0).add(word, 1)) == ns(3 + 4 + 5 + 4));
}

TEST_CASE("a line used far is supplied by its keeper afterwards, not by a copy that is gone") {
  for (const machine::Protocol protocol : {machine::Protocol::kMesif, machine::Protocol::kMoesi}) {
    Description d = far_machine(bare_cores(1, 3));
    d.protocol = protocol;
    Rig rig(d);
    const Word word = rig.word();
    time_of(rig, rig.thread(0).store(word, 1));
    time_of(rig, rig.thread(1).load(word));  // core 0 or 1 is now the one that forwards
    time_of(rig, rig.thread(2).fetch_add(word, 1));
    rig.machine().reset_statistics();
    time_of(rig, rig.thread(2).load(word));
    CHECK(rig.machine().statistics(word.line)->from_memory == 1);
  }
}

}  // namespace hotline::tests
