#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "sim/machine/topology.hpp"

namespace hotline::machine {

/// An agent or a home: what keeps track of lines for one domain. Agents come first (cluster agents,
/// then socket agents), homes follow, one a NUMA node.
struct Keeper {
  bool is_home = false;
  bool over_cores = false;        ///< its children are cores, else agents
  std::uint32_t first_child = 0;  ///< core or agent number of child 0
  std::uint32_t children = 0;
  std::uint32_t level = 0;  ///< 0 where the children are cores
  NodeId node;              ///< the node whose router it stands at
  Duration look_up;
  Duration cache;      ///< reading the domain's cache (agent) or memory (home)
  Duration directory;  ///< home only
  Duration fabric;     ///< to what stands above
  Duration read_interval;
  Duration far_interval;
  TakeUp take_up = TakeUp::kResponse;
};

/// A place on a domain's grid of cores and cache slices.
struct Spot {
  std::int32_t x = 0;
  std::int32_t y = 0;
};

/// All distances of one machine as the coherence engine needs them: which keepers a core's request
/// passes, and how long each leg is.
class Legs {
 public:
  explicit Legs(const Topology& topology);

  const Topology& topology() const { return topology_; }
  std::uint32_t agents() const { return agents_; }
  const std::vector<Keeper>& keepers() const { return keepers_; }
  const Keeper& keeper(std::uint32_t index) const { return keepers_[index]; }
  std::uint32_t home_of(NodeId node) const { return agents_ + node.value; }

  /// The keeper a core asks first, for a line of that home.
  std::uint32_t lowest(CoreId core, NodeId home) const {
    return agents_ == 0 ? home_of(home) : lowest_agent_[core.value];
  }
  /// The keeper above one (not for homes), for a line of that home.
  std::uint32_t above(std::uint32_t keeper, NodeId home) const {
    const std::uint32_t parent = parent_[keeper];
    return parent == kHome ? home_of(home) : parent;
  }
  /// Which child of `keeper` the core or agent below it is.
  std::uint32_t child_index(std::uint32_t keeper, std::uint32_t core_or_agent) const {
    return core_or_agent - keepers_[keeper].first_child;
  }

  /// Core to its lowest keeper or back: by the grid distance to the line's slice; without agents
  /// also along the route to the home.
  Duration hop(CoreId core, Spot slice, NodeId home) const {
    const Duration on_grid = hop_by_steps_[steps(spots_[core.value], slice)];
    return agents_ != 0 ? on_grid : on_grid + topology_.route(topology_.node_of(core), home);
  }
  /// Where the slice lies that a line has in every domain.
  Spot slice_of(LineId line) const;
  /// An old owner's core straight to the requester's, both below one lowest keeper.
  Duration direct(CoreId from, CoreId to) const {
    const Duration on_grid = direct_by_steps_[steps(spots_[from.value], spots_[to.value])];
    if (agents_ != 0) return on_grid;
    return on_grid + topology_.route(topology_.node_of(from), topology_.node_of(to));
  }
  /// Agent up to the keeper above it, or down from it, along the routes if that is a home.
  Duration up(std::uint32_t agent, NodeId home) const;
  Duration down(std::uint32_t agent, NodeId home) const;
  /// From one agent to another below the same keeper.
  Duration across(std::uint32_t from, std::uint32_t to) const;

 private:
  static constexpr std::uint32_t kHome = ~std::uint32_t{0};

  void add_agents();
  void add_homes();
  void lay_grid();
  static std::uint32_t steps(Spot a, Spot b) {
    return static_cast<std::uint32_t>(std::abs(a.x - b.x) + std::abs(a.y - b.y));
  }

  const Topology& topology_;
  std::uint32_t agents_ = 0;
  std::uint32_t domain_cores_ = 1;  ///< cores below one lowest keeper
  std::uint32_t grid_width_ = 1;
  std::vector<Spot> spots_;  // by core
  std::vector<Duration> hop_by_steps_;
  std::vector<Duration> direct_by_steps_;
  std::vector<Keeper> keepers_;
  std::vector<std::uint32_t> lowest_agent_;  // by core
  std::vector<std::uint32_t> parent_;        // by agent
};

}  // namespace hotline::machine
