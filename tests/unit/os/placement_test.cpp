#include "sim/os/placement.hpp"

#include <algorithm>
#include <set>

#include "tests/catch.hpp"

namespace hotline::os {
namespace {

/// Two sockets of two cores of two hardware threads. CPUs 0 to 3 are the cores' first threads
/// (0 and 1 on the first socket), 4 to 7 their siblings.
machine::Topology two_sockets_smt() {
  machine::Description d;
  d.sockets = 2;
  d.cores_per_cluster = 2;
  d.threads_per_core = 2;
  d.core.clock = {{1, 1000}};
  d.links = {{{0}, {1}, engine::Duration::from_ps(1000), engine::Duration::from_ps(1000)}};
  return machine::Topology(d);
}

std::vector<std::uint32_t> order(const Placement& placement) {
  std::vector<std::uint32_t> cpus;
  for (const auto cpu : placement_order(two_sockets_smt(), placement)) cpus.push_back(cpu.value);
  return cpus;
}

using Cpus = std::vector<std::uint32_t>;

TEST_CASE("compact fills a socket, one thread a core before the siblings") {
  CHECK(order({Spread::kCompact, {}, {}}) == Cpus{0, 1, 4, 5, 2, 3, 6, 7});
}

TEST_CASE("compact-smt keeps the siblings of a core together") {
  CHECK(order({Spread::kCompactSmt, {}, {}}) == Cpus{0, 4, 1, 5, 2, 6, 3, 7});
}

TEST_CASE("scatter takes the sockets in turn, cores before siblings") {
  CHECK(order({Spread::kScatter, {}, {}}) == Cpus{0, 2, 1, 3, 4, 6, 5, 7});
}

TEST_CASE("a list is taken as it is, and nodes confine a spread") {
  CHECK(order({Spread::kCompact, {6, 0, 3}, {}}) == Cpus{6, 0, 3});
  CHECK(order({Spread::kCompact, {}, {1}}) == Cpus{2, 3, 6, 7});
  CHECK(order({Spread::kCompactSmt, {}, {1, 0}}) == Cpus{2, 6, 3, 7, 0, 4, 1, 5});
}

TEST_CASE("a draw has every CPU once, cores before siblings, and hangs on the seed") {
  const auto topology = two_sockets_smt();
  const auto drawn = [&](std::uint64_t seed) {
    auto cpus = placement_order(topology, {Spread::kRandom, {}, {}});
    engine::Random random(seed, "placement");
    draw(cpus, topology, random);
    Cpus numbers;
    for (const auto cpu : cpus) numbers.push_back(cpu.value);
    return numbers;
  };
  std::set<Cpus> orders;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Cpus cpus = drawn(seed);
    CHECK(cpus == drawn(seed));
    orders.insert(cpus);
    std::sort(cpus.begin(), cpus.begin() + 4);
    std::sort(cpus.begin() + 4, cpus.end());
    CHECK(cpus == Cpus{0, 1, 2, 3, 4, 5, 6, 7});
  }
  CHECK(orders.size() > 10);
}

TEST_CASE("the first CPUs of the order are the threads' CPUs") {
  const auto cpus = place(two_sockets_smt(), {}, 3);
  REQUIRE(cpus.size() == 3);
  CHECK(cpus[2].value == 4);
}

TEST_CASE("impossible placements say what is wrong") {
  const auto topology = two_sockets_smt();
  CHECK_THROWS_WITH(place(topology, {}, 9), "9 threads do not fit on the 8 CPUs of the machine");
  CHECK_THROWS_WITH(place(topology, {Spread::kCompact, {}, {1}}, 5),
                    tests::contains_text("the 4 CPUs they may use"));
  CHECK_THROWS_WITH(place(topology, {Spread::kCompact, {8}, {}}, 1),
                    "the machine has no CPU 8; the last one is 7");
  CHECK_THROWS_WITH(place(topology, {Spread::kCompact, {3, 1, 3}, {}}, 1), "CPU 3 is listed twice");
  CHECK_THROWS_WITH(place(topology, {Spread::kCompact, {}, {2}}, 1),
                    "the machine has no NUMA node 2; the last one is 1");
}

}  // namespace
}  // namespace hotline::os
