#include <string>
#include <vector>

#include "models/catalog.hpp"
#include "tests/catch.hpp"
#include "tests/model/cases.hpp"
#include "tests/model/loops.hpp"

// Every lock with three threads to a CPU, under an operating system that preempts holders and
// waiters: mutual exclusion, and no waiter is ever left asleep.

namespace hotline::tests {
namespace {

constexpr engine::Duration us(std::uint64_t count) { return ns(1000 * count); }

/// Slices as short as a few sections, so that they end everywhere.
os::Parameters short_slices(os::Preemption preemption) {
  os::Parameters p = os::linux_defaults();
  p.hz = 10'000;
  p.preemption = preemption;
  p.latency = us(200);
  p.minimum_slice = us(50);
  p.wakeup_granularity = us(20);
  return p;
}

struct Crowd {
  std::string name;
  os::Parameters os;
  bool in_kernel = true;
  bool pinned = false;
};

std::vector<Crowd> crowds() {
  os::Parameters stolen = short_slices(os::Preemption::kVoluntary);
  stolen.steal = os::Steal{us(300), 200};
  return {{"in user mode", short_slices(os::Preemption::kVoluntary), false, false},
          {"in user mode, pinned", short_slices(os::Preemption::kVoluntary), false, true},
          {"in a kernel with voluntary preemption", short_slices(os::Preemption::kVoluntary)},
          {"in a preemptible kernel", short_slices(os::Preemption::kFull)},
          {"in a preemptible kernel, pinned", short_slices(os::Preemption::kFull), true, true},
          {"in a guest", stolen, false, false}};
}

LoopPlan plan(const Crowd& crowd, const Case& lock, std::uint32_t rounds) {
  LoopPlan plan{.rounds = rounds, .hold = us(2), .think = us(3), .random_think = true};
  plan.ends = true;
  plan.in_kernel = crowd.in_kernel;
  // As the kernel holds its spinlocks.
  plan.unpreempted = crowd.in_kernel && !entry(lock.model).promises.sleeps;
  return plan;
}

struct Result {
  LoopLog log;
  std::uint64_t checked = 0;
  std::uint64_t fingerprint = 0;
};

Result run(const Case& lock, const machine::Description& machine, const Crowd& crowd,
           const engine::TieOrder& ties) {
  Rig::Setup setup{machine, 3 * machine::Topology(machine).cpus(), lock.model, lock.params, 7,
                   ties};
  setup.os = crowd.os;
  setup.pinned = crowd.pinned;
  Rig rig(setup);
  Result result;
  LoopPlan loops = plan(crowd, lock, 20);
  loops.check = rig.scratch("check");
  spawn_loops(rig, loops, result.log);
  rig.run(us(10'000'000));
  result.checked = rig.machine().peek(*loops.check);
  result.fingerprint = rig.simulator().fingerprint();
  return result;
}

TEST_CASE("with more threads than CPUs every lock excludes, lets everyone through, and wakes all") {
  for (const Case& lock : cases()) {
    if (!model::is_lock(entry(lock.model).kind)) continue;
    for (const Crowd& crowd : crowds()) {
      for (const Shape& shape : shapes()) {
        for (const engine::TieOrder& ties : {engine::TieOrder{}, engine::TieOrder{true, 1}}) {
          INFO(lock.model << " on " << shape.name << ' ' << crowd.name << ", ties "
                          << (ties.shuffle ? "shuffled" : "fifo"));
          const std::uint32_t threads = 3 * machine::Topology(shape.machine).cpus();
          const Result result = run(lock, shape.machine, crowd, ties);
          REQUIRE(result.log.broken == 0);
          REQUIRE(result.log.unfinished == 0);
          REQUIRE(result.checked == 20 * threads);
        }
      }
    }
  }
}

/// What readers and writers of one lock see.
struct Sharing {
  std::uint32_t readers = 0;
  std::uint32_t writers = 0;
  std::uint32_t broken = 0;
  std::uint32_t done = 0;
};

engine::Task<> read_and_write(Rig& rig, os::Thread& self, bool in_kernel, bool unpreempted,
                              Sharing& sharing) {
  co_await self.started();
  self.set_in_kernel(in_kernel);
  for (std::uint32_t round = 0; round < 20; ++round) {
    if (unpreempted) self.preempt_disable();
    if ((round + self.id().value) % 4 == 0) {
      co_await rig.read_write_lock().acquire_write(self);
      if (sharing.readers + sharing.writers++ != 0) ++sharing.broken;
      co_await self.compute(us(2));
      --sharing.writers;
      co_await rig.read_write_lock().release_write(self);
    } else {
      const model::ReadToken token = co_await rig.read_write_lock().acquire_read(self);
      ++sharing.readers;
      if (sharing.writers != 0) ++sharing.broken;
      co_await self.compute(us(2));
      --sharing.readers;
      co_await rig.read_write_lock().release_read(self, token);
    }
    if (unpreempted) self.preempt_enable();
    co_await self.compute(self.random().uniform({}, us(6)));
  }
  ++sharing.done;
  rig.scheduler().end(self);
}

TEST_CASE("with more threads than CPUs readers share, writers exclude, and all are woken") {
  for (const Case& lock : cases()) {
    const model::Entry& row = entry(lock.model);
    if (row.kind != model::Kind::kReadWriteLock) continue;
    for (const Crowd& crowd : crowds()) {
      for (const engine::TieOrder& ties : {engine::TieOrder{}, engine::TieOrder{true, 1}}) {
        INFO(lock.model << ' ' << crowd.name << ", ties " << (ties.shuffle ? "shuffled" : "fifo"));
        Rig::Setup setup{two_sockets(3), 18, lock.model, lock.params, 7, ties};
        setup.os = crowd.os;
        setup.pinned = crowd.pinned;
        Rig rig(setup);
        Sharing sharing;
        const bool unpreempted = crowd.in_kernel && !row.promises.sleeps;
        for (std::uint32_t k = 0; k < 18; ++k) {
          rig.simulator().spawn(
              read_and_write(rig, rig.thread(k), crowd.in_kernel, unpreempted, sharing));
        }
        rig.run(us(10'000'000));
        REQUIRE(sharing.broken == 0);
        REQUIRE(sharing.done == 18);
      }
    }
  }
}

engine::Task<> add_loop(Rig& rig, os::Thread& self, std::uint32_t rounds) {
  co_await self.started();
  for (std::uint32_t round = 0; round < rounds; ++round) {
    co_await rig.counter().add(self, round % 5 == 4 ? -2 : 3);
    co_await self.compute(self.random().exponential(ns(500)));
  }
  rig.scheduler().end(self);
}

TEST_CASE("with more threads than CPUs counters that promise it lose no update") {
  for (const Case& counter : cases()) {
    const model::Entry& row = entry(counter.model);
    if (row.kind != model::Kind::kCounter || !row.promises.exact) continue;
    for (const Crowd& crowd : crowds()) {
      INFO(counter.model << ' ' << crowd.name);
      Rig::Setup setup{two_sockets(3), 18, counter.model, counter.params, 7};
      setup.os = crowd.os;
      setup.pinned = crowd.pinned;
      Rig rig(setup);
      for (std::uint32_t k = 0; k < 18; ++k) {
        rig.simulator().spawn(add_loop(rig, rig.thread(k), 300));
      }
      rig.run(us(10'000'000));
      REQUIRE(rig.counter().total() == 18 * (240 * 3 - 60 * 2));
    }
  }
}

engine::Task<> hold_in_turn(Rig& rig, std::uint32_t k, std::vector<std::uint32_t>& order) {
  os::Thread& self = rig.thread(k);
  co_await self.started();
  co_await self.sleep(us(20) * k);
  co_await rig.lock().acquire(self);
  order.push_back(k);
  co_await self.compute(us(500));
  co_await rig.lock().release(self);
  rig.scheduler().end(self);
}

TEST_CASE("ticket-blocking and queued-fifo serve sleepers in the order of arrival") {
  for (const std::string_view model : {"ticket-blocking", "queued-fifo"}) {
    INFO(model);
    Rig::Setup setup{one_socket(3), 9, model};
    setup.os = short_slices(os::Preemption::kVoluntary);
    setup.pinned = false;
    Rig rig(setup);
    std::vector<std::uint32_t> order;
    for (std::uint32_t k = 0; k < 9; ++k) rig.simulator().spawn(hold_in_turn(rig, k, order));
    rig.run();
    CHECK(order == std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8});
  }
}

TEST_CASE("a crowd runs the same way twice") {
  for (const Case& lock : cases()) {
    if (!entry(lock.model).promises.sleeps) continue;
    for (const Crowd& crowd : crowds()) {
      INFO(lock.model << ' ' << crowd.name);
      const Result once = run(lock, two_sockets(3), crowd, {true, 5});
      const Result again = run(lock, two_sockets(3), crowd, {true, 5});
      REQUIRE(once.fingerprint == again.fingerprint);
    }
  }
}

}  // namespace
}  // namespace hotline::tests
