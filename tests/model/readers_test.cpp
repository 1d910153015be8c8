#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "tests/catch.hpp"
#include "tests/model/cases.hpp"

// Locks that readers share, held to what that means. Their writers' side is in conformance_test.cpp
// like any other lock.

namespace hotline::tests {
namespace {

bool is_shared(const model::Entry& row) { return model::has_readers(row.kind); }
bool is_read_write(const model::Entry& row) { return row.kind == model::Kind::kReadWriteLock; }
bool is_sequence(const model::Entry& row) { return row.kind == model::Kind::kSequenceLock; }

/// What the lock protects: two words on lines of their own that are equal outside writers'
/// sections.
struct Pair {
  machine::Word first, second;
};

/// What the threads of a run saw together.
struct Log {
  std::uint32_t readers = 0;  ///< inside now, where they keep writers out
  std::uint32_t writers = 0;  ///< inside now
  std::uint32_t most_readers = 0;
  std::uint32_t broken = 0;  ///< times somebody came in whom the others should have kept out
  std::uint32_t torn = 0;    ///< readings that were accepted though the pair was unequal
  std::uint64_t repeated = 0;
  std::uint64_t writings = 0;
  std::uint32_t unfinished = 0;
  engine::SimTime last;
};

struct Ground {
  Rig& rig;
  Pair pair;
  Log& log;
};

engine::Task<> read_under_lock(Ground ground, os::Thread& self) {
  model::ReadWriteLock& lock = ground.rig.read_write_lock();
  const model::ReadToken token = co_await lock.acquire_read(self);
  Log& log = ground.log;
  log.most_readers = std::max(log.most_readers, ++log.readers);
  if (log.writers != 0) ++log.broken;
  const auto first = co_await self.load(ground.pair.first);
  co_await self.compute(ns(20));
  const auto second = co_await self.load(ground.pair.second);
  if (first != second) ++log.torn;
  if (log.writers != 0) ++log.broken;
  --log.readers;
  co_await lock.release_read(self, token);
}

engine::Task<> read_until_accepted(Ground ground, os::Thread& self) {
  model::SequenceLock& lock = ground.rig.sequence_lock();
  for (;;) {
    const model::ReadToken token = co_await lock.read_begin(self);
    const auto first = co_await self.load(ground.pair.first);
    co_await self.compute(ns(20));
    const auto second = co_await self.load(ground.pair.second);
    const bool again = co_await lock.read_retry(self, token);
    if (again) {
      ++ground.log.repeated;
      continue;
    }
    if (first != second) ++ground.log.torn;
    co_return;
  }
}

engine::Task<> write_pair(Ground ground, os::Thread& self) {
  co_await ground.rig.lock().acquire(self);
  Log& log = ground.log;
  if (log.writers++ != 0 || log.readers != 0) ++log.broken;
  const auto seen = co_await self.load(ground.pair.first);
  co_await self.store(ground.pair.first, seen + 1);
  co_await self.compute(ns(15));
  co_await self.store(ground.pair.second, seen + 1);
  if (log.writers != 1 || log.readers != 0) ++log.broken;
  --log.writers;
  ++log.writings;
  co_await ground.rig.lock().release(self);
}

/// Reads and writes, one writing in `period` on average.
engine::Task<> use(Ground ground, os::Thread& self, std::uint32_t rounds, std::uint32_t period) {
  ++ground.log.unfinished;
  const bool optimistic = ground.rig.is_sequence_lock();
  for (std::uint32_t round = 0; round < rounds; ++round) {
    if (self.random().below(period) == 0) {
      co_await write_pair(ground, self);
    } else if (optimistic) {
      co_await read_until_accepted(ground, self);
    } else {
      co_await read_under_lock(ground, self);
    }
    co_await self.compute(self.random().uniform(ns(0), ns(40)));
  }
  ground.log.last = ground.rig.simulator().now();
  --ground.log.unfinished;
}

Log run_all(Rig& rig, std::uint32_t rounds, std::uint32_t period) {
  Log log;
  const Pair pair{rig.scratch("first"), rig.scratch("second")};
  for (std::uint32_t k = 0; k < rig.threads(); ++k) {
    rig.simulator().spawn(use({rig, pair, log}, rig.thread(k), rounds, period));
  }
  rig.run();
  REQUIRE(log.unfinished == 0);
  REQUIRE(rig.machine().peek(pair.first) == log.writings);
  REQUIRE(rig.machine().peek(pair.second) == log.writings);
  return log;
}

TEST_CASE("writers exclude everybody, readers only writers, and everybody gets through") {
  for_all(is_read_write, [](const Rig::Setup& setup) {
    for (const std::uint32_t period : {2U, 10U}) {
      Rig rig(setup);
      const Log log = run_all(rig, 40, period);
      REQUIRE(log.broken == 0);
      REQUIRE(log.torn == 0);
      // With a writing in two, short sections need not overlap by chance.
      if (period == 10U) REQUIRE(log.most_readers > 1);
      REQUIRE(log.writings > 0);
    }
  });
}

TEST_CASE("readers of a sequence lock never accept a pair that a writer has half changed") {
  std::uint64_t repeated = 0;
  for_all(is_sequence, [&](const Rig::Setup& setup) {
    for (const std::uint32_t period : {2U, 10U}) {
      Rig rig(setup);
      const Log log = run_all(rig, 40, period);
      REQUIRE(log.broken == 0);
      REQUIRE(log.torn == 0);
      REQUIRE(log.writings > 0);
      repeated += log.repeated;
    }
  });
  CHECK(repeated > 1000);
}

TEST_CASE("readers and writers run the same way twice") {
  for_all(is_shared, [](const Rig::Setup& setup) {
    Rig one(setup);
    Rig two(setup);
    run_all(one, 10, 3);
    run_all(two, 10, 3);
    REQUIRE(one.simulator().fingerprint() == two.simulator().fingerprint());
  });
}

TEST_CASE("serving waiters one by one instead of in batches changes no reader's timing") {
  for (const Case& each : cases()) {
    if (!is_shared(entry(each.model))) continue;
    INFO(each.model);
    Rig batched({two_sockets(4), 8, each.model, each.params, 3, {}, true});
    Rig single({two_sockets(4), 8, each.model, each.params, 3, {}, false});
    CHECK(run_all(batched, 25, 4).last.ps() == run_all(single, 25, 4).last.ps());
  }
}

engine::Task<> try_to_read(Rig& rig, std::uint32_t k, std::optional<model::ReadToken>& token) {
  token = co_await rig.read_write_lock().try_acquire_read(rig.thread(k));
}

engine::Task<> end_reading(Rig& rig, std::uint32_t k, model::ReadToken token) {
  co_await rig.read_write_lock().release_read(rig.thread(k), token);
}

engine::Task<> try_to_write(Rig& rig, std::uint32_t k, bool& taken) {
  taken = co_await rig.lock().try_acquire(rig.thread(k));
}

engine::Task<> end_writing(Rig& rig, std::uint32_t k) {
  co_await rig.lock().release(rig.thread(k));
}

/// Tries as readers on CPUs 0 and 1, as a writer on 2; what a try took is given back.
struct Tries {
  std::optional<model::ReadToken> first, second;
  bool writer = true;
};

Tries try_all(Rig& rig) {
  Tries tries;
  rig.simulator().spawn(try_to_read(rig, 0, tries.first));
  rig.run();
  rig.simulator().spawn(try_to_read(rig, 1, tries.second));
  rig.run();
  rig.simulator().spawn(try_to_write(rig, 2, tries.writer));
  rig.run();
  if (tries.first) rig.simulator().spawn(end_reading(rig, 0, *tries.first));
  if (tries.second) rig.simulator().spawn(end_reading(rig, 1, *tries.second));
  rig.run();
  return tries;
}

TEST_CASE("tries of readers share the lock, and fail while a writer has it") {
  for_all(is_read_write, [](const Rig::Setup& setup) {
    Rig rig(setup);
    for (int round = 0; round < 2; ++round) {  // in the second BRAVO's readers go the fast way
      const Tries free = try_all(rig);
      REQUIRE(free.first.has_value());
      REQUIRE(free.second.has_value());
      REQUIRE_FALSE(free.writer);
    }
    bool taken = false;
    rig.simulator().spawn(try_to_write(rig, 2, taken));
    rig.run();
    REQUIRE(taken);
    const Tries held = try_all(rig);
    REQUIRE_FALSE(held.first.has_value());
    REQUIRE_FALSE(held.second.has_value());
    REQUIRE_FALSE(held.writer);
    rig.simulator().spawn(end_writing(rig, 2));
    rig.run();
    REQUIRE(try_all(rig).first.has_value());
  });
}

engine::Task<> try_again_and_again(Ground ground, os::Thread& self, std::uint32_t rounds) {
  model::ReadWriteLock& lock = ground.rig.read_write_lock();
  Log& log = ground.log;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    if (self.random().below(3) != 0) {
      const std::optional<model::ReadToken> token = co_await lock.try_acquire_read(self);
      if (token) {
        ++log.readers;
        if (log.writers != 0) ++log.broken;
        co_await self.compute(ns(25));
        --log.readers;
        co_await lock.release_read(self, *token);
      }
    } else {
      const bool taken = co_await lock.try_acquire_write(self);
      if (taken) {
        if (log.writers++ != 0 || log.readers != 0) ++log.broken;
        co_await self.compute(ns(15));
        --log.writers;
        ++log.writings;
        co_await lock.release_write(self);
      }
    }
    co_await self.compute(self.random().uniform(ns(1), ns(60)));
  }
}

TEST_CASE("readers and writers that only try exclude each other") {
  for_all(is_read_write, [](const Rig::Setup& setup) {
    Rig rig(setup);
    Log log;
    for (std::uint32_t k = 0; k < rig.threads(); ++k) {
      rig.simulator().spawn(try_again_and_again({rig, {}, log}, rig.thread(k), 60));
    }
    rig.run();
    REQUIRE(log.broken == 0);
    REQUIRE(log.writings > 0);
  });
}

machine::Word word_named(const Rig& rig, std::string_view name) {
  for (const model::NamedWord& each : rig.site().named_words()) {
    if (each.name == name) return each.word;
  }
  FAIL("no word " << name);
  return {};
}

/// Takes BRAVO's bias away right after a reader has seen it, as a writer would that overtakes it.
class Overtaking final : public machine::Probe {
 public:
  explicit Overtaking(Rig& rig) : rig_(rig), biased_(word_named(rig, "biased")) {}

