#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sim/experiment/ping_pong.hpp"
#include "sim/report/machine_report.hpp"

namespace hotline::report {

using engine::Duration;
using machine::CoreId;
using machine::Topology;

namespace {

constexpr std::uint32_t kMostCoresDrawn = 256;
constexpr std::uint32_t kMostPairsSampled = 200;
constexpr std::uint32_t kLines = 2;  // consecutive lines lie on different slices
constexpr std::uint32_t kHandOvers = 20;

/// Pairs of cores as a ping-pong measures them: its line is at home with one of the two, so the
/// mean over both places.
class Pairs {
 public:
  explicit Pairs(const Topology& topology) : topology_(topology), ping_pong_(topology) {}

  Duration one_way(CoreId from, CoreId to) {
    const machine::CpuId a = topology_.cpu_of(from, 0);
    const machine::CpuId b = topology_.cpu_of(to, from == to ? 1 : 0);
    const machine::NodeId near = topology_.node_of(to);
    const machine::NodeId far = topology_.node_of(from);
    const Duration at_near = at_home(a, b, near);
    return near == far ? at_near : (at_near + at_home(a, b, far)) / 2;
  }

 private:
  Duration at_home(machine::CpuId a, machine::CpuId b, machine::NodeId home) {
    return ping_pong_.one_way(a, b, home, experiment::Turn::kBlind, kLines, kHandOvers);
  }

  const Topology& topology_;
  experiment::PingPong ping_pong_;
};

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
  Pairs measured(topology);
  const std::uint32_t step = step_for(topology.cores(), kMostCoresDrawn);
  std::vector<DistanceSummary> summaries;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].empty()) continue;
    const auto count = static_cast<std::uint32_t>(pairs[i].size());
    std::vector<Duration> costs;
    for (std::uint32_t k = 0; k < count; k += step_for(count, kMostPairsSampled)) {
      costs.push_back(measured.one_way(pairs[i][k].from, pairs[i][k].to));
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
  Pairs measured(topology);
  const machine::Description& description = topology.description();
  matrix.title = fmt::format("{}: a ping-pong's one way, from core to core{}", description.name,
                             step > 1 ? fmt::format(" (every {}th)", step) : "");
  for (std::uint32_t from = 0; from < topology.cores(); from += step) {
    if (from > 0 && topology.socket_of(CoreId{from}) != topology.socket_of(CoreId{from - step})) {
      matrix.boundaries.push_back(matrix.cells.size());
    }
    matrix.labels.push_back(std::to_string(from));
    auto& row = matrix.cells.emplace_back();
    for (std::uint32_t to = 0; to < topology.cores(); to += step) {
      // Both sides take turns, so the lower half mirrors the upper one.
      row.push_back(to < from    ? matrix.cells[to / step][from / step]
                    : from == to ? Duration()
                                 : measured.one_way({from}, {to}));
    }
  }
  return matrix;
}

}  // namespace hotline::report
