// What an operation costs, to the picosecond: the sum of the legs on its path and nothing else.

#include <string>
#include <vector>

#include "sim/machine/transfer.hpp"
#include "tests/catch.hpp"
#include "tests/unit/machine/rig.hpp"

namespace hotline::tests {

namespace {

using machine::Description;

/// The operation is not done one picosecond before `expected`, and is done at `expected`.
template <class Awaitable>
void require_takes_exactly(Rig& rig, Awaitable what, Duration expected) {
  Duration taken;
  rig.spawn(timed(rig, what, taken));
  rig.run_for(expected - ps(1));
  REQUIRE(rig.simulator().unfinished_roots() == 1);
  rig.run_for(ps(1));
  REQUIRE(rig.simulator().unfinished_roots() == 0);
  CHECK(taken == expected);
}

struct Shape {
  std::string name;
  Description machine;
};

std::vector<Shape> shapes() {
  return {{"even sockets", even_sockets(3, 4)},
          {"uneven sockets", uneven_sockets(2, 9)},
          {"clusters below homes", clusters_below_homes(2, 3, 2)},
          {"clusters below sockets", clusters_below_sockets(2, 3, 2)},
          {"cores below homes", bare_cores(3, 2)},
          {"8176", xeon8176(8)},
          {"Skylake client", skylake_client()},
          {"Graviton2", graviton2()}};
}

}  // namespace

TEST_CASE("an operation on an owned line takes its hit time and nothing else") {
  Rig rig(even_sockets(1, 2));
  const Word word = rig.word();
  Thread& self = rig.thread(0);
  time_of(rig, self.fetch_add(word, 1));
  require_takes_exactly(rig, self.load(word), ns(1));
  require_takes_exactly(rig, self.store(word, 7), ns(1));
  require_takes_exactly(rig, self.fetch_add(word, 1), ns(5));
  require_takes_exactly(rig, self.exchange(word, 1), ns(5));
  require_takes_exactly(rig, self.compare_exchange(word, 1, 2), ns(7));
  require_takes_exactly(rig, self.compare_exchange(word, 1, 3), ns(7));
  require_takes_exactly(rig, self.fence(), ns(9));
  CHECK(rig.machine().peek(word) == 2);
}

TEST_CASE("a miss on the home's own socket is issue, hop, look-ups, fabric, memory and fill") {
  Rig rig(even_sockets(2, 2));
  const Duration way_up = ns(3) + ns(4) + ns(5) + ns(8);
  const Duration memory = ns(15) + ns(60);
  const Duration way_down = ns(8) + ns(4);
  // A load uses the data as it arrives; a locked operation waits for the fill.
  require_takes_exactly(rig, rig.thread(0).load(rig.word()), way_up + memory + way_down + ns(1));
  require_takes_exactly(rig, rig.thread(0).fetch_add(rig.word(), 1),
                        way_up + memory + way_down + ns(6) + ns(5));
}

TEST_CASE("a miss on another socket's home adds the link both ways") {
  Rig rig(even_sockets(2, 2));
  const Duration local = time_of(rig, rig.thread(0).load(rig.word(0)));
  require_takes_exactly(rig, rig.thread(0).load(rig.word(1)), local + ns(80));
}

TEST_CASE("a transfer between two cores takes the sum of the legs that transfer_path names") {
  for (const Shape& shape : shapes()) {
    Rig rig(shape.machine);
    const std::uint32_t cores = rig.topology().cores();
    const std::uint32_t stride = cores > 16 ? cores / 7 : 1;
    for (std::uint32_t to = 0; to < cores; to += stride) {
      for (const std::uint32_t home : {0U, rig.topology().nodes() - 1}) {
        const std::uint32_t from = (to + stride + 1) % cores;
        if (from == to) continue;
        const Word word = rig.word(home);
        time_of(rig, rig.thread(from).exchange(word, 1));
        const Duration taken = time_of(rig, rig.thread(to).compare_exchange(word, 1, 2));
        const machine::Transfer path =
            machine::transfer_path(rig.topology(), {from}, {to}, {home}, word.line);
        INFO(shape.name << ", core " << from << " to " << to << ", home " << home);
        CHECK(taken == path.total());
      }
    }
  }
}

TEST_CASE("a transfer inside a socket is not done a picosecond before the sum of its legs") {
  Rig rig(even_sockets(2, 4));
  const Word word = rig.word();
  time_of(rig, rig.thread(0).exchange(word, 1));
  require_takes_exactly(rig, rig.thread(1).compare_exchange(word, 1, 2),
                        ns(3 + 4 + 5 + 4 + 2 + 7 + 6 + 7));
}

TEST_CASE("a transfer between sockets is not done a picosecond before the sum of its legs") {
  Rig rig(even_sockets(2, 4));
  const Word word = rig.word(1);
  time_of(rig, rig.thread(4).exchange(word, 1));
  const Duration request = ns(3 + 4 + 5 + 8 + 40);
  const Duration snoop = ns(15 + 8 + 5 + 4 + 2);  // the owner is on the home's node: no directory
  const Duration data = ns(4 + 8 + 40 + 8 + 4 + 6);
  require_takes_exactly(rig, rig.thread(0).compare_exchange(word, 1, 2),
                        request + snoop + data + ns(7));
}

TEST_CASE("the directory is read when the owner is outside the home's node") {
  Rig rig(even_sockets(2, 4));
  const Word word = rig.word(0);
  time_of(rig, rig.thread(4).exchange(word, 1));
  const Duration request = ns(3 + 4 + 5 + 8);
  const Duration snoop = ns(15 + 30 + 40 + 8 + 5 + 4 + 2);
  const Duration data = ns(4 + 8 + 40 + 8 + 4 + 6);
  require_takes_exactly(rig, rig.thread(0).compare_exchange(word, 1, 2),
                        request + snoop + data + ns(7));
}

TEST_CASE("an upgrade waits for the sharers' answers and moves no data") {
  Rig rig(even_sockets(1, 3));
  const Word word = rig.word();
  time_of(rig, rig.thread(0).fetch_add(word, 1));
  time_of(rig, rig.thread(1).load(word));
  REQUIRE(rig.machine().state({0}, word.line) == 'S');
  // Request, look-up, invalidation there, answer back, grant.
  require_takes_exactly(rig, rig.thread(1).fetch_add(word, 1),
                        ns(3 + 4 + 5) + ns(4 + 2 + 4) + ns(4 + 6 + 5));
  CHECK(rig.machine().state({0}, word.line) == 'I');
  CHECK(rig.machine().counts().upgrades == 1);
}

TEST_CASE("a sole sharer's upgrade waits for nobody") {
  Description d = even_sockets(1, 3);
  d.threads_per_core = 1;
  Rig rig(d);
  const Word word = rig.word();
  time_of(rig, rig.thread(0).load(word));
  REQUIRE(rig.machine().state({0}, word.line) == 'E');
  require_takes_exactly(rig, rig.thread(0).fetch_add(word, 1), ns(5));
  CHECK(rig.machine().state({0}, word.line) == 'M');
  CHECK(rig.machine().counts().ownerships == 0);
}

TEST_CASE("the k-th of the pollers that read a line at once comes k read intervals later") {
  Rig rig(even_sockets(1, 8));
  const Word word = rig.word();
  time_of(rig, rig.thread(0).load(word));
  time_of(rig, rig.thread(1).load(word));
  std::vector<Duration> taken(6);
  for (std::uint32_t i = 0; i < 6; ++i) {
    rig.spawn(timed(rig, rig.thread(2 + i).load(word), taken[i]));
  }
  rig.run();
  const Duration first = ns(3 + 4 + 5 + 3 + 4 + 1);
  for (std::uint32_t i = 0; i < 6; ++i) CHECK(taken[i] == first + ns(1) * i);
}

}  // namespace hotline::tests
