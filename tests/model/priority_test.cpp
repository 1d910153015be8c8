#include <string_view>
#include <vector>

#include "tests/catch.hpp"
#include "tests/model/rig.hpp"

// Priority inheritance: who is served first, and who lends what to whom.

namespace hotline::tests {
namespace {

constexpr engine::Duration us(std::uint64_t count) { return ns(1000 * count); }

constexpr os::Priority real_time(std::uint8_t priority) { return {.real_time = priority}; }

engine::Task<> hold(Rig& rig, std::uint32_t k, engine::Duration arrival, engine::Duration length,
                    std::vector<std::uint32_t>& order) {
  os::Thread& self = rig.thread(k);
  co_await self.started();
  co_await self.sleep(arrival);
  co_await rig.lock().acquire(self);
  order.push_back(k);
  co_await self.compute(length);
  co_await rig.lock().release(self);
  rig.scheduler().end(self);
}

TEST_CASE("waiters of rt-mutex and rt-spin-lock are served by priority") {
  for (const std::string_view model : {"rt-mutex", "rt-spin-lock"}) {
    INFO(model);
    Rig rig({one_socket(4), 4, model});
    for (std::uint32_t k = 1; k < 4; ++k) {
      rig.scheduler().set_priority(rig.thread(k), real_time(static_cast<std::uint8_t>(10 * k)));
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t k = 0; k < 4; ++k) {
      rig.simulator().spawn(hold(rig, k, us(k + 1), us(50), order));
    }
    rig.run();
    CHECK(order == std::vector<std::uint32_t>{0, 3, 2, 1});
  }
}

engine::Task<> compute(Rig& rig, std::uint32_t k, engine::Duration arrival,
                       engine::Duration length) {
  os::Thread& self = rig.thread(k);
  co_await self.started();
  co_await self.sleep(arrival);
  co_await self.compute(length);
  rig.scheduler().end(self);
}

engine::Task<> wait_for_lock(Rig& rig, std::uint32_t k, engine::Duration arrival,
                             engine::Duration& waited) {
  os::Thread& self = rig.thread(k);
  co_await self.started();
  co_await self.sleep(arrival);
  const engine::SimTime began = self.now();
  co_await rig.lock().acquire(self);
  waited = self.now() - began;
  co_await rig.lock().release(self);
  rig.scheduler().end(self);
}

/// On one CPU: thread 0 holds the lock for 100 us, thread 2 waits for it, and thread 1, between
/// them in priority, wants the CPU for 10 ms. Returns how long thread 2 waits.
engine::Duration inversion(std::string_view model) {
  Rig rig({one_socket(1), 3, model});
  rig.scheduler().set_priority(rig.thread(0), real_time(1));
  rig.scheduler().set_priority(rig.thread(1), real_time(50));
  rig.scheduler().set_priority(rig.thread(2), real_time(90));
  std::vector<std::uint32_t> order;
  engine::Duration waited;
  rig.simulator().spawn(hold(rig, 0, us(1), us(100), order));
  rig.simulator().spawn(compute(rig, 1, us(30), us(10'000)));
  rig.simulator().spawn(wait_for_lock(rig, 2, us(20), waited));
  rig.run();
  CHECK(rig.thread(0).priority() == real_time(1));
  return waited;
}

TEST_CASE("a holder runs at its waiter's priority, and has its own back after the release") {
  CHECK(inversion("rt-mutex") < us(120));
  CHECK(inversion("rt-spin-lock") < us(120));
  CHECK(inversion("mutex") > us(10'000));
}

engine::Task<> hold_both(Rig& rig, std::uint32_t k, engine::Duration arrival, model::Lock& other) {
  os::Thread& self = rig.thread(k);
  co_await self.started();
  co_await self.sleep(arrival);
  co_await other.acquire(self);
  co_await rig.lock().acquire(self);
  co_await self.compute(us(10));
  co_await rig.lock().release(self);
  co_await other.release(self);
  rig.scheduler().end(self);
}

engine::Task<> wait_for_other(Rig& rig, std::uint32_t k, engine::Duration arrival,
                              model::Lock& other, engine::Duration& waited) {
  os::Thread& self = rig.thread(k);
  co_await self.started();
  co_await self.sleep(arrival);
  const engine::SimTime began = self.now();
  co_await other.acquire(self);
  waited = self.now() - began;
  co_await other.release(self);
  rig.scheduler().end(self);
}

TEST_CASE("what a waiter lends goes on to the holder of what its holder waits for") {
  Rig rig({one_socket(1), 4, "rt-mutex"});
  model::ParamReader defaults;
  const auto other = entry("rt-mutex").make(rig.site().part("other", {0}), defaults);
  rig.scheduler().set_priority(rig.thread(0), real_time(1));   // holds the first lock
  rig.scheduler().set_priority(rig.thread(1), real_time(2));   // holds the other, wants the first
  rig.scheduler().set_priority(rig.thread(2), real_time(90));  // wants the other
  rig.scheduler().set_priority(rig.thread(3), real_time(50));  // wants the CPU
  std::vector<std::uint32_t> order;
  engine::Duration waited;
  rig.simulator().spawn(hold(rig, 0, us(1), us(100), order));
  rig.simulator().spawn(hold_both(rig, 1, us(10), *other->lock()));
  rig.simulator().spawn(wait_for_other(rig, 2, us(20), *other->lock(), waited));
  rig.simulator().spawn(compute(rig, 3, us(30), us(10'000)));
  rig.run();
  CHECK(waited < us(130));
  CHECK(rig.thread(0).priority() == real_time(1));
  CHECK(rig.thread(1).priority() == real_time(2));
}

}  // namespace
}  // namespace hotline::tests
