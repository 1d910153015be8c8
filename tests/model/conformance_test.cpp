#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/model/cases.hpp"
#include "tests/model/loops.hpp"

// Every lock and counter of the catalogue, held to what it promises, on machines of every shape and
// under several orders of simultaneous events. A new model is tested without a line here.

namespace hotline::tests {
namespace {

using machine::Op;

bool has_lock(const model::Entry& row) { return model::is_lock(row.kind); }
bool has_counter(const model::Entry& row) { return model::is_counter(row.kind); }

/// Notes in which order threads arrive, by the first successful operation of a kind that each
/// performs while it acquires, and checks that they get the lock in that order.
class ArrivalOrder final : public machine::Probe, public Watcher {
 public:
  ArrivalOrder(std::vector<Op> arrivals, std::uint32_t threads)
      : arrivals_(std::move(arrivals)), acquiring_(threads, false), queued_(threads, false) {}

  void performed(machine::CpuId cpu, const machine::Access& access, machine::Value seen, bool,
                 engine::SimTime) override {
    const bool failed = access.op == Op::kCompareExchange && seen != access.expected;
    const bool arrives =
        std::find(arrivals_.begin(), arrivals_.end(), access.op) != arrivals_.end();
    if (!arrives || failed || !acquiring_[cpu.value] || queued_[cpu.value]) return;
    queued_[cpu.value] = true;
    queue_.push_back(cpu.value);
  }

  void begins(std::uint32_t thread) override { acquiring_[thread] = true; }

  void acquired(std::uint32_t thread) override {
    acquiring_[thread] = false;
    if (!queued_[thread]) return;
    queued_[thread] = false;
    if (queue_.front() != thread) ++overtakings_;
    queue_.erase(std::find(queue_.begin(), queue_.end(), thread));
    ++served_;
  }

  std::uint32_t overtakings() const { return overtakings_; }
  std::uint32_t served() const { return served_; }

 private:
  std::vector<Op> arrivals_;
  std::vector<bool> acquiring_;
  std::vector<bool> queued_;
  std::deque<std::uint32_t> queue_;
  std::uint32_t overtakings_ = 0;
  std::uint32_t served_ = 0;
};

TEST_CASE("every lock keeps mutual exclusion and lets everyone through") {
  for_all(has_lock, [](const Rig::Setup& setup) {
    Rig rig(setup);
    const machine::Word check = rig.scratch("check");
    LoopLog log;
    spawn_loops(
        rig, {.rounds = 30, .hold = ns(15), .think = ns(40), .random_think = true, .check = check},
        log);
    rig.run();
    REQUIRE(log.broken == 0);
    REQUIRE(log.unfinished == 0);
    REQUIRE(log.acquisitions == 30 * setup.threads);
    REQUIRE(rig.machine().peek(check) == 30 * setup.threads);
  });
}

TEST_CASE("locks that promise it serve in the order of arrival") {
  const auto is_fifo = [](const model::Entry& row) { return row.promises.fifo; };
  for_all(is_fifo, [](const Rig::Setup& setup) {
    Rig rig(setup);
    ArrivalOrder order({Op::kFetchAdd, Op::kExchange, Op::kCompareExchange}, setup.threads);
    rig.machine().set_probe(&order);
    LoopLog log;
    spawn_loops(rig, {.rounds = 30, .hold = ns(25), .think = ns(20), .random_think = true}, log,
                &order);
    rig.run();
    REQUIRE(order.served() == 30 * setup.threads);
    REQUIRE(order.overtakings() == 0);
  });
}

TEST_CASE("qspinlock serves its queue in the order of joining it") {
  const auto is_queued = [](const model::Entry& row) { return row.name == "qspinlock"; };
  for_all(is_queued, [](const Rig::Setup& setup) {
    Rig rig(setup);
    ArrivalOrder order({Op::kExchange}, setup.threads);
    rig.machine().set_probe(&order);
    LoopLog log;
    spawn_loops(rig, {.rounds = 30, .hold = ns(25), .think = ns(20)}, log, &order);
    rig.run();
    REQUIRE(order.served() > 5 * setup.threads);
    REQUIRE(order.overtakings() == 0);
  });
}

engine::Task<> try_once(Rig& rig, std::uint32_t thread, bool& taken) {
  taken = co_await rig.lock().try_acquire(rig.thread(thread));
}

engine::Task<> release_once(Rig& rig, std::uint32_t thread) {
  co_await rig.lock().release(rig.thread(thread));
}

engine::Task<> acquire_once(Rig& rig, std::uint32_t thread) {
  co_await rig.lock().acquire(rig.thread(thread));
}

TEST_CASE("a try takes a free lock, fails on a held one, and leaves it usable") {
  for_all(has_lock, [](const Rig::Setup& setup) {
    Rig rig(setup);
    bool first = false;
    bool second = true;
    bool third = false;
    rig.simulator().spawn(try_once(rig, 0, first));
    rig.run();
    rig.simulator().spawn(try_once(rig, 1, second));
    rig.run();
    rig.simulator().spawn(release_once(rig, 0));
    rig.run();
    rig.simulator().spawn(try_once(rig, 1, third));
    rig.run();
    rig.simulator().spawn(release_once(rig, 1));
    rig.run();
    rig.simulator().spawn(acquire_once(rig, 0));
    rig.run();
    rig.simulator().spawn(release_once(rig, 0));
    rig.run();
    REQUIRE(first);
    REQUIRE_FALSE(second);
    REQUIRE(third);
  });
}

engine::Task<> try_loop(Rig& rig, os::Thread& self, std::uint32_t rounds, machine::Word check,
                        std::uint64_t& taken) {
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const bool mine = co_await rig.lock().try_acquire(self);
    if (mine) {
      ++taken;
      const auto seen = co_await self.load(check);
      co_await self.compute(ns(9));
      co_await self.store(check, seen + 1);
      co_await rig.lock().release(self);
    }
    co_await self.compute(self.random().uniform(ns(1), ns(60)));
  }
}

TEST_CASE("threads that only try exclude each other") {
  for_all(has_lock, [](const Rig::Setup& setup) {
    Rig rig(setup);
    const machine::Word check = rig.scratch("check");
    std::uint64_t taken = 0;
    for (std::uint32_t k = 0; k < rig.threads(); ++k) {
      rig.simulator().spawn(try_loop(rig, rig.thread(k), 40, check, taken));
    }
    rig.run();
    REQUIRE(taken > 0);
    REQUIRE(rig.machine().peek(check) == taken);
  });
}

engine::Task<> add_loop(Rig& rig, os::Thread& self, std::uint32_t rounds, bool local) {
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::int64_t amount = round % 5 == 4 ? -2 : 3;
    if (local) {
      co_await rig.counter().add_local(self, amount);
    } else {
      co_await rig.counter().add(self, amount);
    }
    co_await self.compute(self.random().exponential(ns(8)));
  }
}

