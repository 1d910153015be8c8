// When an agent takes up the next request for a line, and the cross-check with gem5 that needs it.

#include <vector>

#include "tests/catch.hpp"
#include "tests/unit/machine/rig.hpp"

namespace hotline::tests {

namespace {

using machine::Description;
using machine::TakeUp;

/// Core 0 owns the line; cores 1 and 2 ask at once. Returns when each was served.
std::vector<Duration> two_requests(TakeUp take_up) {
  Description d = even_sockets(1, 4);
  d.core.fill = {};
  d.socket_agent->direct = {ns(3), ns(3)};
  d.socket_agent->take_up = take_up;
  Rig rig(d);
  const Word word = rig.word();
  time_of(rig, rig.thread(0).fetch_add(word, 1));
  std::vector<Duration> taken(2);
  rig.spawn(timed(rig, rig.thread(1).fetch_add(word, 1), taken[0]));
  rig.spawn(timed(rig, rig.thread(2).fetch_add(word, 1), taken[1]));
  rig.run();
  CHECK(rig.machine().peek(word) == 3);
  return taken;
}

Task<> store_without_pause(Thread& self, Word word, std::uint64_t& stores) {
  for (;;) {
    co_await self.store(word, self.id().value);
    ++stores;
  }
}

}  // namespace

TEST_CASE("an agent that dispatches takes up the next request once its snoop has left") {
  const std::vector<Duration> taken = two_requests(TakeUp::kDispatch);
  CHECK(taken[0] == ns(3 + 4 + 5 + 4 + 2 + 3 + 5));
  // The second snoop waits at core 1 for the first operation there, then the line goes at once.
  CHECK(taken[1] == taken[0] + ns(2 + 3 + 5));
}

TEST_CASE("an agent that waits for the response takes up when the old owner's answer is there") {
  const std::vector<Duration> taken = two_requests(TakeUp::kResponse);
  CHECK(taken[0] == ns(3 + 4 + 5 + 4 + 2 + 3 + 5));
  const Duration answered = ns(3 + 4 + 5 + 4 + 2 + 4);
  CHECK(taken[1] == answered + ns(5 + 4 + 2 + 3 + 5));
}

TEST_CASE("an agent that waits for completion takes up when the new owner has confirmed") {
  const std::vector<Duration> taken = two_requests(TakeUp::kCompletion);
  CHECK(taken[0] == ns(3 + 4 + 5 + 4 + 2 + 3 + 5));
  const Duration confirmed = ns(3 + 4 + 5 + 4 + 2 + 3 + 4);
  CHECK(taken[1] == confirmed + ns(5 + 4 + 2 + 3 + 5));
}

TEST_CASE("N cores storing to one line behave exactly as on gem5's crossbar") {
  // gem5 24.0, Ruby MESI_Two_Level on a crossbar: 22 cycles a hand-over, 7 stores an ownership, a
  // mean miss latency of 22(N-1)+9 cycles, all cores equal.
  const Duration cycle = ps(500);
  for (const std::uint32_t cores : {2U, 3U, 8U, 16U, 32U, 64U}) {
    Rig rig(gem5_crossbar(cores));
    const Word word = rig.word();
    std::vector<std::uint64_t> stores(cores);
    for (std::uint32_t core = 0; core < cores; ++core) {
      rig.spawn(store_without_pause(rig.thread(core), word, stores[core]));
    }
    const Duration round = cycle * 22 * cores;
    rig.run_for(round * 10);
    rig.machine().reset_statistics();
    stores.assign(cores, 0);
    const std::uint64_t rounds = 20;
    rig.run_for(round * rounds);
    const machine::Counts& counts = rig.machine().counts();
    INFO(cores << " cores");
    CHECK(counts.ownerships == rounds * cores);
    CHECK(counts.misses == rounds * cores);
    CHECK(counts.miss_time == cycle * (22 * (cores - 1) + 9) * counts.misses);
    for (const std::uint64_t of_core : stores) CHECK(of_core == 7 * rounds);
  }
}

}  // namespace hotline::tests
