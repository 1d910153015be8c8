#include <string>
#include <string_view>
#include <vector>

#include "sim/model/rcu.hpp"
#include "tests/catch.hpp"
#include "tests/model/rcu_rig.hpp"
#include "tests/model/rig.hpp"

// Models that wait for grace periods of the kernel's RCU, on an operating system that ticks.

namespace hotline::tests {
namespace {

using engine::Task;
using os::Preemption;

constexpr Preemption kPreemptions[] = {Preemption::kNone, Preemption::kVoluntary, Preemption::kFull,
                                       Preemption::kRealTime};

std::string name_of(Preemption preemption) {
  return std::string(os::kPreemptionNames[static_cast<std::size_t>(preemption)]);
}

Rig::Setup ticking_setup(std::string_view model, std::uint32_t threads, Preemption preemption) {
  Rig::Setup setup{two_sockets(3), threads, model};
  setup.os = ticking(1000, preemption);
  setup.pinned = false;
  return setup;
}

machine::Word word_named(const Rig& rig, std::string_view name) {
  for (const model::NamedWord& each : rig.site().named_words()) {
    if (each.name == name) return each.word;
  }
  FAIL("no word " << name);
  return {};
}

struct Users {
  std::int64_t surely = 1;  ///< users between the end of a get and the beginning of a put
  std::uint32_t told_last = 0;
  std::uint32_t too_early = 0;
  engine::Duration kill_took;
};

void told(Users& users, bool last) {
  if (!last) return;
  ++users.told_last;
  if (users.surely > 0) ++users.too_early;
}

Task<> come_and_go(Rig& rig, std::uint32_t k, Users& users) {
  os::Thread& self = rig.thread(k);
  co_await self.started();
  self.set_in_kernel(k % 2 == 0);
  for (int round = 0; round < 300; ++round) {
    const bool got = co_await rig.reference().try_get(self);
    if (got) {
      ++users.surely;
      co_await self.compute(self.random().exponential(us(20)));
      --users.surely;
      const bool last = co_await rig.reference().put(self);
      told(users, last);
    }
    co_await self.compute(self.random().exponential(us(60)));
    co_await self.cond_resched();
  }
  rig.scheduler().end(self);
}

Task<> kill_in_the_middle(Rig& rig, std::uint32_t k, Users& users) {
  os::Thread& self = rig.thread(k);
  co_await self.started();
  co_await self.sleep(ms(10));
  const engine::SimTime began = self.now();
  --users.surely;
  const bool last = co_await rig.reference().kill(self);
  told(users, last);
  users.kill_took = self.now() - began;
  rig.scheduler().end(self);
}

TEST_CASE("a percpu-ref that is killed under load tells its last user, once, a grace period on") {
  for (const Preemption preemption : kPreemptions) {
    INFO("preemption " << name_of(preemption));
    Rig rig(ticking_setup("percpu-ref", 13, preemption));
    Users users;
    for (std::uint32_t k = 1; k < 13; ++k) rig.simulator().spawn(come_and_go(rig, k, users));
    rig.simulator().spawn(kill_in_the_middle(rig, 0, users));
    rig.run();
    CHECK(users.told_last == 1);
    CHECK(users.too_early == 0);
    CHECK(rig.reference().users() == 0);
    // Three ticks until the first scan, and up to as many before and after it.
    CHECK(users.kill_took > ms(3));
    CHECK(users.kill_took < ms(20));
  }
}

/// Keeps its CPU from before the kill until long after the grace period could have ended.
Task<> dawdle_inside(Rig& rig, std::uint32_t k, engine::SimTime& left) {
  os::Thread& self = rig.thread(k);
  co_await self.started();
  self.preempt_disable();
  co_await self.compute(ms(50));
  left = self.now();
  self.preempt_enable();
  co_await self.checkpoint();
  rig.scheduler().end(self);
}

TEST_CASE("a kill waits for whoever keeps its CPU, whether its program says kernel or not") {
  for (const Preemption preemption : kPreemptions) {
    INFO("preemption " << name_of(preemption));
    Rig rig(ticking_setup("percpu-ref", 2, preemption));
    Users users;
    engine::SimTime left;
    rig.simulator().spawn(dawdle_inside(rig, 1, left));
    rig.simulator().spawn(kill_in_the_middle(rig, 0, users));
    rig.run();
    CHECK(left >= engine::SimTime() + ms(50));
    CHECK(users.kill_took > ms(40));
  }
}

struct Writings {
  std::vector<engine::Duration> took;
  engine::SimTime last_left;
};

Task<> write(Rig& rig, os::Thread& self, Writings& writings) {
  const engine::SimTime began = self.now();
  co_await rig.read_write_lock().acquire_write(self);
  writings.took.push_back(self.now() - began);
  co_await self.compute(us(50));
  co_await rig.read_write_lock().release_write(self);
  writings.last_left = self.now();
}

Task<> write_three_times(Rig& rig, Writings& writings) {
  os::Thread& self = rig.thread(0);
  co_await self.started();
  co_await write(rig, self, writings);
  co_await write(rig, self, writings);
  co_await self.sleep(ms(100));
  co_await write(rig, self, writings);
  rig.scheduler().end(self);
}

TEST_CASE("only a writer that finds readers fast waits a grace period, and readers become so") {
  for (const Preemption preemption : kPreemptions) {
    INFO("preemption " << name_of(preemption));
    Rig rig(ticking_setup("percpu-rw-semaphore", 1, preemption));
    const machine::Word state = word_named(rig, "gp_state");
    Writings writings;
    rig.simulator().spawn(write_three_times(rig, writings));
    rig.simulator().run_until(engine::SimTime() + ms(90));
    REQUIRE(writings.took.size() == 2);
    CHECK(rig.machine().peek(state) == 0);
    rig.run();
    REQUIRE(writings.took.size() == 3);
    CHECK(writings.took[0] > ms(3));
    CHECK(writings.took[1] < us(50));
    CHECK(writings.took[2] > ms(3));
    CHECK(rig.machine().peek(state) == 0);
  }
}

Task<> write_in_turn(Rig& rig, std::uint32_t k, Writings& writings) {
  os::Thread& self = rig.thread(k);
  co_await self.started();
  co_await write(rig, self, writings);
  rig.scheduler().end(self);
}

TEST_CASE("writers that come together share the first one's grace period") {
  for (const Preemption preemption : kPreemptions) {
    INFO("preemption " << name_of(preemption));
    Rig rig(ticking_setup("percpu-rw-semaphore", 6, preemption));
    Writings writings;
    for (std::uint32_t k = 0; k < 6; ++k) rig.simulator().spawn(write_in_turn(rig, k, writings));
    rig.run();
    REQUIRE(writings.took.size() == 6);
    CHECK(writings.took.front() > ms(3));
    CHECK(writings.last_left < engine::SimTime() + writings.took.front() + ms(2));
  }
}

Task<> hold_for_long(Rig& rig) {
  os::Thread& self = rig.thread(0);
  co_await self.started();
  self.set_in_kernel(true);
  co_await rig.lock().acquire(self);
  co_await self.compute(ms(50));
  co_await rig.lock().release(self);
  rig.scheduler().end(self);
}

Task<> wait_for_readers(Rig& rig, engine::Duration& took) {
  os::Thread& self = rig.thread(1);
  co_await self.started();
  co_await self.sleep(ms(5));
  const engine::SimTime began = self.now();
  co_await rig.kernel_rcu()->synchronize(self);
  took = self.now() - began;
  rig.scheduler().end(self);
}

TEST_CASE("the holder of a spinlock of PREEMPT_RT is a reader of RCU, in such a kernel") {
  for (const std::string_view lock : {"rt-spin-lock", "rt-rwlock"}) {
    for (const Preemption preemption : {Preemption::kFull, Preemption::kRealTime}) {
      INFO(lock << ", preemption " << name_of(preemption));
      Rig rig(ticking_setup(lock, 2, preemption));
      engine::Duration took;
      rig.simulator().spawn(hold_for_long(rig));
      rig.simulator().spawn(wait_for_readers(rig, took));
      rig.run();
      CHECK(took > (preemption == Preemption::kRealTime ? ms(40) : ms(3)));
      CHECK(took < (preemption == Preemption::kRealTime ? ms(80) : ms(20)));
    }
  }
}

}  // namespace
}  // namespace hotline::tests