engine::Task<> sum_once(Rig& rig, std::int64_t& sum) {
  sum = co_await rig.counter().sum(rig.thread(0));
}

TEST_CASE("counters that promise it lose no update, and their exact reading says so") {
  const auto is_exact = [](const model::Entry& row) {
    return has_counter(row) && row.promises.exact;
  };
  for (const bool local : {false, true}) {
    for_all(is_exact, [&](const Rig::Setup& setup) {
      Rig rig(setup);
      for (std::uint32_t k = 0; k < rig.threads(); ++k) {
        rig.simulator().spawn(add_loop(rig, rig.thread(k), 50, local));
      }
      rig.run();
      const std::int64_t expected = std::int64_t{setup.threads} * (40 * 3 - 10 * 2);
      std::int64_t sum = 0;
      rig.simulator().spawn(sum_once(rig, sum));
      rig.run();
      REQUIRE(rig.counter().total() == expected);
      REQUIRE(sum == expected);
    });
  }
}

engine::Task<> hammer(Rig& rig, os::Thread& self, std::uint32_t rounds) {
  for (std::uint32_t round = 0; round < rounds; ++round) co_await rig.counter().add(self, 1);
}

TEST_CASE("the plain counter loses updates under contention") {
  Rig rig({one_socket(4), 4, "plain"});
  for (std::uint32_t k = 0; k < 4; ++k) rig.simulator().spawn(hammer(rig, rig.thread(k), 500));
  rig.run();
  REQUIRE(rig.counter().total() < 2000);
  REQUIRE(rig.counter().total() >= 500);
}

TEST_CASE("the same seed gives the same run, another tie order none that breaks") {
  for_all([](const model::Entry& row) { return has_lock(row) || has_counter(row); },
          [](const Rig::Setup& setup) {
            std::uint64_t fingerprints[2] = {};
            for (std::uint64_t& fingerprint : fingerprints) {
              Rig rig(setup);
              LoopLog log;
              if (has_lock(entry(setup.model))) {
                spawn_loops(
                    rig, {.rounds = 10, .hold = ns(9), .think = ns(9), .random_think = true}, log);
              } else {
                for (std::uint32_t k = 0; k < rig.threads(); ++k) {
                  rig.simulator().spawn(add_loop(rig, rig.thread(k), 10, false));
                }
              }
              rig.run();
              fingerprint = rig.simulator().fingerprint();
            }
            REQUIRE(fingerprints[0] == fingerprints[1]);
          });
}

