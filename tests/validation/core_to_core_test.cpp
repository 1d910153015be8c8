#include <algorithm>

#include "sim/experiment/ping_pong.hpp"
#include "tests/catch.hpp"
#include "tests/validation/support.hpp"

namespace hotline::machine {
namespace {

using tests::Row;
using tests::rows_of;
using tests::topology_of;

double median(std::vector<double> values) {
  REQUIRE_FALSE(values.empty());
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Median over pairs of one class, up to `most` of them spread over the machine.
double class_median(const Topology& topology, const std::string& name, bool is_home_remote) {
  constexpr std::uint32_t kMost = 40;
  experiment::PingPong ping_pong(topology);
  std::vector<double> all;
  const std::uint32_t cores = topology.cores();
  for (std::uint32_t i = 0; all.size() < kMost && i < 40 * cores; ++i) {
    const CoreId a{i * 7919 % cores};
    const CoreId b{(i * 104'729 + i / cores) % cores};
    const auto& found = topology.distance_classes()[topology.distance(a, b)].name;
    const bool is_same_node = name == "same socket" && found == "same node";
    if (!found.starts_with(name) && !is_same_node) continue;
    const CpuId other = a == b ? topology.cpu_of(a, 1) : topology.cpu_of(b, 0);
    const NodeId local = topology.node_of(a);
    const NodeId home = is_home_remote ? NodeId{topology.nodes() - 1 - local.value} : local;
    all.push_back(ping_pong.one_way(topology.cpu_of(a, 0), other, home).ns());
  }
  return median(all);
}

TEST_CASE("a simulated ping-pong takes the measured median of its distance class") {
  for (const Row& row : rows_of("core_to_core.csv")) {
    const std::string& machine = row[0];
    const std::string& distance = row[1];
    const std::string& home = row[2];
    // Quadrants of a socket are not modelled apart (configs/epyc7742-2s.yaml).
    if (distance == "same quadrant") continue;
    const double measured = std::stod(row[4]);
    const double simulated = class_median(topology_of(machine), distance, home == "remote");
    CAPTURE(machine, distance, home, measured, simulated);
    CHECK(simulated / measured == tests::Approx(1.0).margin(0.06));
  }
}

}  // namespace
}  // namespace hotline::machine
