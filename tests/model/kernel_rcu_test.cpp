#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "tests/catch.hpp"
#include "tests/model/rcu_rig.hpp"

// What the kernel's RCU does: how long it takes, who is interrupted, how callbacks are invoked.

namespace hotline::tests {
namespace {

using engine::Duration;
using engine::Task;
using model::Milestone;
using os::Preemption;

Task<> wait_once(RcuRig& rig, std::uint32_t k, bool expedited, Duration before) {
  os::Thread& self = rig.thread(k);
  co_await self.sleep(before);
  if (expedited) {
    co_await rig.rcu().synchronize_expedited(self);
  } else {
    co_await rig.rcu().synchronize(self);
  }
}

Task<> compute(RcuRig& rig, std::uint32_t k, Duration length) {
  co_await rig.thread(k).compute(length);
}

Task<> measure(RcuRig& rig, std::uint32_t k, bool expedited, int rounds, Duration& mean) {
  os::Thread& self = rig.thread(k);
  Duration all;
  for (int round = 0; round < rounds; ++round) {
    co_await self.sleep(us(20'000 + self.random().below(20'000)));
    const engine::SimTime began = self.now();
    if (expedited) {
      co_await rig.rcu().synchronize_expedited(self);
    } else {
      co_await rig.rcu().synchronize(self);
    }
    all += self.now() - began;
  }
  mean = all / static_cast<std::uint64_t>(rounds);
}

Duration latency(std::uint32_t hz, Preemption preemption, std::uint32_t busy, bool expedited) {
  RcuRig rig({two_sockets(8), ticking(hz, preemption), 1 + busy});
  Duration mean;
  for (std::uint32_t k = 1; k <= busy; ++k) rig.start(k, compute(rig, k, ms(4000)));
  rig.start(0, measure(rig, 0, expedited, 30, mean));
  rig.run();
  return mean;
}

TEST_CASE("a normal grace period takes ticks: about J + 1.5 to J + 3.5 of them") {
  // Half a tick more than arithmetic on the steps has it where all ticks come at once, so that CPUs
  // fail to get their leaf's lock and try again a tick later.
  for (const std::uint32_t busy : {0U, 8U}) {
    INFO(busy << " CPUs are busy");
    const Duration at_1000 = latency(1000, Preemption::kNone, busy, false);
    const Duration at_250 = latency(250, Preemption::kNone, busy, false);
    const Duration at_100 = latency(100, Preemption::kNone, busy, false);
    CAPTURE(at_1000.ns() / 1e6, at_250.ns() / 1e6, at_100.ns() / 1e6);
    CHECK(at_1000 >= us(4'500));
    CHECK(at_1000 <= us(6'000));
    CHECK(at_250 >= us(9'500));
    CHECK(at_250 <= us(18'000));
    CHECK(at_100 >= us(24'000));
    CHECK(at_100 <= us(45'000));
  }
}

TEST_CASE("an expedited one takes interrupts: tens to hundreds of microseconds") {
  for (const Preemption preemption : {Preemption::kNone, Preemption::kFull}) {
    const Duration busy = latency(250, preemption, 15, true);
    CAPTURE(busy.ns() / 1e6);
    CHECK(busy >= us(10));
    CHECK(busy <= us(500));
  }
}

TEST_CASE("callers that come together share a grace period") {
  RcuRig rig({two_sockets(8), ticking(250), 16});
  for (std::uint32_t k = 0; k < 16; ++k) rig.start(k, wait_once(rig, k, false, ms(10)));
  rig.run();
  CHECK(rig.count(Milestone::kReturned) == 16);
  CHECK(rig.count(Milestone::kEnded) <= 2);
}

TEST_CASE("callers of expedited ones join who came before them") {
  RcuRig rig({two_sockets(8), ticking(250), 16});
  for (std::uint32_t k = 0; k < 16; ++k) rig.start(k, wait_once(rig, k, true, ms(10)));
  rig.run();
  CHECK(rig.count(Milestone::kReturned, true) == 16);
  CHECK(rig.count(Milestone::kJoined, true) >= 12);
  CHECK(rig.count(Milestone::kEnded, true) <= 3);
}

TEST_CASE("a real-time kernel makes expedited grace periods normal and interrupts nobody") {
  RcuRig rig({two_sockets(4), ticking(250, Preemption::kRealTime), 8});
  for (std::uint32_t k = 1; k < 8; ++k) rig.start(k, compute(rig, k, ms(60)));
  rig.start(0, wait_once(rig, 0, true, ms(5)));
  rig.run();
  CHECK(rig.count(Milestone::kMadeNormal) == 1);
  CHECK(rig.count(Milestone::kInterrupted, true) == 0);
  CHECK(rig.count(Milestone::kEnded, true) == 0);
  CHECK(rig.count(Milestone::kEnded) == 1);
}

TEST_CASE("that rule can be set aside") {
  RcuRig rig({two_sockets(4),
              ticking(250, Preemption::kRealTime),
              8,
              "rcu",
              {{"rcu_normal", std::string("no")}}});
  for (std::uint32_t k = 1; k < 8; ++k) rig.start(k, compute(rig, k, ms(60)));
  rig.start(0, wait_once(rig, 0, true, ms(5)));
  rig.run();
  CHECK(rig.count(Milestone::kInterrupted, true) >= 6);
  CHECK(rig.count(Milestone::kEnded, true) == 1);
}

class Count final : public model::RcuCallback {
 public:
  explicit Count(std::uint64_t& done) : done_(done) {}
  Task<> invoke(model::Thread& self) override {
    ++done_;
    co_await self.compute(ns(20));
  }

 private:
  std::uint64_t& done_;
};

Task<> flood(RcuRig& rig, std::uint32_t k, std::uint64_t callbacks, std::uint64_t& done) {
  os::Thread& self = rig.thread(k);
  for (std::uint64_t one = 0; one < callbacks; ++one) {
    auto callback = std::make_unique<Count>(done);
    co_await rig.rcu().call(self, std::move(callback));
  }
  while (done < callbacks) co_await self.compute(us(50));
}

TEST_CASE("a busy CPU invokes its callbacks a batch at a time") {
  RcuRig rig({one_socket(4), ticking(1000), 1});
  std::uint64_t done = 0;
  rig.start(0, flood(rig, 0, 1000, done));
  rig.run();
  CHECK(done == 1000);
  CHECK(rig.rcu().pending() == 0);
  std::uint64_t invoked = 0;
  for (const model::RcuEvent& event : rig.events()) {
    if (event.what != Milestone::kInvoked) continue;
    CHECK(event.count <= 10);
    invoked += event.count;
  }
  CHECK(invoked == 1000);
}

TEST_CASE("ten thousand callbacks of a CPU make it hurry") {
  RcuRig rig({one_socket(4), ticking(1000), 1});
  std::uint64_t done = 0;
  rig.start(0, flood(rig, 0, 40'000, done));
  rig.run();
  CHECK(done == 40'000);
  const auto largest =
      std::max_element(rig.events().begin(), rig.events().end(),
                       [](const auto& a, const auto& b) { return a.count < b.count; });
  CHECK(largest->what == Milestone::kInvoked);
  CHECK(largest->count > 100);
}

Task<> read_long(RcuRig& rig, std::uint32_t k, Duration length, engine::SimTime& left) {
  os::Thread& self = rig.thread(k);
  const model::ReadToken token = co_await rig.rcu().read_lock(self);
  co_await self.compute(length);
  left = self.now();
  co_await rig.rcu().read_unlock(self, token);
}

TEST_CASE("a preempted reader holds a grace period up, and its end releases it") {
  RcuRig rig({one_socket(2), ticking(1000, Preemption::kFull), 4});
  engine::SimTime left;
  rig.start(0, read_long(rig, 0, ms(30), left));  // shares CPU 0 with thread 2
  rig.start(2, compute(rig, 2, ms(60)));
  rig.start(1, wait_once(rig, 1, false, ms(10)));
  rig.run();
  CHECK(rig.count(Milestone::kPreempted) >= 1);
  CHECK(rig.first(Milestone::kEnded) > left);
  CHECK(rig.first(Milestone::kEnded) < left + ms(1));
}

TEST_CASE("a reader that nothing preempts is left alone by an expedited grace period") {
  for (const Preemption preemption : {Preemption::kNone, Preemption::kFull}) {
    RcuRig rig({one_socket(2), ticking(1000, preemption), 2});
    engine::SimTime left;
    rig.start(0, read_long(rig, 0, ms(30), left));
    rig.start(1, wait_once(rig, 1, true, ms(10)));
    rig.run();
    CHECK(rig.count(Milestone::kInterrupted, true) == 1);
    const engine::SimTime ended = rig.first(Milestone::kEnded);
    CHECK(ended > left);
    CHECK(ended < left + us(300));  // an idle CPU is woken for it
  }
}

Task<> free_many(RcuRig& rig, std::uint32_t k, std::uint64_t count, std::uint64_t& done) {
  os::Thread& self = rig.thread(k);
  for (std::uint64_t one = 0; one < count; ++one) {
    auto callback = std::make_unique<Count>(done);
    co_await rig.rcu().call_to_free(self, std::move(callback));
  }
  while (done < count) co_await self.sleep(ms(1));
}

TEST_CASE("kfree_rcu waits for five seconds, or for a page to fill") {
  const auto takes = [](std::uint64_t count) {
    RcuRig rig({one_socket(4), ticking(250), 1});
    std::uint64_t done = 0;
    rig.start(0, free_many(rig, 0, count, done));
    rig.run();
    CHECK(done == count);
    CHECK(rig.rcu().pending() == 0);
    CHECK(rig.count(Milestone::kEnded) == 1);  // one grace period for all
    return rig.simulator().now() - engine::SimTime();
  };
  const Duration few = takes(10);
  CHECK(few > ms(5'000));
  CHECK(few < ms(5'040));
  CHECK(takes(600) < ms(40));
}

Task<> read_without_pause(RcuRig& rig, std::uint32_t k, engine::SimTime until) {
  os::Thread& self = rig.thread(k);
  while (self.now() < until) {
    const model::ReadToken token = co_await rig.rcu().read_lock(self);
    co_await self.compute(us(10));
    co_await rig.rcu().read_unlock(self, token);
  }
}

TEST_CASE("a reader that begins the next section as soon as one ends lets expedited ones end") {
  for (const Preemption preemption : {Preemption::kNone, Preemption::kFull}) {
    RcuRig rig({one_socket(2), ticking(250, preemption), 2});
    rig.start(0, read_without_pause(rig, 0, engine::SimTime() + ms(20)));
    rig.start(1, wait_once(rig, 1, true, ms(10)));
    rig.run();
    CHECK(rig.first(Milestone::kEnded) < engine::SimTime() + ms(11));
  }
}

TEST_CASE("without ticks a grace period is refused") {
  RcuRig rig({one_socket(2), ticking(0), 1});
  CHECK_THROWS_AS(rig.rcu().synchronize(rig.thread(0)), std::invalid_argument);
}

}  // namespace
}  // namespace hotline::tests
