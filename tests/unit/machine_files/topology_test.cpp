#include "sim/machine/topology.hpp"

#include <set>

#include "sim/input/diagnostics.hpp"
#include "tests/catch.hpp"

namespace hotline::machine {
namespace {

Duration ns(std::uint64_t n) { return Duration::from_ps(n * 1000); }

/// Sockets of four cores in two clusters, without links.
Description four_sockets() {
  Description machine;
  machine.name = "four";
  machine.sockets = 4;
  machine.clusters_per_socket = 2;
  machine.cores_per_cluster = 2;
  machine.threads_per_core = 2;
  return machine;
}

std::vector<std::uint32_t> values(const std::vector<NodeId>& nodes) {
  std::vector<std::uint32_t> numbers;
  for (const NodeId node : nodes) numbers.push_back(node.value);
  return numbers;
}

/// 0 -> 1 -> 2 -> 3 with a shortcut back from 3 to 0.
Description chain() {
  Description machine = four_sockets();
  machine.links = {{{0}, {1}, ns(10), ns(12)},
                   {{1}, {2}, ns(10), ns(12)},
                   {{2}, {3}, ns(10), ns(12)},
                   {{3}, {0}, ns(5), std::nullopt}};
  return machine;
}

TEST_CASE("hardware threads are numbered siblings last or siblings adjacent") {
  Description machine = chain();
  const Topology last(machine);
  CHECK(last.cpus() == 32);
  CHECK(last.core_of(CpuId{17}) == CoreId{1});
  CHECK(last.cpu_of(CoreId{1}, 1) == CpuId{17});
  machine.numbering = CpuNumbering::kSiblingsAdjacent;
  const Topology adjacent(machine);
  CHECK(adjacent.core_of(CpuId{17}) == CoreId{8});
  CHECK(adjacent.cpu_of(CoreId{8}, 1) == CpuId{17});
}

TEST_CASE("routes are the shortest, and directions may differ") {
  const Topology topology(chain());
  CHECK(topology.route({0}, {2}) == ns(20));
  CHECK(topology.route({2}, {0}) == ns(15));
  CHECK(topology.route({1}, {0}) == ns(12));
  CHECK(topology.route({3}, {3}) == ns(0));
  CHECK(values(topology.route_nodes({0}, {2})) == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(values(topology.route_nodes({2}, {0})) == std::vector<std::uint32_t>{2, 3, 0});
  CHECK(values(topology.route_nodes({1}, {1})) == std::vector<std::uint32_t>{1});
}

TEST_CASE("where links are whole routes no way leads over a third node") {
  Description machine = four_sockets();
  machine.sockets = 3;
  machine.links = {
      {{0}, {1}, ns(10), ns(10)}, {{1}, {2}, ns(10), ns(10)}, {{0}, {2}, ns(50), ns(40)}};
  CHECK(Topology(machine).route({0}, {2}) == ns(20));
  machine.links_are_routes = true;
  const Topology table(machine);
  CHECK(table.route({0}, {2}) == ns(50));
  CHECK(table.route({2}, {0}) == ns(40));
  CHECK(values(table.route_nodes({0}, {2})) == std::vector<std::uint32_t>{0, 2});
}

TEST_CASE("a node that cannot be reached is an input error with both nodes named") {
  Description machine = chain();
  machine.links.pop_back();
  machine.links.pop_back();
  CHECK_THROWS_AS(Topology(machine), input::InputError);
  CHECK_THROWS_WITH(Topology(machine),
                    "four: error: interconnect: node 3 cannot be reached from node 0\n");
  machine = chain();
  machine.links[0].back.reset();
  machine.links[3].there = ns(5);
  CHECK_NOTHROW(Topology(machine));
}

TEST_CASE("distance classes go from a core to the farthest socket") {
  const Topology topology(chain());
  std::vector<std::string> names;
  for (const DistanceClass& one : topology.distance_classes()) names.push_back(one.name);
  CHECK(names == std::vector<std::string>{"smt sibling", "same cluster", "same socket",
                                          "other socket, 11 ns", "other socket, 18 ns"});
  CHECK(topology.distance({0}, {0}) == 0);
  CHECK(topology.distance({0}, {1}) == 1);
  CHECK(topology.distance({0}, {2}) == 2);
  CHECK(topology.distance({0}, {4}) == 3);
  CHECK(topology.distance({4}, {0}) == 3);
  CHECK(topology.distance({0}, {8}) == 4);
}

TEST_CASE("nodes inside a socket have classes of their own") {
  Description machine = four_sockets();
  machine.sockets = 2;
  machine.nodes_per_socket = 2;
  machine.threads_per_core = 1;
  machine.links = {{{0}, {1}, ns(4), ns(4)}, {{2}, {3}, ns(4), ns(4)}, {{0}, {2}, ns(30), ns(30)}};
  const Topology topology(machine);
  CHECK(topology.nodes() == 4);
  CHECK(topology.node_of(CoreId{1}) == NodeId{0});
  CHECK(topology.node_of(CoreId{2}) == NodeId{1});
  CHECK(topology.node_of(CoreId{6}) == NodeId{3});
  std::vector<std::string> names;
  for (const DistanceClass& one : topology.distance_classes()) names.push_back(one.name);
  CHECK(names == std::vector<std::string>{"same core", "same cluster", "same node",
                                          "other node, 4 ns", "other socket, 30 to 38 ns"});
}

TEST_CASE("a socket's grid is nearly square and its longest way counts 1024") {
  Description machine = four_sockets();
  machine.sockets = 1;
  machine.clusters_per_socket = 1;
  machine.cores_per_cluster = 28;  // 6 x 5
  const Topology topology(machine);
  CHECK(topology.grid_distance(0, 0) == 0);
  CHECK(topology.grid_distance(0, 5) == 5 * 1024 / 9);
  CHECK(topology.grid_distance(0, 6) == 1024 / 9);
  CHECK(topology.grid_distance(5, 24) == 1024);
  CHECK(topology.grid_distance(24, 5) == 1024);
}

TEST_CASE("lines are spread over all slices") {
  Description machine = four_sockets();
  machine.sockets = 1;
  machine.clusters_per_socket = 1;
  machine.cores_per_cluster = 28;
  const Topology topology(machine);
  std::set<std::uint32_t> slices;
  for (std::uint32_t line = 0; line < 400; ++line) slices.insert(topology.slice_of(LineId{line}));
  CHECK(slices.size() == 28);
  CHECK(*slices.rbegin() == 27);
}

TEST_CASE("a machine of one core has one class and no distance") {
  Description machine;
  const Topology topology(machine);
  CHECK(topology.distance_classes().size() == 1);
  CHECK(topology.distance({0}, {0}) == 0);
  CHECK(topology.grid_distance(0, 0) == 0);
}

TEST_CASE("sixty-four sockets in a ring keep fewer than twenty classes") {
  Description machine;
  machine.sockets = 64;
  for (std::uint32_t i = 0; i < 64; ++i) {
    machine.links.push_back({{i}, {(i + 1) % 64}, ns(45), ns(45)});
  }
  const Topology topology(machine);
  CHECK(topology.route({0}, {32}) == ns(32 * 45));
  CHECK(topology.distance_classes().size() < 20);
  CHECK(topology.distance({0}, {1}) < topology.distance({0}, {2}));
  CHECK(topology.distance({0}, {2}) < topology.distance({0}, {32}));
}

}  // namespace
}  // namespace hotline::machine
