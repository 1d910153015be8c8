#include "sim/machine/topology.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include "sim/input/diagnostics.hpp"

namespace hotline::machine {
namespace {

constexpr std::uint64_t kUnreachable = std::numeric_limits<std::uint64_t>::max();

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, std::uint64_t>>;

enum class Direction : std::uint8_t { kForward, kBackward };

/// The NUMA graph: an edge for each direction of a link, its length in picoseconds.
Graph graph_of(const Description& description, std::uint32_t nodes,
               Direction direction = Direction::kForward) {
  Graph graph(nodes);
  const auto add = [&](NodeId from, NodeId to, Duration length) {
    if (direction == Direction::kBackward) std::swap(from, to);
    boost::add_edge(from.value, to.value, length.ps(), graph);
  };
  for (const LinkDescription& link : description.links) {
    add(link.from, link.to, link.there);
    if (link.back) add(link.to, link.from, *link.back);
  }
  return graph;
}

/// Shortest lengths from one node to all, and the node before each on the way there.
struct Reach {
  std::vector<std::uint64_t> length;
  std::vector<std::uint32_t> before;
};

Reach dijkstra(const Graph& graph, std::uint32_t from) {
  const std::size_t nodes = boost::num_vertices(graph);
  Reach reach{std::vector<std::uint64_t>(nodes), std::vector<std::uint32_t>(nodes)};
  boost::dijkstra_shortest_paths(
      graph, from, boost::distance_map(reach.length.data()).predecessor_map(reach.before.data()));
  return reach;
}

/// Only the links themselves: what a distance table says stays as it says it.
Reach direct_links(const Graph& graph, std::uint32_t from) {
  const std::size_t nodes = boost::num_vertices(graph);
  Reach reach{std::vector<std::uint64_t>(nodes, kUnreachable),
              std::vector<std::uint32_t>(nodes, from)};
  const auto lengths = boost::get(boost::edge_weight, graph);
  reach.length[from] = 0;
  for (auto [edge, end] = boost::out_edges(from, graph); edge != end; ++edge) {
    std::uint64_t& length = reach.length[boost::target(*edge, graph)];
    length = std::min(length, boost::get(lengths, *edge));
  }
  return reach;
}

Reach reach_from(const Graph& graph, std::uint32_t from, bool links_are_routes) {
  return links_are_routes ? direct_links(graph, from) : dijkstra(graph, from);
}

std::uint32_t node_count(const Description& description) {
  return description.sockets * description.nodes_per_socket;
}

std::uint32_t apart(std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; }

std::string in_ns(Duration duration) { return std::to_string((duration.ps() + 500) / 1000); }

/// Whether a route is so much longer than its neighbours that it makes a class of its own: a step
/// of a quarter to the next shorter one (links of one kind differ by less, one hop more is more),
/// or more than two thirds over the shortest of its class.
bool starts_class(Duration first, Duration previous, Duration length) {
  return length * 4 > previous * 5 || length * 3 > first * 5;
}

}  // namespace

std::optional<UnreachableNode> find_unreachable(const Description& description) {
  const std::uint32_t nodes = node_count(description);
  const Graph forward = graph_of(description, nodes);
  const auto first_missing = [](const Reach& reach) -> std::optional<NodeId> {
    const auto at = std::find(reach.length.begin(), reach.length.end(), kUnreachable);
    if (at == reach.length.end()) return std::nullopt;
    return NodeId{static_cast<std::uint32_t>(at - reach.length.begin())};
  };
  if (description.links_are_routes) {
    for (std::uint32_t from = 0; from < nodes; ++from) {
      const auto to = first_missing(direct_links(forward, from));
      if (to) return UnreachableNode{NodeId{from}, *to};
    }
    return std::nullopt;
  }
  // All reach each other if node 0 reaches all and all reach node 0.
  if (const auto to = first_missing(dijkstra(forward, 0))) return UnreachableNode{NodeId{0}, *to};
  const Graph backward = graph_of(description, nodes, Direction::kBackward);
  if (const auto from = first_missing(dijkstra(backward, 0))) {
    return UnreachableNode{*from, NodeId{0}};
  }
  return std::nullopt;
}

Topology::Topology(const Description& description) : description_(description) {
  if (const auto missing = find_unreachable(description_)) {
    input::Diagnostics diagnostics;
    diagnostics.error({description_.name, {}, "interconnect"},
                      "node " + std::to_string(missing->to.value) +
                          " cannot be reached from node " + std::to_string(missing->from.value));
    throw input::InputError(std::move(diagnostics));
  }
  for (std::uint32_t core = 0; core < cores(); ++core) {
    const std::uint32_t in_socket = core % cores_per_socket();
    // Nodes take equal shares of a socket's cores, as whole clusters where these divide evenly.
    const std::uint32_t node = in_socket * description_.nodes_per_socket / cores_per_socket();
    places_.push_back({cluster_of(CoreId{core}),
                       {socket_of(CoreId{core}).value * description_.nodes_per_socket + node}});
  }
  while (grid_width_ * grid_width_ < cores_per_socket()) ++grid_width_;
  const std::uint32_t height = (cores_per_socket() + grid_width_ - 1) / grid_width_;
  grid_steps_ = std::max(grid_width_ - 1 + height - 1, 1U);

  const Graph graph = graph_of(description_, nodes());
  routes_.resize(std::size_t{nodes()} * nodes());
  next_node_.resize(routes_.size());
  for (std::uint32_t from = 0; from < nodes(); ++from) {
    const Reach reach = reach_from(graph, from, description_.links_are_routes);
    for (std::uint32_t to = 0; to < nodes(); ++to) {
      routes_[index({from}, {to})] = Duration::from_ps(reach.length[to]);
      std::uint32_t step = to;
      while (step != from && reach.before[step] != from) step = reach.before[step];
      next_node_[index({from}, {to})] = step;
    }
  }
  add_near_classes();
  route_class_.resize(routes_.size());
  add_route_classes(true);
  add_route_classes(false);
}

CoreId Topology::core_of(CpuId cpu) const {
  const bool adjacent = description_.numbering == CpuNumbering::kSiblingsAdjacent;
  return {adjacent ? cpu.value / description_.threads_per_core : cpu.value % cores()};
}

CpuId Topology::cpu_of(CoreId core, std::uint32_t k) const {
  const bool adjacent = description_.numbering == CpuNumbering::kSiblingsAdjacent;
  return {adjacent ? core.value * description_.threads_per_core + k : core.value + k * cores()};
}

bool Topology::has_memory(NodeId node) const {
  const auto& without = description_.nodes_without_memory;
  return std::find(without.begin(), without.end(), node) == without.end();
}

std::vector<NodeId> Topology::route_nodes(NodeId from, NodeId to) const {
  std::vector<NodeId> passed = {from};
  while (passed.back() != to) passed.push_back({next_node_[index(passed.back(), to)]});
  return passed;
}

std::uint32_t Topology::grid_distance(std::uint32_t slot_a, std::uint32_t slot_b) const {
  const std::uint32_t steps = apart(slot_a % grid_width_, slot_b % grid_width_) +
                              apart(slot_a / grid_width_, slot_b / grid_width_);
  return steps * 1024 / grid_steps_;
}

std::uint32_t Topology::slice_of(LineId line) const {
  // Neighbouring lines lie on slices far apart, as an address hash puts them; Knuth's
  // multiplicative hash does that and is the same everywhere.
  const std::uint64_t mixed = std::uint64_t{line.value} * 0x9E3779B97F4A7C15U;
  return static_cast<std::uint32_t>((mixed >> 32U) % cores_per_socket());
}

void Topology::add_near_classes() {
  const auto add = [this](std::string name) {
    classes_.push_back({std::move(name)});
    return static_cast<std::uint8_t>(classes_.size() - 1);
  };
  add(description_.threads_per_core > 1 ? "smt sibling" : "same core");
  const bool has_clusters = description_.clusters_per_socket > 1;
  if (has_clusters && description_.cores_per_cluster > 1) cluster_class_ = add("same cluster");
  if (cores_per_socket() > 1) {
    node_class_ = add(description_.nodes_per_socket > 1 ? "same node" : "same socket");
  }
  if (!has_clusters) cluster_class_ = node_class_;
}

void Topology::add_route_classes(bool same_socket) {
  // The mean of both directions, so that a class does not depend on which core asks.
  std::vector<std::pair<Duration, std::pair<NodeId, NodeId>>> routes;
  for (std::uint32_t a = 0; a < nodes(); ++a) {
    for (std::uint32_t b = 0; b < nodes(); ++b) {
      if (a == b || (socket_of(NodeId{a}) == socket_of(NodeId{b})) != same_socket) continue;
      routes.push_back({(route({a}, {b}) + route({b}, {a})) / 2, {{a}, {b}}});
    }
  }
  std::sort(routes.begin(), routes.end());
  Duration first;
  Duration previous;
  const std::string place = same_socket ? "other node, " : "other socket, ";
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const Duration length = routes[i].first;
    if (i == 0 || starts_class(first, previous, length)) {
      first = length;
      classes_.push_back({place + in_ns(first) + " ns"});
    } else if (in_ns(length) != in_ns(first)) {
      classes_.back().name = place + in_ns(first) + " to " + in_ns(length) + " ns";
    }
    previous = length;
    const auto [a, b] = routes[i].second;
    route_class_[index(a, b)] = static_cast<std::uint8_t>(classes_.size() - 1);
  }
}

}  // namespace hotline::machine
