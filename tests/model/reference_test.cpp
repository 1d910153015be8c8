#include <algorithm>
#include <string_view>

#include "tests/catch.hpp"
#include "tests/model/cases.hpp"
#include "tests/model/rig.hpp"

// Every reference of the catalogue: the last user is told so, once, and nobody before the last.

namespace hotline::tests {
namespace {

bool is_wanted(const model::Entry& row) { return model::is_reference(row.kind); }

/// What an observer of all users knows.
struct Log {
  std::int64_t surely_used = 0;  ///< users between the end of a get and the beginning of a put
  std::uint32_t told_last = 0;
  std::uint32_t told_too_early = 0;
  std::uint32_t seen_unused_too_early = 0;
  std::uint32_t refused = 0;
};

engine::Task<> put_once(Rig& rig, os::Thread& self, Log& log) {
  --log.surely_used;
  const bool last = co_await rig.reference().put(self);
  if (!last) co_return;
  ++log.told_last;
  if (log.surely_used > 0) ++log.told_too_early;
}

engine::Task<> come_and_go(Rig& rig, os::Thread& self, std::uint32_t rounds, Log& log) {
  for (std::uint32_t round = 0; round < rounds; ++round) {
    bool got = true;
    if (round % 3 == 2) {
      got = co_await rig.reference().try_get(self);
    } else {
      co_await rig.reference().get(self);
    }
    if (got) {
      ++log.surely_used;
      co_await self.compute(self.random().exponential(ns(30)));
      co_await put_once(rig, self, log);
    } else {
      ++log.refused;
    }
    co_await self.compute(self.random().exponential(ns(30)));
  }
}

engine::Task<> ask(Rig& rig, os::Thread& self, std::uint32_t rounds, Log& log) {
  for (std::uint32_t round = 0; round < rounds; ++round) {
    const bool used = co_await rig.reference().query(self);
    if (!used && log.surely_used > 0) ++log.seen_unused_too_early;
    co_await self.compute(ns(20));
  }
}

/// The owner of models that begin with a user is that user; of others it is the first to come.
engine::Task<> own(Rig& rig, Log& log) {
  if (rig.reference().users() == 0) co_await rig.reference().get(rig.thread(0));
  ++log.surely_used;
}

engine::Task<> disown(Rig& rig, Log& log) {
  --log.surely_used;
  const bool last = co_await rig.reference().kill(rig.thread(0));
  if (!last) co_return;
  ++log.told_last;
  if (log.surely_used > 0) ++log.told_too_early;
}

TEST_CASE("while its owner has it, nobody is the last user and a query says it is used") {
  for_all(is_wanted, [](const Rig::Setup& setup) {
    Rig rig(setup);
    Log log;
    rig.simulator().spawn(own(rig, log));
    rig.run();
    for (std::uint32_t k = 1; k < rig.threads(); ++k) {
      rig.simulator().spawn(come_and_go(rig, rig.thread(k), 40, log));
    }
    rig.simulator().spawn(ask(rig, rig.thread(0), 40, log));
    rig.run();
    REQUIRE(log.told_last == 0);
    REQUIRE(log.refused == 0);
    REQUIRE(log.seen_unused_too_early == 0);
    REQUIRE(rig.reference().users() == 1);
    rig.simulator().spawn(disown(rig, log));
    rig.run();
    REQUIRE(log.told_last == 1);
    REQUIRE(rig.reference().users() == 0);
  });
}

/// Gets once, and puts long after the owner has gone.
engine::Task<> stay(Rig& rig, os::Thread& self, Log& log) {
  co_await rig.reference().get(self);
  ++log.surely_used;
  co_await self.compute(self.random().uniform(ns(20'000), ns(20'000'000)));
  co_await put_once(rig, self, log);
}

TEST_CASE("when the owner goes first, the last user is told so, once") {
  for_all(is_wanted, [](const Rig::Setup& setup) {
    Rig rig(setup);
    Log log;
    rig.simulator().spawn(own(rig, log));
    rig.run();
    for (std::uint32_t k = 1; k < rig.threads(); ++k) {
      rig.simulator().spawn(stay(rig, rig.thread(k), log));
    }
    rig.simulator().run_until(rig.simulator().now() + ns(20'000));
    REQUIRE(log.surely_used == rig.threads());
    rig.simulator().spawn(disown(rig, log));
    rig.run();
    REQUIRE(log.told_last == 1);
    REQUIRE(log.told_too_early == 0);
    REQUIRE(rig.reference().users() == 0);
  });
}

TEST_CASE("the same seed gives the same run of a reference") {
  for_all(is_wanted, [](const Rig::Setup& setup) {
    std::uint64_t fingerprints[2] = {};
    for (std::uint64_t& fingerprint : fingerprints) {
      Rig rig(setup);
      Log log;
      for (std::uint32_t k = 0; k < rig.threads(); ++k) {
        rig.simulator().spawn(come_and_go(rig, rig.thread(k), 10, log));
      }
      rig.run();
      fingerprint = rig.simulator().fingerprint();
    }
    REQUIRE(fingerprints[0] == fingerprints[1]);
  });
}

engine::Task<> get_as(Rig& rig, std::uint32_t k) { co_await rig.reference().get(rig.thread(k)); }
engine::Task<> get_once(Rig& rig) { co_await rig.reference().get(rig.thread(0)); }
engine::Task<> put_for(Rig& rig) { co_await rig.reference().put(rig.thread(0)); }
engine::Task<> try_once(Rig& rig, bool& got) {
  got = co_await rig.reference().try_get(rig.thread(0));
}

TEST_CASE("models with an end refuse a try after it") {
  for (const std::string_view model : {"refcount", "percpu-ref", "lockref"}) {
    model::ParamValues params;
    if (model == "lockref") params["initial"] = std::int64_t{1};
    Rig rig({one_socket(2), 2, model, params});
    Log log;
    bool got = true;
    rig.simulator().spawn(disown(rig, log));
    rig.run();
    rig.simulator().spawn(try_once(rig, got));
    rig.run();
    INFO(model);
    CHECK_FALSE(got);
    CHECK(rig.reference().users() == 0);
  }
}

TEST_CASE("a refcount saturates on a get from zero, a put below zero and an overflow") {
  constexpr std::int64_t kSaturated = -0x40000000;
  const auto after = [](std::int64_t initial, engine::Task<> (*use)(Rig&)) {
    Rig rig({one_socket(2), 2, "refcount", {{"initial", initial}}});
    rig.simulator().spawn(use(rig));
    rig.run();
    return rig.reference().users();
  };
  CHECK(after(0, get_once) == kSaturated);
  CHECK(after(0, put_for) == kSaturated);
  CHECK(after(0x7FFFFFFF, get_once) == kSaturated);
  CHECK(after(1, get_once) == 2);
}

TEST_CASE("percpu-ref touches no shared line with writes before it is killed, and one after") {
  Rig rig({two_sockets(3), 6, "percpu-ref", {{"grace_period", ns(1000)}}});
  Log log;
  for (std::uint32_t k = 0; k < 6; ++k) {
    rig.simulator().spawn(come_and_go(rig, rig.thread(k), 3, log));
  }
  rig.run();
  rig.machine().reset_statistics();
  for (std::uint32_t k = 0; k < 6; ++k) {
    rig.simulator().spawn(come_and_go(rig, rig.thread(k), 30, log));
  }
  rig.run();
  CHECK(rig.machine().counts().ownerships == 0);
  CHECK(rig.machine().counts().reads == 0);
  rig.simulator().spawn(get_once(rig));  // so that the kill leaves a user
  rig.run();
  rig.simulator().spawn(disown(rig, log));
  rig.run();
  rig.machine().reset_statistics();
  for (std::uint32_t k = 0; k < 6; ++k) {
    rig.simulator().spawn(come_and_go(rig, rig.thread(k), 30, log));
  }
  rig.run();
  CHECK(rig.machine().counts().ownerships > 100);
}

TEST_CASE("users of a snzi leaf that is in use never touch the root") {
  Rig rig({two_sockets(3), 6, "snzi"});
  Log log;
  for (std::uint32_t k : {0U, 3U}) {  // somebody stays on each node
    rig.simulator().spawn(get_as(rig, k));
  }
  rig.run();
  const auto& words = rig.site().named_words();
  const auto root = std::find_if(words.begin(), words.end(),
                                 [](const model::NamedWord& each) { return each.name == "root"; });
  const machine::Value before = rig.machine().peek(root->word);
  rig.machine().reset_statistics();
  for (std::uint32_t k : {1U, 2U, 4U, 5U}) {
    rig.simulator().spawn(come_and_go(rig, rig.thread(k), 50, log));
  }
  rig.run();
  CHECK(rig.machine().peek(root->word) == before);
  CHECK(log.told_last == 0);
}

}  // namespace
}  // namespace hotline::tests
