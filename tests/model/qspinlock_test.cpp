#include <algorithm>
#include <vector>

#include "tests/catch.hpp"
#include "tests/model/loops.hpp"

// What of qspinlock neither the golden traces nor the conformance tests show.

namespace hotline::tests {
namespace {

using machine::Op;

/// Notes which operations a CPU performs.
class Operations final : public machine::Probe {
 public:
  explicit Operations(std::uint32_t cpu) : cpu_(cpu) {}

  void performed(machine::CpuId cpu, const machine::Access& access, machine::Value, bool,
                 engine::SimTime) override {
    if (cpu.value == cpu_) seen_.push_back(access.op);
  }

  bool has(Op op) const { return std::find(seen_.begin(), seen_.end(), op) != seen_.end(); }

 private:
  std::uint32_t cpu_;
  std::vector<Op> seen_;
};

engine::Task<> hold_once(Rig& rig, std::uint32_t k, engine::Duration arrival, int& done) {
  os::Thread& self = rig.thread(k);
  co_await rig.simulator().sleep(arrival);
  co_await rig.lock().acquire(self);
  co_await self.compute(ns(2000));
  co_await rig.lock().release(self);
  ++done;
}

TEST_CASE("a waiter whose CPU has no queue node left tries until it gets the lock") {
  Rig rig({one_socket(3), 3, "qspinlock"});
  const auto nodes =
      rig.site().per_cpu_stack("qspinlock node", {{"next", 64}, {"locked", 32}, {"count", 32}}, 4);
  for (int k = 0; k < 4; ++k) REQUIRE(nodes->take({2}).has_value());

  Operations third(2);
  rig.machine().set_probe(&third);
  int done = 0;
  for (std::uint32_t k = 0; k < 3; ++k) {
    rig.simulator().spawn(hold_once(rig, k, ns(500 * k), done));
  }
  rig.run();
  CHECK(done == 3);
  CHECK_FALSE(third.has(Op::kExchange));  // it never joined the queue
}

TEST_CASE("a waiter gives its queue node back") {
  Rig rig({one_socket(3), 3, "qspinlock"});
  LoopLog log;
  spawn_loops(rig, {.rounds = 20, .hold = ns(50), .think = ns(5)}, log);
  rig.run();
  const auto nodes =
      rig.site().per_cpu_stack("qspinlock node", {{"next", 64}, {"locked", 32}, {"count", 32}}, 4);
  for (std::uint32_t cpu = 0; cpu < 3; ++cpu) CHECK(nodes->take({cpu}) == 4 * cpu);
}

}  // namespace
}  // namespace hotline::tests