TEST_CASE("serving waiters one by one instead of in batches changes no lock's timing") {
  for (const Case& each : cases()) {
    if (!has_lock(entry(each.model))) continue;
    engine::SimTime ends[2];
    for (const bool batching : {false, true}) {
      INFO(each.model);
      Rig rig({two_sockets(4), 8, each.model, each.params, 3, {}, batching});
      LoopLog log;
      spawn_loops(rig, {.rounds = 25, .hold = ns(30), .think = ns(35), .random_think = true}, log);
      rig.run();
      ends[batching ? 1 : 0] = log.last_release;
    }
    INFO(each.model);
    CHECK(ends[0].ps() == ends[1].ps());
  }
}

/// Compares the cheap reading with the truth again and again while others add.
engine::Task<> compare_readings(Rig& rig, os::Thread& self, std::uint32_t rounds,
                                std::int64_t allowed, std::uint32_t& wrong) {
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const std::int64_t central = co_await rig.counter().read(self);
    const std::int64_t error = rig.counter().total() - central;
    if (error > allowed || -error > allowed) ++wrong;
    co_await self.compute(ns(50));
  }
}

engine::Task<> add_ones(Rig& rig, os::Thread& self, std::uint32_t rounds) {
  for (std::uint32_t round = 0; round < rounds; ++round) {
    co_await rig.counter().add(self, 1);
    co_await self.compute(self.random().exponential(ns(8)));
  }
}

/// Counts the locked adds on a line.
class FlushCounter final : public machine::Probe {
 public:
  explicit FlushCounter(machine::LineId line) : line_(line) {}
  void performed(machine::CpuId, const machine::Access& access, machine::Value, bool,
                 engine::SimTime) override {
    if (access.op == Op::kAdd && access.word.line == line_) ++count_;
  }
  std::uint32_t count() const { return count_; }

 private:
  machine::LineId line_;
  std::uint32_t count_ = 0;
};

TEST_CASE("vmstat's global word is off by at most threshold times CPUs, and what is on its way") {
  for (const Shape& shape : shapes()) {
    const machine::Topology topology(shape.machine);
    const std::uint32_t cpus = topology.cpus();
    Rig rig({shape.machine, cpus, "vmstat", {{"threshold", std::int64_t{5}}}});
    std::uint32_t wrong = 0;
    constexpr std::uint32_t kOnItsWay = 5 + 1 + 5 / 2;
    rig.simulator().spawn(compare_readings(rig, rig.thread(0), 200, (5 + kOnItsWay) * cpus, wrong));
    for (std::uint32_t k = 1; k < cpus; ++k) {
      rig.simulator().spawn(add_ones(rig, rig.thread(k), 400));
    }
    rig.run();
    rig.simulator().spawn(compare_readings(rig, rig.thread(0), 1, 5 * cpus, wrong));
    rig.run();
    INFO(shape.name);
    CHECK(wrong == 0);
  }
}

TEST_CASE("one increment in one and a half thresholds reaches vmstat's shared words") {
  Rig rig({one_socket(4), 4, "vmstat", {{"threshold", std::int64_t{40}}}});
  machine::LineId zone;
  for (const model::NamedWord& each : rig.site().named_words()) {
    if (each.name == "zone") zone = each.word.line;
  }
  FlushCounter flushes(zone);
  rig.machine().set_probe(&flushes);
  for (std::uint32_t k = 0; k < 4; ++k) {
    rig.simulator().spawn(add_ones(rig, rig.thread(k), 6000));
  }
  rig.run();
  CHECK(flushes.count() == Approx(4 * 6000 / 61.0).epsilon(0.02));
}

TEST_CASE("the central count of percpu-counter is off by at most batch times CPUs") {
  for (const Shape& shape : shapes()) {
    for (const std::int64_t batch : {2, 7, 40}) {
      INFO(shape.name << ", batch " << batch);
      const std::uint32_t cpus = machine::Topology(shape.machine).cpus();
      Rig rig({shape.machine, cpus, "percpu-counter", {{"batch", batch}}});
      std::uint32_t wrong = 0;
      for (std::uint32_t k = 1; k < cpus; ++k) {
        rig.simulator().spawn(add_ones(rig, rig.thread(k), 300));
      }
      rig.simulator().spawn(compare_readings(rig, rig.thread(0), 60, batch * cpus, wrong));
      rig.run();
      REQUIRE(wrong == 0);
      REQUIRE(rig.counter().total() == std::int64_t{cpus - 1} * 300);
    }
  }
}

}  // namespace
}  // namespace hotline::tests
