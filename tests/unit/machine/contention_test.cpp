// P1, P2, P3, P4, P9: what one hot line costs. Measured figures: docs/physics.md.

#include <algorithm>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/unit/machine/rig.hpp"

namespace hotline::tests {

namespace {

using machine::Description;

/// System-wide time an operation when `threads` CPUs fetch-add one word without pause.
double ns_per_atomic(Rig& rig, std::uint32_t threads, Duration window) {
  const Word word = rig.word();
  std::vector<std::uint64_t> done(threads);
  const Duration warm_up = window / 4;
  for (std::uint32_t cpu = 0; cpu < threads; ++cpu) {
    rig.spawn(hammer(rig.thread(cpu), word, rig.now() + warm_up + window, done[cpu]));
  }
  rig.run_for(warm_up);
  const Value before = rig.machine().peek(word);
  rig.machine().reset_statistics();
  rig.run_for(window);
  return window.ns() / static_cast<double>(rig.machine().peek(word) - before);
}

double ns_per_atomic(const Description& machine, std::uint32_t threads, Duration window) {
  Rig rig(machine);
  return ns_per_atomic(rig, threads, window);
}

/// Locked operations an ownership, with `work` of computing between a thread's operations.
Task<> add_and_work(Thread& self, Word word, Duration work, std::uint32_t rounds) {
  for (std::uint32_t i = 0; i < rounds; ++i) {
    co_await self.fetch_add(word, 1);
    if (work != Duration{}) {
      co_await self.compute(work + ns(self.random().below(100)));
    }
  }
}

double operations_an_ownership(Duration work) {
  Rig rig(xeon8176(1));
  const Word word = rig.word();
  for (std::uint32_t cpu = 0; cpu < 10; ++cpu) {
    rig.spawn(add_and_work(rig.thread(cpu), word, work, 100));
  }
  rig.run();
  CHECK(rig.machine().peek(word) == 1000);
  return 1000.0 / static_cast<double>(rig.machine().counts().ownerships);
}

/// Two threads hand a word to and fro by compare-exchange alone.
Task<> blind_turns(Thread& self, Word word, Value mine, std::uint32_t turns) {
  while (turns != 0) {
    const Value seen = co_await self.compare_exchange(word, mine, 1 - mine);
    if (seen == mine) --turns;
  }
}

/// The same, but each waits for its turn by loads.
Task<> polite_turns(Thread& self, Word word, Value mine, std::uint32_t turns) {
  for (std::uint32_t i = 0; i < turns; ++i) {
    co_await self.spin_until(word, mine, Pace::kTight);
    co_await self.compare_exchange(word, mine, 1 - mine);
  }
}

using Turns = Task<> (*)(Thread&, Word, Value, std::uint32_t);

double ns_per_turn(const Description& machine, std::uint32_t a, std::uint32_t b, Turns turns) {
  Rig rig(machine);
  const Word word = rig.word();
  const std::uint32_t count = 200;
  rig.spawn(turns(rig.thread(a), word, 0, count));
  rig.spawn(turns(rig.thread(b), word, 1, count));
  rig.run();
  return (rig.now() - SimTime()).ns() / (2.0 * count);
}

Task<> post_adds(Thread& self, Word word, SimTime end) {
  while (self.simulator().now() < end) {
    co_await self.add(word, 1);
  }
}

double ns_per_posted_add(std::uint32_t threads) {
  Rig rig(graviton2());
  const Word word = rig.word();
  const Duration window = ns(20000);
  for (std::uint32_t cpu = 0; cpu < threads; ++cpu) {
    rig.spawn(post_adds(rig.thread(cpu), word, rig.now() + window));
  }
  rig.run_for(window / 2);
  const Value before = rig.machine().peek(word);
  rig.run_for(window / 2);
  return (window / 2).ns() / static_cast<double>(rig.machine().peek(word) - before);
}

}  // namespace

TEST_CASE("P1: one hot line costs far less an operation than a core-to-core transfer") {
  for (const std::uint32_t threads : {10U, 16U, 20U, 28U}) {
    const double cost = ns_per_atomic(xeon8176(1), threads, ns(100000));
    INFO(threads << " threads: " << cost << " ns an atomic");
    CHECK(cost < 0.75 * 47.5);
    CHECK(cost > 10);
  }
}

TEST_CASE("P1: a small socket does the same: 22 to 24 ns an atomic on the Skylake client") {
  const double measured[] = {22.05, 23.33, 24.1};
  for (std::uint32_t threads = 2; threads <= 4; ++threads) {
    const double cost = ns_per_atomic(skylake_client(), threads, ns(50000));
    INFO(threads << " threads: " << cost << " ns an atomic");
    CHECK(cost == Approx(measured[threads - 2]).epsilon(0.2));
  }
}

TEST_CASE("P1: a hot line seldom leaves a socket while that has requests") {
  Rig rig(xeon8176(4));
  const Word word = rig.word();
  std::vector<std::uint64_t> done(112);
  for (std::uint32_t cpu = 0; cpu < 112; ++cpu) {
    rig.spawn(hammer(rig.thread(cpu), word, SimTime() + ns(200000), done[cpu]));
  }
  rig.run_for(ns(200000));
  const auto& transfers = rig.machine().statistics(word.line)->transfers;
  std::uint64_t all = 0;
  for (const std::uint64_t count : transfers) all += count;
  const std::uint64_t inside = transfers[1];  // the class "same socket"
  INFO(inside << " of " << all << " transfers inside a socket");
  CHECK(static_cast<double>(inside) > 0.9 * static_cast<double>(all));
}

TEST_CASE("P2: the cost of a hot line is nearly flat from one socket to seven") {
  std::vector<double> costs;
  std::string figures;
  for (std::uint32_t sockets = 1; sockets <= 7; ++sockets) {
    costs.push_back(ns_per_atomic(xeon8176(8), 28 * sockets, ns(200000)));
    figures += std::to_string(costs.back()) + ' ';
  }
  INFO("1 to 7 sockets: " << figures);
  const auto [least, most] = std::minmax_element(costs.begin(), costs.end());
  CHECK(*most < 1.5 * *least);
  CHECK(*most < 47.5);  // cheaper than a transfer inside a socket, let alone between halves
}

TEST_CASE("P3: back-to-back reuse of a line vanishes when there is work between operations") {
  const double idle = operations_an_ownership({});
  const double busy = operations_an_ownership(ns(3000));
  INFO(idle << " operations an ownership back to back, " << busy << " with work");
  CHECK(idle > 1.3);
  CHECK(busy < 1.01);
}

TEST_CASE("P4: a read before the read-modify-write makes a hand-over 2 to 3 times as dear") {
  const Description machine = xeon8176(8);
  const auto check = [&](std::uint32_t partner, double measured_blind, double measured_polite) {
    const double blind = ns_per_turn(machine, 0, partner, blind_turns);
    const double polite = ns_per_turn(machine, 0, partner, polite_turns);
    INFO("with CPU " << partner << ": blind " << blind << " (" << measured_blind << "), load first "
                     << polite << " (" << measured_polite << ")");
    CHECK(polite / blind > 1.7);
    CHECK(polite / blind < 3.3);
    CHECK(blind == Approx(measured_blind).epsilon(0.15));
    CHECK(polite == Approx(measured_polite).epsilon(0.25));
  };
  check(5, 47.5, 102);
  check(28, 153, 461);
  check(112, 333, 942);
}

TEST_CASE("P9: adds executed far cost the same from 2 threads to 16") {
  std::vector<double> costs;
  for (std::uint32_t threads = 2; threads <= 16; ++threads) {
    costs.push_back(ns_per_posted_add(threads));
  }
  const auto [least, most] = std::minmax_element(costs.begin(), costs.end());
  INFO("from " << *least << " to " << *most << " ns");
  CHECK(*least > 8.3);
  CHECK(*most < 9.6);
}

TEST_CASE("P9: a far add moves no line, a near one takes ownership") {
  Rig rig(graviton2());
  const Word word = rig.word();
  for (std::uint32_t cpu = 0; cpu < 16; ++cpu) {
    rig.spawn(post_adds(rig.thread(cpu), word, SimTime() + ns(5000)));
  }
  rig.run();
  CHECK(rig.machine().counts().far_atomics > 300);
  CHECK(rig.machine().counts().ownerships == 0);
  time_of(rig, rig.thread(0).fetch_add(word, 1));
  CHECK(rig.machine().counts().ownerships == 1);
}

}  // namespace hotline::tests
