#include <algorithm>
#include <array>
#include <vector>

#include "tests/catch.hpp"
#include "tests/unit/os/rig.hpp"

namespace hotline::os {
namespace {

using engine::SimTime;
using engine::Task;
using tests::at_us;
using tests::free_os;
using tests::SchedulerRig;
using tests::us;

Task<> compute(Thread& self, Duration length, SimTime& ended) {
  co_await self.compute(length);
  ended = self.now();
}

Duration of(const Thread& thread, Account account) {
  return thread.accounts()[static_cast<std::size_t>(account)];
}

TEST_CASE("two threads of one CPU share it by slices of the latency") {
  SchedulerRig rig(1, free_os());
  Thread& a = rig.thread(0);
  Thread& b = rig.thread(0);
  SimTime a_ended;
  SimTime b_ended;
  rig.start(a, compute(a, us(9'000), a_ended));
  rig.start(b, compute(b, us(9'000), b_ended));
  rig.run();
  // 3 ms each in turn, to the tick that follows: a ends in its third slice or fourth.
  CHECK(a_ended > at_us(12'000));
  CHECK(b_ended == at_us(18'000));
  CHECK(of(a, Account::kWork) == us(9'000));
  CHECK(of(b, Account::kScheduling) == us(9'000));
}

TEST_CASE("a thread of less weight gets less time") {
  SchedulerRig rig(1, free_os());
  Thread& usual = rig.thread(0);
  Thread& nice = rig.thread({.cpu = 0, .priority = {.real_time = 0, .nice = 5}});
  SimTime usual_ended;
  SimTime nice_ended;
  rig.start(usual, compute(usual, us(300'000), usual_ended));
  rig.start(nice, compute(nice, us(300'000), nice_ended));
  rig.run();
  // Weights 1024 and 335: while both run, the first has 75 % of the time.
  CHECK(usual_ended > at_us(380'000));
  CHECK(usual_ended < at_us(420'000));
  CHECK(nice_ended == at_us(600'000));
}

TEST_CASE("without a tick nobody is preempted") {
  SchedulerRig rig(1, {});
  Thread& a = rig.thread(0);
  Thread& b = rig.thread(0);
  SimTime a_ended;
  SimTime b_ended;
  rig.start(a, compute(a, us(50'000), a_ended));
  rig.start(b, compute(b, us(10), b_ended));
  rig.run();
  CHECK(a_ended == at_us(50'000));
  CHECK(b_ended == at_us(50'010));
}

Task<> sleep_then_compute(Thread& self, Duration asleep, Duration length, SimTime& ended) {
  co_await self.sleep(asleep);
  co_await self.compute(length);
  ended = self.now();
}

TEST_CASE("a real-time thread preempts at once, to the picosecond, and runs to its end") {
  SchedulerRig rig(1, free_os());
  Thread& fair = rig.thread(0);
  Thread& urgent = rig.thread({.cpu = 0, .priority = {.real_time = 50, .nice = 0}});
  SimTime fair_ended;
  SimTime urgent_ended;
  rig.start(fair, compute(fair, us(20'000), fair_ended));
  rig.start(urgent, sleep_then_compute(urgent, us(7), us(10'000), urgent_ended));
  rig.run();
  // The sleeper is queued behind until the first tick at the latest, sleeps, and then has the CPU.
  CHECK(urgent_ended - (SimTime() + of(urgent, Account::kScheduling)) == us(10'007));
  CHECK(fair_ended == at_us(30'000));
}

TEST_CASE("real-time threads go by priority, equals by arrival") {
  SchedulerRig rig(1, free_os());
  std::array<SimTime, 3> ended;
  Thread& first = rig.thread({.cpu = 0, .priority = {.real_time = 10, .nice = 0}});
  Thread& second = rig.thread({.cpu = 0, .priority = {.real_time = 10, .nice = 0}});
  Thread& above = rig.thread({.cpu = 0, .priority = {.real_time = 20, .nice = 0}});
  rig.start(first, compute(first, us(5'000), ended[0]));
  rig.start(second, compute(second, us(5'000), ended[1]));
  rig.start(above, compute(above, us(5'000), ended[2]));
  rig.run();
  CHECK(ended[2] < ended[0]);
  CHECK(ended[0] < ended[1]);
  CHECK(ended[1] == at_us(15'000));
}

TEST_CASE("raising a queued thread's priority preempts the running one") {
  SchedulerRig rig(1, free_os());
  Thread& running = rig.thread({.cpu = 0, .priority = {.real_time = 10, .nice = 0}});
  Thread& queued = rig.thread({.cpu = 0, .priority = {.real_time = 5, .nice = 0}});
  SimTime running_ended;
  SimTime queued_ended;
  rig.start(running, compute(running, us(1'000), running_ended));
  rig.start(queued, compute(queued, us(100), queued_ended));
  rig.simulator().run_until(at_us(50));
  rig.scheduler().set_priority(queued, {.real_time = 20, .nice = 0});
  rig.run();
  CHECK(queued_ended == at_us(150));
  CHECK(running_ended == at_us(1'100));
}

Task<> spin(Thread& self, Word word, SimTime& ended) {
  co_await self.spin_until(word, 1);
  ended = self.now();
}

Task<> compute_then_store(Thread& self, Duration length, Word word) {
  co_await self.compute(length);
  co_await self.store(word, 1);
}

TEST_CASE("a spinning thread loses its CPU to the one it waits for") {
  SchedulerRig rig(1, free_os());
  Thread& waits = rig.thread(0);
  Thread& gives = rig.thread(0);
  const Word word = rig.word();
  SimTime ended;
  rig.start(waits, spin(waits, word, ended));
  rig.start(gives, compute_then_store(gives, us(100), word));
  rig.run();
  // A slice of spinning, 100 us of the other, and then it sees the store.
  CHECK(ended > at_us(2'000));
  CHECK(ended < at_us(4'200));
  CHECK(of(waits, Account::kScheduling) >= us(100));
}

Task<> guarded(Thread& self, Duration length, std::vector<SimTime>& times) {
  self.preempt_disable();
  co_await self.compute(length);
  times.push_back(self.now());
  self.preempt_enable();
  co_await self.compute(us(1));
  times.push_back(self.now());
}

TEST_CASE("a thread with preemption disabled keeps its CPU until it is enabled") {
  SchedulerRig rig(1, free_os());
  Thread& holds = rig.thread(0);
  Thread& other = rig.thread(0);
  std::vector<SimTime> times;
  SimTime other_ended;
  rig.start(holds, guarded(holds, us(20'000), times));
  rig.start(other, compute(other, us(500), other_ended));
  rig.run();
  CHECK(times[0] == at_us(20'000));
  CHECK(other_ended == at_us(20'500));
  CHECK(times[1] == at_us(20'501));
}

SimTime ending_of_other(Preemption preemption, bool in_kernel) {
  Parameters parameters = free_os();
  parameters.preemption = preemption;
  SchedulerRig rig(1, parameters);
  Thread& long_one = rig.thread({.cpu = 0, .in_kernel = in_kernel});
  Thread& other = rig.thread(0);
  SimTime long_ended;
  SimTime other_ended;
  rig.start(long_one, compute(long_one, us(20'000), long_ended));
  rig.start(other, compute(other, us(500), other_ended));
  rig.run();
  return other_ended;
}

TEST_CASE("kernel code is preempted by full and rt preemption alone, user code always") {
  CHECK(ending_of_other(Preemption::kNone, true) == at_us(20'500));
  CHECK(ending_of_other(Preemption::kVoluntary, true) == at_us(20'500));
  CHECK(ending_of_other(Preemption::kFull, true) < at_us(5'000));
  CHECK(ending_of_other(Preemption::kRealTime, true) < at_us(5'000));
  CHECK(ending_of_other(Preemption::kNone, false) < at_us(5'000));
}

Task<> resched_often(Thread& self, std::uint32_t rounds) {
  for (std::uint32_t round = 0; round < rounds; ++round) {
    co_await self.compute(us(100));
    co_await self.cond_resched();
  }
}

TEST_CASE("cond_resched gives way in kernels with voluntary preemption") {
  for (const Preemption preemption : {Preemption::kNone, Preemption::kVoluntary}) {
    Parameters parameters = free_os();
    parameters.preemption = preemption;
    SchedulerRig rig(1, parameters);
    Thread& kind = rig.thread({.cpu = 0, .in_kernel = true});
    Thread& other = rig.thread(0);
    SimTime ended;
    rig.start(kind, resched_often(kind, 200));
    rig.start(other, compute(other, us(500), ended));
    rig.run();
    CHECK((ended < at_us(5'000)) == (preemption == Preemption::kVoluntary));
  }
}

Task<> yield_in_turn(Thread& self, std::uint32_t rounds, std::vector<std::uint32_t>& order) {
  for (std::uint32_t round = 0; round < rounds; ++round) {
    order.push_back(self.id().value);
    co_await self.yield();
  }
}

TEST_CASE("threads that yield take turns") {
  Parameters parameters = free_os();
  parameters.system_call = tests::us(1);
  SchedulerRig rig(1, parameters);
  std::vector<std::uint32_t> order;
  Thread& a = rig.thread(0);
  Thread& b = rig.thread(0);
  rig.start(a, yield_in_turn(a, 3, order));
  rig.start(b, yield_in_turn(b, 3, order));
  rig.run();
  CHECK(order == std::vector<std::uint32_t>{0, 1, 0, 1, 0, 1});
}

TEST_CASE("yielding to nobody costs a system call") {
  Parameters parameters = free_os();
  parameters.system_call = us(1);
  SchedulerRig rig(1, parameters);
  std::vector<std::uint32_t> order;
  Thread& alone = rig.thread(0);
  rig.start(alone, yield_in_turn(alone, 5, order));
  rig.simulator().run_until(at_us(5));
  CHECK(alone.state() == ThreadState::kEnded);
  CHECK(alone.state_since() == at_us(5));
}

}  // namespace
}  // namespace hotline::os
