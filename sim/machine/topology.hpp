#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/machine/description.hpp"

namespace hotline::machine {

/// How far apart two cores are, from near to far. Routes between nodes make the last classes:
/// lengths that lie close together share one, so their number depends on the machine.
struct DistanceClass {
  std::string name;  ///< "smt sibling", "same cluster", "same socket", "other socket, 45 ns", ...
};

/// Two nodes of which the second cannot be reached from the first.
struct UnreachableNode {
  NodeId from;
  NodeId to;
};
/// The first such pair of a machine's links, if there is one.
std::optional<UnreachableNode> find_unreachable(const Description& description);

/// The domain tree and the routes of one machine. Immutable; shared by all runs on it.
///
/// Agents are numbered from 0: cluster agents first (if the machine has them), then socket agents.
/// A core's lowest agent is its cluster's, else its socket's; a machine may have none.
class Topology {
 public:
  /// Builds the tree and all shortest routes. Throws input::InputError if a node cannot be reached.
  explicit Topology(const Description& description);

  const Description& description() const { return description_; }

  std::uint32_t cpus() const { return cores() * description_.threads_per_core; }
  std::uint32_t cores() const { return clusters() * description_.cores_per_cluster; }
  std::uint32_t clusters() const { return sockets() * description_.clusters_per_socket; }
  std::uint32_t sockets() const { return description_.sockets; }
  std::uint32_t nodes() const { return sockets() * description_.nodes_per_socket; }
  std::uint32_t cores_per_socket() const {
    return description_.clusters_per_socket * description_.cores_per_cluster;
  }

  CoreId core_of(CpuId cpu) const;
  /// The k-th hardware thread of a core; k < threads_per_core.
  CpuId cpu_of(CoreId core, std::uint32_t k) const;
  ClusterId cluster_of(CoreId core) const { return {core.value / description_.cores_per_cluster}; }
  SocketId socket_of(CoreId core) const { return {core.value / cores_per_socket()}; }
  NodeId node_of(CoreId core) const { return places_[core.value].node; }
  SocketId socket_of(NodeId node) const { return {node.value / description_.nodes_per_socket}; }
  /// False for a node without memory: no home may be placed there.
  bool has_memory(NodeId node) const;

  /// One way along the shortest route between two nodes' routers; zero for a == b. Directions may
  /// differ.
  Duration route(NodeId from, NodeId to) const { return routes_[index(from, to)]; }
  /// The nodes on the shortest route, both ends included.
  std::vector<NodeId> route_nodes(NodeId from, NodeId to) const;

  /// Distance of two places on a socket's grid as a fraction of the longest, in 1/1024. A slot is a
  /// core's index in its socket; a line's slice lies at a slot too.
  std::uint32_t grid_distance(std::uint32_t slot_a, std::uint32_t slot_b) const;
  /// The slot of the slice that a line of this number has on every socket (a fixed hash).
  std::uint32_t slice_of(LineId line) const;

  /// Index into distance_classes().
  std::uint8_t distance(CoreId a, CoreId b) const {
    if (a == b) return 0;
    const Place& from = places_[a.value];
    const Place& to = places_[b.value];
    if (from.cluster == to.cluster) return cluster_class_;
    return from.node == to.node ? node_class_ : route_class_[index(from.node, to.node)];
  }
  /// Classes from near to far; the first is a core and itself.
  const std::vector<DistanceClass>& distance_classes() const { return classes_; }

 private:
  struct Place {
    ClusterId cluster;
    NodeId node;
  };
  void add_near_classes();
  void add_route_classes(bool same_socket);
  std::size_t index(NodeId a, NodeId b) const { return std::size_t{a.value} * nodes() + b.value; }

  Description description_;
  std::vector<Place> places_;  // by core
  std::uint32_t grid_width_ = 1;
  std::uint32_t grid_steps_ = 1;          // the longest distance on a socket's grid
  std::vector<Duration> routes_;          // nodes x nodes
  std::vector<std::uint32_t> next_node_;  // nodes x nodes: first step of the route
  std::vector<DistanceClass> classes_;
  std::uint8_t cluster_class_ = 0;
  std::uint8_t node_class_ = 0;            // same node, other cluster
  std::vector<std::uint8_t> route_class_;  // nodes x nodes; unused for a == b
};

}  // namespace hotline::machine
