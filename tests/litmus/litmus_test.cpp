#include "tests/litmus/litmus.hpp"

#include "tests/catch.hpp"
#include "tests/unit/machine/rig.hpp"

namespace hotline::tests {

namespace {

using machine::Consistency;
using machine::Description;
using machine::TakeUp;

constexpr Place kX = Place::kX;
constexpr Place kY = Place::kY;

Description with(Description d, TakeUp take_up, machine::Protocol protocol) {
  if (d.cluster_agent) d.cluster_agent->take_up = take_up;
  if (d.socket_agent) d.socket_agent->take_up = take_up;
  d.home.take_up = take_up;
  d.protocol = protocol;
  return d;
}

Description with_siblings(Description d) {
  d.threads_per_core = 2;
  return d;
}

Description with_store_prefetch(Description d) {
  d.core.store_prefetch = true;
  return d;
}

std::vector<Description> machines() {
  using machine::Protocol;
  return {
      even_sockets(2, 2),
      with(uneven_sockets(1, 5), TakeUp::kDispatch, Protocol::kMesif),
      with(uneven_sockets(2, 3), TakeUp::kCompletion, Protocol::kMoesi),
      clusters_below_homes(2, 2, 2),
      with(clusters_below_sockets(2, 2, 1), TakeUp::kDispatch, Protocol::kMoesi),
      bare_cores(2, 2),
      with_siblings(even_sockets(2, 2)),
      with_store_prefetch(uneven_sockets(2, 2)),
      xeon8176(2),
  };
}

/// How often the outcome is seen on all machines together.
std::uint32_t seen(const Litmus& litmus, Consistency consistency, bool same_line = false) {
  std::uint32_t total = 0;
  for (Description& machine : machines()) {
    machine.consistency = consistency;
    LitmusSetup setup{.machine = machine, .same_line = same_line, .runs = 300};
    total += times_relaxed(litmus, setup);
    setup.batching = false;
    setup.seed = 2;
    total += times_relaxed(litmus, setup);
  }
  return total;
}

void require_never(const Litmus& litmus) {
  INFO(litmus.name);
  for (const Consistency consistency : {Consistency::kTso, Consistency::kSc}) {
    CHECK(seen(litmus, consistency) == 0);
    CHECK(seen(litmus, consistency, true) == 0);
  }
}

/// Under TSO the outcome occurs, under SC it does not.
void require_only_under_tso(const Litmus& litmus) {
  INFO(litmus.name);
  CHECK(seen(litmus, Consistency::kTso) > 0);
  CHECK(seen(litmus, Consistency::kSc) == 0);
  CHECK(seen(litmus, Consistency::kSc, true) == 0);
}

bool both_old(const Outcome& o) { return o.loaded[0] == 0 && o.loaded[1] == 0; }
bool new_then_old(const Outcome& o) { return o.loaded[0] == 1 && o.loaded[1] == 0; }

Litmus store_buffering(std::vector<Instruction> between, bool locked = false) {
  const auto first = [&](Place place) { return locked ? exchange(place, 1) : store(place, 1); };
  Litmus litmus{"SB", {{first(kX)}, {first(kY)}}, both_old};
  for (auto& thread : litmus.threads) thread.insert(thread.end(), between.begin(), between.end());
  litmus.threads[0].push_back(load(kY, 0));
  litmus.threads[1].push_back(load(kX, 1));
  return litmus;
}

}  // namespace

TEST_CASE("SB: both loads may miss the other's store under TSO, never under SC") {
  require_only_under_tso(store_buffering({}));
}

TEST_CASE("SB: with fences or locked stores both loads never miss") {
  require_never(store_buffering({fence()}));
  require_never(store_buffering({}, true));
}

TEST_CASE("SB: one fence is not enough under TSO") {
  Litmus litmus = store_buffering({});
  litmus.name = "SB+mfence+po";
  litmus.threads[0].insert(litmus.threads[0].begin() + 1, fence());
  require_only_under_tso(litmus);
}

TEST_CASE("SB+rfi: a thread may see its own store before others do, under TSO only") {
  require_only_under_tso(
      {"SB+rfi-pos",
       {{store(kX, 1), load(kX, 0), load(kY, 1)}, {store(kY, 1), load(kY, 2), load(kX, 3)}},
       [](const Outcome& o) {
         return o.loaded[0] == 1 && o.loaded[1] == 0 && o.loaded[2] == 1 && o.loaded[3] == 0;
       }});
}

TEST_CASE("R: a load may pass the store before it under TSO, not with a fence, never under SC") {
  const auto relaxed = [](const Outcome& o) { return o.y == 2 && o.loaded[0] == 0; };
  require_only_under_tso(
      {"R", {{store(kX, 1), store(kY, 1)}, {store(kY, 2), load(kX, 0)}}, relaxed});
  require_never({"R+po+mfence",
                 {{store(kX, 1), store(kY, 1)}, {store(kY, 2), fence(), load(kX, 0)}},
                 relaxed});
}

TEST_CASE("MP: who sees the flag sees the data") {
  require_never({"MP", {{store(kX, 1), store(kY, 1)}, {load(kY, 0), load(kX, 1)}}, new_then_old});
}

TEST_CASE("LB: loads never see stores that come after the other's load") {
  require_never({"LB",
                 {{load(kX, 0), store(kY, 1)}, {load(kY, 1), store(kX, 1)}},
                 [](const Outcome& o) { return o.loaded[0] == 1 && o.loaded[1] == 1; }});
}

TEST_CASE("IRIW: two readers never see two stores in opposite orders") {
  require_never(
      {"IRIW",
       {{store(kX, 1)}, {store(kY, 1)}, {load(kX, 0), load(kY, 1)}, {load(kY, 2), load(kX, 3)}},
       [](const Outcome& o) {
         return o.loaded[0] == 1 && o.loaded[1] == 0 && o.loaded[2] == 1 && o.loaded[3] == 0;
       }});
}

TEST_CASE("WRC: causes are seen with their effects") {
  require_never(
      {"WRC",
       {{store(kX, 1)}, {load(kX, 0), store(kY, 1)}, {load(kY, 1), load(kX, 2)}},
       [](const Outcome& o) { return o.loaded[0] == 1 && o.loaded[1] == 1 && o.loaded[2] == 0; }});
}

TEST_CASE("2+2W: stores of two threads never end in a cycle") {
  require_never({"2+2W",
                 {{store(kX, 1), store(kY, 2)}, {store(kY, 1), store(kX, 2)}},
                 [](const Outcome& o) { return o.x == 1 && o.y == 1; }});
}

TEST_CASE("S: a store after a load that saw another's comes after all before that") {
  require_never({"S",
                 {{store(kX, 2), store(kY, 1)}, {load(kY, 0), store(kX, 1)}},
                 [](const Outcome& o) { return o.loaded[0] == 1 && o.x == 2; }});
}

TEST_CASE("CoRR: one place never runs backwards") {
  require_never({"CoRR", {{store(kX, 1)}, {load(kX, 0), load(kX, 1)}}, new_then_old});
}

TEST_CASE("CoWR: a load behind a thread's own store never sees what was there before") {
  require_never({"CoWR", {{store(kX, 1), load(kX, 0)}, {store(kX, 2)}}, [](const Outcome& o) {
                   return o.loaded[0] == 0;
                 }});
}

TEST_CASE("CoRW2: a thread that has seen another's store stores after it") {
  require_never({"CoRW2", {{load(kX, 0), store(kX, 2)}, {store(kX, 1)}}, [](const Outcome& o) {
                   return o.loaded[0] == 1 && o.x == 1;
                 }});
}

namespace {

Task<> publish(Thread& self, Word data, Word flag, Duration wait) {
  co_await self.compute(wait);
  co_await self.store(data, 1);
  co_await self.store(flag, 1);
}

Task<> await_flag(Thread& self, Word data, Word flag, std::uint32_t& stale) {
  co_await self.load(data);
  co_await self.spin_until(flag, 1, Pace::kTight);
  const Value seen = co_await self.load(data);
  if (seen != 1) ++stale;
}

}  // namespace

TEST_CASE("MP: no spinning waiter sees the flag without the data, batched or not") {
  for (const Description& machine : machines()) {
    for (const bool batching : {true, false}) {
      Rig rig({.machine = machine, .batching = batching});
      for (std::uint64_t round = 0; round < 40; ++round) {
        const Word data = rig.word();
        const Word flag = rig.word(rig.topology().nodes() - 1);
        std::uint32_t stale = 0;
        for (std::uint32_t cpu = 1; cpu < rig.topology().cpus(); ++cpu) {
          rig.spawn(await_flag(rig.thread(cpu), data, flag, stale));
        }
        rig.spawn(publish(rig.thread(0), data, flag, ns(round * 13)));
        rig.run();
        CHECK(stale == 0);
      }
    }
  }
}

}  // namespace hotline::tests
