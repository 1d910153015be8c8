#include "sim/machine/legs.hpp"

#include <algorithm>

#include "sim/machine/costs.hpp"

namespace hotline::machine {

namespace {

/// Spreads consecutive lines over the slices, as the address hash of a real cache does. Any fixed
/// mixing does; this is the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30U) * 0xBF58476D1CE4E5B9U;
  x = (x ^ x >> 27U) * 0x94D049BB133111EBU;
  return x ^ x >> 31U;
}

Keeper agent_keeper(const AgentDescription& agent, std::uint64_t clock) {
  Keeper keeper;
  keeper.look_up = resolve(agent.look_up, clock);
  keeper.cache = agent.cache;
  keeper.fabric = agent.fabric;
  keeper.read_interval = agent.read_interval;
  keeper.far_interval = agent.far_interval;
  keeper.take_up = agent.take_up;
  return keeper;
}

}  // namespace

Legs::Legs(const Topology& topology) : topology_(topology) {
  const Description& machine = topology.description();
  if (machine.cluster_agent) {
    domain_cores_ = machine.cores_per_cluster;
  } else {
    domain_cores_ = topology.cores_per_socket();
  }
  lay_grid();
  add_agents();
  add_homes();
}

void Legs::add_agents() {
  const Description& machine = topology_.description();
  const std::uint64_t clock = megahertz(machine.core, 1);
  const std::uint32_t cluster_agents = machine.cluster_agent ? topology_.clusters() : 0;
  const std::uint32_t socket_agents = machine.socket_agent ? topology_.sockets() : 0;
  agents_ = cluster_agents + socket_agents;
  for (std::uint32_t i = 0; i < cluster_agents; ++i) {
    Keeper keeper = agent_keeper(*machine.cluster_agent, clock);
    keeper.over_cores = true;
    keeper.children = machine.cores_per_cluster;
    keeper.first_child = i * machine.cores_per_cluster;
    keeper.node = topology_.node_of(CoreId{keeper.first_child});
    keepers_.push_back(keeper);
    parent_.push_back(socket_agents == 0 ? kHome
                                         : cluster_agents + i / machine.clusters_per_socket);
  }
  for (std::uint32_t i = 0; i < socket_agents; ++i) {
    Keeper keeper = agent_keeper(*machine.socket_agent, clock);
    keeper.over_cores = cluster_agents == 0;
    keeper.children =
        keeper.over_cores ? topology_.cores_per_socket() : machine.clusters_per_socket;
    keeper.first_child = i * keeper.children;
    keeper.level = keeper.over_cores ? 0 : 1;
    keeper.node = topology_.node_of(CoreId{i * topology_.cores_per_socket()});
    keepers_.push_back(keeper);
    parent_.push_back(kHome);
  }
  if (agents_ == 0) return;
  lowest_agent_.reserve(topology_.cores());
  for (std::uint32_t core = 0; core < topology_.cores(); ++core) {
    lowest_agent_.push_back(core / domain_cores_);
  }
}

void Legs::add_homes() {
  const HomeDescription& home = topology_.description().home;
  const bool two_levels = agents_ != 0 && keepers_.back().level == 1;
  for (std::uint32_t node = 0; node < topology_.nodes(); ++node) {
    Keeper keeper;
    keeper.is_home = true;
    keeper.over_cores = agents_ == 0;
    keeper.first_child = two_levels ? agents_ - topology_.sockets() : 0;
    keeper.children = keeper.over_cores ? topology_.cores() : agents_ - keeper.first_child;
    keeper.level = keeper.over_cores ? 0 : keepers_[agents_ - 1].level + 1;
    keeper.node = NodeId{node};
    keeper.look_up = home.look_up;
    keeper.cache = home.memory;
    keeper.directory = home.directory;
    keeper.read_interval = home.read_interval;
    keeper.far_interval = home.far_interval;
    keeper.take_up = home.take_up;
    keepers_.push_back(keeper);
  }
}

void Legs::lay_grid() {
  const Description& machine = topology_.description();
  while (grid_width_ * grid_width_ < domain_cores_) ++grid_width_;
  const std::uint32_t height = (domain_cores_ + grid_width_ - 1) / grid_width_;
  const std::uint32_t farthest = std::max(grid_width_ - 1 + height - 1, 1U);
  const auto& lowest = machine.cluster_agent ? machine.cluster_agent : machine.socket_agent;
  const Hop& hop = lowest ? lowest->hop : machine.home.hop;
  const Hop& direct = lowest ? lowest->direct : machine.home.direct;
  for (std::uint32_t i = 0; i <= farthest; ++i) {
    hop_by_steps_.push_back(hop.nearest + (hop.farthest - hop.nearest) * i / farthest);
    direct_by_steps_.push_back(direct.nearest + (direct.farthest - direct.nearest) * i / farthest);
  }
  for (std::uint32_t core = 0; core < topology_.cores(); ++core) {
    const std::uint32_t slot = core % domain_cores_;
    spots_.push_back({static_cast<std::int32_t>(slot % grid_width_),
                      static_cast<std::int32_t>(slot / grid_width_)});
  }
}

Spot Legs::slice_of(LineId line) const {
  return spots_[static_cast<std::uint32_t>(mixed(line.value) % domain_cores_)];
}

Duration Legs::up(std::uint32_t agent, NodeId home) const {
  const Keeper& keeper = keepers_[agent];
  if (parent_[agent] != kHome) return keeper.fabric;
  return keeper.fabric + topology_.route(keeper.node, home);
}

Duration Legs::down(std::uint32_t agent, NodeId home) const {
  const Keeper& keeper = keepers_[agent];
  if (parent_[agent] != kHome) return keeper.fabric;
  return topology_.route(home, keeper.node) + keeper.fabric;
}

Duration Legs::across(std::uint32_t from, std::uint32_t to) const {
  const Keeper& a = keepers_[from];
  const Keeper& b = keepers_[to];
  if (parent_[from] != kHome) return a.fabric + b.fabric;
  return a.fabric + topology_.route(a.node, b.node) + b.fabric;
}

}  // namespace hotline::machine
