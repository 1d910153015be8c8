#include <string>
#include <utility>
#include <vector>

#include "tests/catch.hpp"
#include "tests/unit/os/rig.hpp"

// Work that CPUs do in interrupts, and threads of the kernel's own.
namespace hotline::tests {
namespace {

using engine::Duration;
using engine::SimTime;
using engine::Task;

/// Computes for a while, and notes when it began and on which CPU.
class Work final : public os::InterruptWork {
 public:
  Work(SchedulerRig& rig, Duration length) : rig_(rig), length_(length) {}
  Task<> run(os::Thread& context) override {
    began.push_back(rig_.now());
    cpu = context.cpu().value;
    co_await context.compute(length_);
  }
  std::vector<SimTime> began;
  std::uint32_t cpu = ~0U;

 private:
  SchedulerRig& rig_;
  Duration length_;
};

Task<> compute(os::Thread& self, Duration length, SimTime& ended) {
  co_await self.compute(length);
  ended = self.now();
}

Task<> raise_at(SchedulerRig& rig, Duration when, std::uint32_t cpu, os::InterruptWork& work) {
  co_await rig.simulator().sleep(when);
  rig.scheduler().raise({cpu}, work);
}

TEST_CASE("interrupt work takes its time from the thread it interrupts") {
  SchedulerRig rig(2, free_os());
  SimTime ended;
  os::Thread& thread = rig.thread(1);
  Work work(rig, us(30));
  rig.start(thread, compute(thread, us(100), ended));
  rig.simulator().spawn(raise_at(rig, us(40), 1, work));
  rig.run();
  CHECK(work.began == std::vector<SimTime>{at_us(40)});
  CHECK(work.cpu == 1);
  CHECK(ended == at_us(130));
}

TEST_CASE("an idle CPU does it at once, and work raised twice before it begins is done once") {
  SchedulerRig rig(2, free_os());
  SimTime ended;
  os::Thread& thread = rig.thread(0);
  Work first(rig, us(30));
  Work second(rig, us(10));
  rig.start(thread, compute(thread, us(100), ended));
  rig.simulator().spawn(raise_at(rig, us(40), 1, first));
  rig.simulator().spawn(raise_at(rig, us(50), 1, second));
  rig.simulator().spawn(raise_at(rig, us(60), 1, second));
  rig.run();
  CHECK(first.began == std::vector<SimTime>{at_us(40)});
  CHECK(second.began == std::vector<SimTime>{at_us(70)});
  CHECK(ended == at_us(100));
}

Task<> compute_undisturbed(os::Thread& self, SimTime& ended) {
  self.interrupts_disable();
  co_await self.compute(us(100));
  self.interrupts_enable();
  co_await self.compute(us(10));
  ended = self.now();
}

TEST_CASE("it waits while interrupts are disabled") {
  SchedulerRig rig(1, free_os());
  SimTime ended;
  os::Thread& thread = rig.thread(0);
  Work work(rig, us(30));
  rig.start(thread, compute_undisturbed(thread, ended));
  rig.simulator().spawn(raise_at(rig, us(40), 0, work));
  rig.run();
  CHECK(work.began == std::vector<SimTime>{at_us(100)});
  CHECK(ended == at_us(140));
}

Task<> spin(os::Thread& self, machine::Word word, SimTime& ended) {
  co_await self.spin_until(word, 1);
  ended = self.now();
}

Task<> store_at(os::Thread& self, Duration when, machine::Word word) {
  co_await self.compute(when);
  co_await self.store(word, 1);
}

TEST_CASE("a spin loop makes room for it and looks again afterwards") {
  SchedulerRig rig(2, free_os());
  const machine::Word word = rig.word();
  SimTime ended;
  os::Thread& spinner = rig.thread(0);
  os::Thread& writer = rig.thread(1);
  Work work(rig, us(50));
  rig.start(spinner, spin(spinner, word, ended));
  rig.start(writer, store_at(writer, us(60), word));
  rig.simulator().spawn(raise_at(rig, us(40), 0, work));
  rig.run();
  REQUIRE(work.began.size() == 1);
  CHECK(work.began[0] >= at_us(40));
  CHECK(work.began[0] < at_us(41));
  CHECK(ended >= at_us(90));
  CHECK(ended < at_us(91));
}

/// Notes every switch of CPU 0.
class Switches final : public os::CpuWatcher {
 public:
  void switched(os::CpuId cpu, os::Thread* from, os::Thread* to) override {
    if (cpu.value != 0) return;
    const auto name = [](const os::Thread* thread) {
      return thread == nullptr ? std::string("idle") : thread->name();
    };
    seen.push_back(name(from) + " > " + name(to));
  }
  std::vector<std::string> seen;
};

Task<> reschedule_at(SchedulerRig& rig, Duration when) {
  co_await rig.simulator().sleep(when);
  rig.scheduler().reschedule({0});
}

TEST_CASE("a CPU that looks for a better thread and finds none says so") {
  SchedulerRig rig(1, free_os());
  Switches switches;
  rig.scheduler().watch(switches);
  SimTime ended;
  os::Thread& thread = rig.thread(0);
  rig.start(thread, compute(thread, us(100), ended));
  rig.simulator().spawn(reschedule_at(rig, us(40)));
  rig.run();
  CHECK(ended == at_us(100));
  CHECK(switches.seen ==
        std::vector<std::string>{"idle > thread 0", "thread 0 > thread 0", "thread 0 > idle"});
}

TEST_CASE("in a kernel that cannot be preempted it looks when the thread leaves the kernel") {
  SchedulerRig rig(1, free_os());
  Switches switches;
  rig.scheduler().watch(switches);
  SimTime ended;
  os::Thread& thread = rig.thread(SchedulerRig::Where{.cpu = 0, .in_kernel = true});
  rig.start(thread, compute(thread, us(100), ended));
  rig.simulator().spawn(reschedule_at(rig, us(40)));
  rig.run();
  CHECK(switches.seen == std::vector<std::string>{"idle > thread 0", "thread 0 > idle"});
}

Task<> serve(os::Thread& self, std::vector<SimTime>& woken) {
  co_await self.started();
  while (true) {
    woken.push_back(self.now());
    co_await self.compute(us(5));
    co_await self.block();
  }
}

Task<> wake_at(os::Thread& self, Duration when, os::Thread& other) {
  co_await self.sleep(when);
  co_await self.wake(other);
  co_await self.sleep(when);
  co_await self.wake(other);
  co_await self.sleep(when);
}

TEST_CASE("a kernel thread begins when it is first woken") {
  SchedulerRig rig(2, free_os());
  os::Thread& waker = rig.thread(0);
  os::Thread& worker = rig.scheduler().add_kernel_thread("worker", {1}, {}, {{1}});
  std::vector<SimTime> woken;
  rig.simulator().spawn(serve(worker, woken));
  rig.start(waker, wake_at(waker, us(20), worker));
  rig.run();
  CHECK(woken == std::vector<SimTime>{at_us(20), at_us(40)});
  CHECK(worker.in_kernel());
  CHECK(worker.state() == os::ThreadState::kBlocked);
}

Task<> wake_now(os::Thread& self, Duration when, os::Thread& other) {
  co_await self.sleep(when);
  co_await self.wake(other);
}

TEST_CASE("a kernel thread that gets a CPU in an interrupt begins after it") {
  SchedulerRig rig(2, free_os());
  os::Thread& waker = rig.thread(0);
  os::Thread& worker = rig.scheduler().add_kernel_thread("worker", {1}, {}, {{1}});
  std::vector<SimTime> woken;
  Work work(rig, us(30));
  rig.simulator().spawn(raise_at(rig, us(10), 1, work));
  rig.start(waker, wake_now(waker, us(20), worker));
  rig.simulator().run_until(at_us(25));
  rig.simulator().spawn(serve(worker, woken));  // its program comes last of all
  rig.run();
  rig.simulator().run_until(at_us(100));
  CHECK(woken == std::vector<SimTime>{at_us(40)});
}

Task<> hold_again_and_again(os::Thread& self, SimTime until) {
  while (self.now() < until) {
    self.preempt_disable();
    co_await self.compute(us(10));
    self.preempt_enable();
    co_await self.checkpoint();
  }
}

TEST_CASE("a thread that disables preemption again at once is preempted at its checkpoint") {
  SchedulerRig rig(1, free_os());
  SimTime ended;
  os::Thread& holder = rig.thread(0);
  os::Thread& other = rig.thread(0);
  rig.start(holder, hold_again_and_again(holder, at_us(100'000)));
  rig.start(other, compute(other, us(2'000), ended));
  rig.run();
  CHECK(ended < at_us(20'000));
}

TEST_CASE("the time to a CPU's next ticks is known though it does not tick") {
  SchedulerRig rig(2, free_os());
  const Duration first = rig.scheduler().until_tick({1}, 1);
  CHECK(first <= us(1000));
  CHECK(rig.scheduler().until_tick({1}, 3) == first + us(2000));
}

TEST_CASE("all CPUs tick together, or apart over half a period") {
  const auto apart = [](bool skewed) {
    os::Parameters parameters = free_os();
    parameters.skew_tick = skewed;
    SchedulerRig rig(4, parameters);
    const auto tick = [&](std::uint32_t cpu) {
      return static_cast<std::int64_t>(rig.scheduler().until_tick({cpu}, 1).ps());
    };
    const auto period = static_cast<std::int64_t>(us(1000).ps());
    return (tick(2) - tick(0) + period) % period;  // of ticks a quarter of a period apart
  };
  const auto spread = static_cast<std::int64_t>(us(10).ps());
  const auto quarter = static_cast<std::int64_t>(us(250).ps());
  const std::int64_t together = apart(false);
  CHECK((together <= spread || together >= 4 * quarter - spread));
  CHECK(apart(true) >= quarter - spread);
  CHECK(apart(true) <= quarter + spread);
}

}  // namespace
}  // namespace hotline::tests