  void performed(machine::CpuId, const machine::Access& access, machine::Value result, bool,
                 engine::SimTime) override {
    if (access.word == biased_ && result == 1) rig_.machine().poke(biased_, 0);
  }

 private:
  Rig& rig_;
  machine::Word biased_;
};

TEST_CASE("a reader of BRAVO that a writer overtakes leaves its slot and takes the lock beneath") {
  Rig rig({one_socket(2), 2, "bravo", {{"table", std::int64_t{1}}}});
  const machine::Word slot = word_named(rig, "readers[0].lock");
  const machine::Word counts = word_named(rig, "counts");
  std::optional<model::ReadToken> token;
  rig.simulator().spawn(try_to_read(rig, 0, token));
  rig.run();
  REQUIRE(rig.machine().peek(slot) == 0);
  rig.simulator().spawn(end_reading(rig, 0, token.value()));
  rig.run();

  rig.simulator().spawn(try_to_read(rig, 0, token));
  rig.run();
  CHECK(rig.machine().peek(slot) != 0);
  CHECK(rig.machine().peek(counts) == 0);
  rig.simulator().spawn(end_reading(rig, 0, token.value()));
  rig.run();

  Overtaking writer(rig);
  rig.machine().set_probe(&writer);
  rig.simulator().spawn(try_to_read(rig, 0, token));
  rig.run();
  CHECK(rig.machine().peek(slot) == 0);
  CHECK(rig.machine().peek(counts) != 0);
}

}  // namespace
}  // namespace hotline::tests
