#include "tests/unit/machine/waiting.hpp"

#include <sstream>

namespace hotline::tests {

namespace {

struct Place {
  WaitingSetup setup;
  Word first;   // ticket, count, lock
  Word second;  // owner, sense, flag
  std::uint32_t arrived = 0;
};

using Passed = std::vector<SimTime>;

Duration some(Thread& self, Duration mean) {
  return mean == Duration{} ? mean : ps(self.random().below(2 * mean.ps()));
}

Task<> take_tickets(Thread& self, const Place& place, Passed& passed) {
  for (std::uint32_t i = 0; i < place.setup.rounds; ++i) {
    const Value ticket = co_await self.fetch_add(place.first, 1);
    co_await self.spin_until(place.second, ticket, place.setup.pace);
    passed.push_back(self.simulator().now());
    co_await self.compute(some(self, place.setup.hold));
    co_await self.store(place.second, ticket + 1);
    co_await self.compute(some(self, place.setup.think));
  }
}

Task<> meet(Thread& self, const Place& place, Passed& passed) {
  for (std::uint32_t i = 1; i <= place.setup.rounds; ++i) {
    const Value before = co_await self.fetch_add(place.first, 1);
    if (before + 1 == place.setup.threads) {
      co_await self.store(place.first, 0);
      co_await self.store(place.second, i);
    }
    co_await self.spin_until(place.second, i, place.setup.pace);
    passed.push_back(self.simulator().now());
    co_await self.compute(some(self, place.setup.think));
  }
}

Task<> test_and_set(Thread& self, const Place& place, Passed& passed) {
  for (std::uint32_t i = 0; i < place.setup.rounds;) {
    co_await self.spin_until(place.first, 0, place.setup.pace);
    const Value taken = co_await self.exchange(place.first, 1);
    if (taken != 0) continue;
    passed.push_back(self.simulator().now());
    co_await self.compute(some(self, place.setup.hold));
    co_await self.store(place.first, 0);
    co_await self.compute(some(self, place.setup.think));
    ++i;
  }
}

/// Thread 0 counts up; the others see some of it, up to the last.
Task<> listen(Thread& self, const Place& place, Passed& passed) {
  const Value last = Value{place.setup.rounds} * 4;
  if (self.id().value == 0) {
    for (Value i = 1; i <= last; ++i) {
      co_await self.compute(some(self, place.setup.hold));
      co_await self.store(place.second, i);
    }
    co_return;
  }
  for (Value seen = 0; seen != last;) {
    seen = co_await self.spin_while(place.second, seen, place.setup.pace);
    passed.push_back(self.simulator().now());
  }
}

/// Each waits for its turn with stores of its own to the line still on their way.
Task<> store_and_wait(Thread& self, const Rig& rig, const Place& place, Passed& passed) {
  const std::uint32_t me = self.id().value;
  const Word own = rig.beside(place.second, 8 + me % 40, 1);
  for (std::uint32_t i = 0; i < place.setup.rounds; ++i) {
    const Value turn = Value{i} * place.setup.threads + me;
    co_await self.store(place.first, me);
    co_await self.store(own, i);
    co_await self.spin_until(place.second, turn, place.setup.pace);
    passed.push_back(self.simulator().now());
    co_await self.compute(some(self, place.setup.hold));
    co_await self.store(place.second, turn + 1);
  }
}

Task<> participant(Thread& self, const Rig& rig, const Place& place, Passed& passed) {
  switch (place.setup.pattern) {
    case Pattern::kTicketOneWord:
    case Pattern::kTicketSplit:
      return take_tickets(self, place, passed);
    case Pattern::kBarrier:
      return meet(self, place, passed);
    case Pattern::kTestAndTestAndSet:
      return test_and_set(self, place, passed);
    case Pattern::kBroadcast:
      return listen(self, place, passed);
    case Pattern::kStoreAndWait:
      break;
  }
  return store_and_wait(self, rig, place, passed);
}

}  // namespace

Course run_pattern(const WaitingSetup& setup, bool batching) {
  Rig rig({.machine = setup.machine, .batching = batching, .ties = setup.ties});
  Place place{.setup = setup, .first = rig.word(0, 4), .second = {}};
  const bool one_line = setup.pattern == Pattern::kTicketOneWord;
  const std::uint32_t other = rig.topology().nodes() - 1;
  place.second = one_line ? rig.beside(place.first, 4, 4) : rig.word(other, 4);
  Course course;
  course.passed.resize(setup.threads);
  const std::uint32_t stride = setup.compact ? 1 : rig.topology().cpus() / setup.threads;
  std::vector<std::unique_ptr<Thread>> threads;
  for (std::uint32_t i = 0; i < setup.threads; ++i) {
    machine::Port& port = rig.machine().port({i * stride});
    port.set_busy(true);
    threads.push_back(std::make_unique<Thread>(rig.simulator(), port, os::ThreadId{i}, "waiter"));
    rig.spawn(participant(*threads.back(), rig, place, course.passed[i]));
  }
  rig.run();
  course.counts = rig.machine().counts();
  course.end = rig.now();
  course.events = rig.simulator().events();
  return course;
}

std::string difference(const Course& a, const Course& b) {
  std::ostringstream found;
  for (std::size_t t = 0; t < a.passed.size(); ++t) {
    for (std::size_t i = 0; i < std::min(a.passed[t].size(), b.passed[t].size()); ++i) {
      if (a.passed[t][i] == b.passed[t][i]) continue;
      found << "wait " << i << " of thread " << t << " ends at " << a.passed[t][i].ps() << " or "
            << b.passed[t][i].ps() << " ps; ";
      break;
    }
    if (a.passed[t].size() != b.passed[t].size()) found << "other number of waits; ";
  }
  const auto compare = [&](const char* name, std::uint64_t x, std::uint64_t y) {
    if (x != y) found << name << ' ' << x << " or " << y << "; ";
  };
  compare("operations", a.counts.operations, b.counts.operations);
  compare("misses", a.counts.misses, b.counts.misses);
  compare("reads", a.counts.reads, b.counts.reads);
  compare("ownerships", a.counts.ownerships, b.counts.ownerships);
  compare("upgrades", a.counts.upgrades, b.counts.upgrades);
  compare("invalidations", a.counts.invalidations, b.counts.invalidations);
  compare("miss time", a.counts.miss_time.ps(), b.counts.miss_time.ps());
  return found.str();
}

}  // namespace hotline::tests
