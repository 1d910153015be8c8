#include "sim/report/machine_tables.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/machine/topology.hpp"

namespace hotline::report {

using experiment::Outcome;
using machine::Description;
using machine::NodeId;

namespace {

struct MachineRow {
  std::string machine;
  std::string title;
  std::uint64_t sockets = 0;
  std::uint64_t nodes_per_socket = 0;
  std::uint64_t clusters_per_socket = 0;
  std::uint64_t cores_per_cluster = 0;
  std::uint64_t threads_per_core = 0;
  std::string numbering;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum measure::Unit;
    field("machine", kText, "its name", &MachineRow::machine);
    field("title", kText, "what it is", &MachineRow::title);
    field("sockets", kCount, "sockets", &MachineRow::sockets);
    field("nodes_per_socket", kCount, "NUMA nodes a socket", &MachineRow::nodes_per_socket);
    field("clusters_per_socket", kCount, "clusters of cores a socket",
          &MachineRow::clusters_per_socket);
    field("cores_per_cluster", kCount, "cores a cluster", &MachineRow::cores_per_cluster);
    field("threads_per_core", kCount, "hardware threads a core", &MachineRow::threads_per_core);
    field("numbering", kText, "of the CPUs: siblings last, or siblings adjacent",
          &MachineRow::numbering);
  }
};

struct LinkRow {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  engine::Duration length;
  std::uint64_t lines = 0;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum measure::Unit;
    field("from", kCount, "number of a NUMA node", &LinkRow::from);
    field("to", kCount, "number of a NUMA node", &LinkRow::to);
    field("length", kNanoseconds, "one way", &LinkRow::length);
    field("lines", kCount, "lines whose data it carried", &LinkRow::lines);
  }
};

using Lines = std::map<std::pair<NodeId, NodeId>, std::uint64_t>;

/// Lines carried by each direction of each link.
Lines carried(const machine::Topology& topology, const std::vector<std::uint64_t>& traffic) {
  Lines lines;
  for (std::uint32_t from = 0; from < topology.nodes(); ++from) {
    for (std::uint32_t to = 0; to < topology.nodes(); ++to) {
      const std::uint64_t sent = traffic[std::size_t{from} * topology.nodes() + to];
      if (from == to || sent == 0) continue;
      const std::vector<NodeId> way = topology.route_nodes({from}, {to});
      for (std::size_t i = 0; i + 1 < way.size(); ++i) lines[{way[i], way[i + 1]}] += sent;
    }
  }
  return lines;
}

}  // namespace

measure::Table machine_table(const Outcome& outcome) {
  const Description& machine = outcome.machine_description;
  MachineRow row;
  row.machine = machine.name;
  row.title = machine.title;
  row.sockets = machine.sockets;
  row.nodes_per_socket = machine.nodes_per_socket;
  row.clusters_per_socket = machine.clusters_per_socket;
  row.cores_per_cluster = machine.cores_per_cluster;
  row.threads_per_core = machine.threads_per_core;
  row.numbering = machine.numbering == machine::CpuNumbering::kSiblingsLast ? "siblings last"
                                                                            : "siblings adjacent";
  return measure::tabulate<MachineRow>("machine", "the machine", std::vector{row});
}

measure::Table link_table(const Outcome& outcome) {
  std::vector<LinkRow> rows;
  if (!outcome.total.traffic.empty()) {
    const machine::Topology topology(outcome.machine_description);
    Lines lines = carried(topology, outcome.total.traffic);
    for (const machine::LinkDescription& link : topology.description().links) {
      rows.push_back({link.from.value, link.to.value, link.there, lines[{link.from, link.to}]});
      if (!link.back) continue;
      rows.push_back({link.to.value, link.from.value, *link.back, lines[{link.to, link.from}]});
    }
  }
  return measure::tabulate<LinkRow>("links", "links between NUMA nodes", rows);
}

}  // namespace hotline::report
