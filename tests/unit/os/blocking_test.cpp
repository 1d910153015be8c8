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

Duration of(const Thread& thread, Account account) {
  return thread.accounts()[static_cast<std::size_t>(account)];
}

Task<> block(Thread& self, SimTime& woken) {
  co_await self.block();
  co_await self.compute({});
  woken = self.now();
}

Task<> wake_later(Thread& self, Duration after, Thread& other) {
  co_await self.compute(after);
  co_await self.wake(other);
}

Parameters with_costs() {
  Parameters parameters = free_os();
  parameters.hz = 0;
  parameters.context_switch = us(2);
  parameters.migration = us(3);
  parameters.wake = us(1);
  parameters.ipi = us(5);
  parameters.idle_states = {{"shallow", {}, us(10)}, {"deep", us(500), us(100)}};
  return parameters;
}

SimTime woken_after(Duration asleep, std::uint32_t waker_cpu) {
  SchedulerRig rig(2, with_costs());
  Thread& sleeper = rig.thread(0);
  Thread& waker = rig.thread(waker_cpu);
  SimTime woken;
  rig.start(sleeper, block(sleeper, woken));
  rig.start(waker, wake_later(waker, asleep, sleeper));
  rig.run();
  return woken;
}

TEST_CASE("a woken thread runs after the waker's part, the IPI, the idle state and the switch") {
  CHECK(woken_after(us(100), 1) == at_us(100 + 1 + 5 + 10 + 2));
  CHECK(woken_after(us(1'000), 1) == at_us(1'000 + 1 + 5 + 100 + 2));
}

TEST_CASE("a thread woken on its waker's CPU runs when that one ends") {
  // The waker's program begins with a switch to it, when the sleeper has blocked.
  CHECK(woken_after(us(100), 0) == at_us(2 + 100 + 1 + 2));
}

Task<> block_unless_woken(Thread& self, Word ready, SimTime& went_on) {
  self.prepare_to_block();
  co_await self.store(ready, 1);
  co_await self.compute(us(50));
  co_await self.block();
  went_on = self.now();
}

Task<> wake_when_ready(Thread& self, Word ready, Thread& other) {
  co_await self.spin_until(ready, 1);
  co_await self.wake(other);
}

TEST_CASE("a wake between preparing to block and blocking is not lost") {
  SchedulerRig rig(2, with_costs());
  Thread& sleeper = rig.thread(0);
  Thread& waker = rig.thread(1);
  const Word ready = rig.word();
  SimTime went_on;
  rig.start(sleeper, block_unless_woken(sleeper, ready, went_on));
  rig.start(waker, wake_when_ready(waker, ready, sleeper));
  rig.run();
  CHECK(went_on < at_us(52));
}

TEST_CASE("waking a thread that is awake does nothing") {
  SchedulerRig rig(2, free_os());
  Thread& busy = rig.thread(0);
  Thread& waker = rig.thread(1);
  SimTime woken;
  rig.start(busy, wake_later(busy, us(10), waker));
  rig.start(waker, wake_later(waker, us(20), busy));
  rig.run();
  Thread& sleeper = rig.thread(0);
  rig.start(sleeper, block(sleeper, woken));
  rig.simulator().run_until(at_us(100'000));
  CHECK(sleeper.state() == ThreadState::kBlocked);
  rig.scheduler().wake(sleeper, {0});
  rig.run();
}

Task<> block_briefly(Thread& self, Duration length, bool& was_woken, SimTime& ended) {
  was_woken = co_await self.block_for(length);
  ended = self.now();
}

TEST_CASE("blocking for a time ends by time or by a wake, and says which") {
  SchedulerRig rig(2, free_os());
  Thread& left_alone = rig.thread(0);
  Thread& disturbed = rig.thread(1);
  bool alone_woken = true;
  bool disturbed_woken = false;
  SimTime alone_ended;
  SimTime disturbed_ended;
  rig.start(left_alone, block_briefly(left_alone, us(30), alone_woken, alone_ended));
  rig.start(disturbed, block_briefly(disturbed, us(300'000), disturbed_woken, disturbed_ended));
  rig.simulator().run_until(at_us(200));
  rig.scheduler().wake(disturbed, {0});
  rig.run();
  CHECK_FALSE(alone_woken);
  CHECK(alone_ended == at_us(30));
  CHECK(disturbed_woken);
  CHECK(disturbed_ended == at_us(200));
}

Task<> sleep(Thread& self, Duration length, SimTime& ended) {
  co_await self.sleep(length);
  ended = self.now();
}

TEST_CASE("sleeping lasts its time even if somebody wakes the thread") {
  SchedulerRig rig(1, free_os());
  Thread& sleeper = rig.thread(0);
  SimTime ended;
  rig.start(sleeper, sleep(sleeper, us(1'000), ended));
  rig.simulator().run_until(at_us(400));
  rig.scheduler().wake(sleeper, {0});
  rig.run();
  CHECK(ended == at_us(1'000));
  CHECK(of(sleeper, Account::kOther) >= us(1'000));
}

TEST_CASE("blocking with preemption disabled is refused") {
  SchedulerRig rig(1, free_os());
  Thread& thread = rig.thread(0);
  thread.preempt_disable();
  SimTime woken;
  rig.start(thread, block(thread, woken));
  CHECK_THROWS_WITH(rig.simulator().run_until(at_us(10)),
                    "thread 0 blocks while its preemption is disabled");
}

Task<> hold(Thread& self, Word owner, Duration working, Duration blocked) {
  co_await self.store(owner, 1);
  co_await self.compute(working);
  co_await self.block_for(blocked);
  co_await self.store(owner, 0);
}

Task<> spin_on_owner(Thread& self, Word owner, const Thread& holder, SimTime& gave_up) {
  co_await self.spin_until(owner, 1);
  co_await self.spin_optimistically(owner, machine::equals(0), &holder);
  gave_up = self.now();
}

TEST_CASE("an optimistic spinner stops when the owner leaves its CPU") {
  SchedulerRig rig(2, free_os());
  Thread& holder = rig.thread(0);
  Thread& spinner = rig.thread(1);
  const Word owner = rig.word();
  SimTime gave_up;
  rig.start(holder, hold(holder, owner, us(100), us(10'000)));
  rig.start(spinner, spin_on_owner(spinner, owner, holder, gave_up));
  rig.run();
  CHECK(gave_up >= at_us(100));
  CHECK(gave_up < at_us(102));
}

TEST_CASE("an optimistic spinner with preemption disabled stops when others should run") {
  SchedulerRig rig(2, free_os());
  Thread& holder = rig.thread(0);
  Thread& spinner = rig.thread(1);
  Thread& other = rig.thread(1);
  const Word owner = rig.word();
  SimTime gave_up;
  SimTime woken;
  spinner.preempt_disable();
  rig.start(holder, hold(holder, owner, us(50'000), us(10)));
  rig.start(spinner, spin_on_owner(spinner, owner, holder, gave_up));
  rig.start(other, sleep(other, us(1), woken));
  rig.run();
  CHECK(gave_up < at_us(10'000));
}

}  // namespace
}  // namespace hotline::os
