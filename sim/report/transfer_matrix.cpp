#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/report/machine_report.hpp"

namespace hotline::report {

using engine::Duration;
using machine::CoreId;
using machine::Topology;

namespace {

constexpr std::uint32_t kMostCoresDrawn = 256;
constexpr std::uint32_t kMostPairsSampled = 200;
constexpr std::uint32_t kLines = 8;  // consecutive lines lie on different slices

/// The mean over homes on both nodes: a ping-pong's line is at home with one of the two.
Duration ping_pong(const Topology& topology, CoreId from, CoreId to) {
  const machine::CpuId giver = topology.cpu_of(from, 0);
  const machine::CpuId taker = topology.cpu_of(to, 0);
  const machine::NodeId near = topology.node_of(to);
  const machine::NodeId far = topology.node_of(from);
  const Duration at_near = machine::mean_transfer(topology, giver, taker, near, kLines);
  if (near == far) return at_near;
  return (at_near + machine::mean_transfer(topology, giver, taker, far, kLines)) / 2;
}

/// Every k-th of a number of things, so that at most `most` are left.
std::uint32_t step_for(std::uint32_t count, std::uint32_t most) {
  return (count + most - 1) / most;
}

struct Pair {
  CoreId from;
  CoreId to;
};

/// The cores from which pairs are sampled; each is paired with every core.
std::vector<std::vector<Pair>> pairs_by_class(const Topology& topology) {
  std::vector<std::vector<Pair>> pairs(topology.distance_classes().size());
  const std::uint32_t step = step_for(topology.cores(), kMostCoresDrawn);
  for (std::uint32_t from = 0; from < topology.cores(); from += step) {
    for (std::uint32_t to = 0; to < topology.cores(); ++to) {
      if (from == to && topology.description().threads_per_core == 1) continue;
      pairs[topology.distance({from}, {to})].push_back({{from}, {to}});
    }
  }
  return pairs;
}

}  // namespace

std::vector<DistanceSummary> distance_summary(const Topology& topology) {
  const auto pairs = pairs_by_class(topology);
  const std::uint32_t step = step_for(topology.cores(), kMostCoresDrawn);
  std::vector<DistanceSummary> summaries;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].empty()) continue;
    const auto count = static_cast<std::uint32_t>(pairs[i].size());
    std::vector<Duration> costs;
    for (std::uint32_t k = 0; k < count; k += step_for(count, kMostPairsSampled)) {
      costs.push_back(ping_pong(topology, pairs[i][k].from, pairs[i][k].to));
    }
    std::sort(costs.begin(), costs.end());
    summaries.push_back({topology.distance_classes()[i].name, std::uint64_t{count} * step,
                         costs.size(), costs.front(), costs[costs.size() / 2], costs.back()});
  }
  return summaries;
}

TransferMatrix transfer_matrix(const Topology& topology) {
  const std::uint32_t step = step_for(topology.cores(), kMostCoresDrawn);
  TransferMatrix matrix;
  const machine::Description& description = topology.description();
  matrix.title = fmt::format("{}: one transfer of a modified line, from core to core{}",
                             description.name, step > 1 ? fmt::format(" (every {}th)", step) : "");
  for (std::uint32_t from = 0; from < topology.cores(); from += step) {
    if (from > 0 && topology.socket_of(CoreId{from}) != topology.socket_of(CoreId{from - step})) {
      matrix.boundaries.push_back(matrix.cells.size());
    }
    matrix.labels.push_back(std::to_string(from));
    auto& row = matrix.cells.emplace_back();
    for (std::uint32_t to = 0; to < topology.cores(); to += step) {
      row.push_back(from == to ? Duration() : ping_pong(topology, {from}, {to}));
    }
  }
  return matrix;
}

}  // namespace hotline::report
