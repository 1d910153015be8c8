#include "sim/report/machine_report.hpp"

#include <fmt/format.h>

#include "sim/report/format.hpp"

namespace hotline::report {

using engine::Duration;
using machine::Description;
using machine::Topology;

namespace {

std::string nanoseconds(Duration duration) { return fmt::format("{:.1f}", duration.ns()); }

std::string plural(std::uint32_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

const char* protocol_name(machine::Protocol protocol) {
  switch (protocol) {
    case machine::Protocol::kMesi:
      return "MESI";
    case machine::Protocol::kMesif:
      return "MESIF";
    case machine::Protocol::kMoesi:
      return "MOESI";
  }
  return "";
}

std::string agents_text(const Description& description) {
  std::string text = "lines are tracked by";
  if (description.cluster_agent) text += " an agent a cluster,";
  if (description.socket_agent) text += " an agent a socket,";
  return text + " a home a NUMA node";
}

std::string far_text(const machine::FarAtomics& far) {
  std::string text;
  const auto form = [&](bool is_far, const char* name) {
    if (is_far) text += (text.empty() ? "" : ", ") + std::string(name);
  };
  form(far.add, "add without result");
  form(far.fetch_add, "fetch_add");
  form(far.exchange, "exchange");
  form(far.compare_exchange, "compare_exchange");
  return text.empty() ? "" : "executed far, at the line's agent or home: " + text + "\n";
}

std::string clock_text(const machine::CoreDescription& core) {
  std::string text = "clock: ";
  for (std::size_t i = 0; i < core.clock.size(); ++i) {
    const machine::ClockStep& step = core.clock[i];
    const bool is_last = i + 1 == core.clock.size();
    if (i > 0) text += ", ";
    text += fmt::format("{:.2f} GHz", static_cast<double>(step.megahertz) / 1000);
    if (core.clock.size() > 1) {
      text += is_last ? " with more" : fmt::format(" up to {} active", step.up_to_active_cores);
    }
  }
  return wrap(text);
}

std::string topology_text(const Topology& topology) {
  const Description& d = topology.description();
  std::string text = plural(topology.cpus(), "CPU") + ": " + plural(topology.sockets(), "socket");
  if (d.clusters_per_socket > 1) text += " of " + plural(d.clusters_per_socket, "cluster");
  text += " of " + plural(d.cores_per_cluster, "core");
  text += " of " + plural(d.threads_per_core, "thread") + "; ";
  text += plural(topology.nodes(), "NUMA node") + "\n";
  text += fmt::format(
      "{}, {}, lines of {} bytes; {}\n", protocol_name(d.protocol),
      d.consistency == machine::Consistency::kTso ? "total store order" : "sequentially consistent",
      d.line_bytes, agents_text(d));
  return text + far_text(d.far) + clock_text(d.core);
}

std::string origin_text(const input::Origin& origin) {
  std::string text = origin.inferred ? "inferred" : origin.source;
  if (origin.inferred && !origin.source.empty()) text += ": " + origin.source;
  if (!origin.range.empty()) text += " (" + origin.range + ")";
  return text;
}

std::string figures_text(const machine::MachineFile& file, bool sources, const Style& style) {
  TextTable table;
  table.column("FIGURE", Align::kLeft);
  table.column("VALUE", Align::kRight);
  table.column("", Align::kLeft);
  std::string text;
  for (const input::Figure& figure : file.figures) {
    const std::string origin = origin_text(figure.origin);
    table.row({figure.place.path, figure.text,
               sources ? "" : (figure.origin.inferred ? "inferred" : "")});
    if (sources && !origin.empty())
      text += figure.place.path + " = " + figure.text + "\n" + wrap(origin, 4);
  }
  return sources ? text : table.text(style);
}

std::string distances_text(const Topology& topology, const Style& style) {
  TextTable table;
  table.column("DISTANCE", Align::kLeft);
  for (const char* title : {"PAIRS", "LEAST ns", "MEDIAN ns", "MOST ns"}) {
    table.column(title, Align::kRight);
  }
  for (const DistanceSummary& row : distance_summary(topology)) {
    table.row({row.distance, count_text(row.pairs), nanoseconds(row.least), nanoseconds(row.median),
               nanoseconds(row.most)});
  }
  return table.text(style);
}

}  // namespace

std::string machine_text(const machine::MachineFile& file, bool sources, const Style& style) {
  const Topology topology(file.description);
  std::string text = style.heading(file.description.name) + ": " + file.description.title + "\n" +
                     topology_text(topology);
  if (!file.about.empty()) text += "\n" + wrap(file.about);
  text += "\n" + style.heading("One transfer of a modified line from core to core") + "\n" +
          distances_text(topology, style);
  if (file.figures.empty()) return text;
  return text + "\n" + style.heading("Figures") +
         (sources ? "\n" : " (--sources says where each comes from)\n") +
         figures_text(file, sources, style);
}

std::string machines_text(const std::vector<machine::MachineInfo>& machines, const Style& style) {
  TextTable table;
  table.column("MACHINE", Align::kLeft);
  table.column("CPUS", Align::kRight);
  table.column("WHAT IT IS", Align::kLeft);
  std::string parameters;
  for (const machine::MachineInfo& machine : machines) {
    table.row({machine.name, std::to_string(machine.cpus), machine.title});
    if (machine.parameters.empty()) continue;
    std::string names;
    for (const machine::Parameter& parameter : machine.parameters) {
      names += fmt::format("{}{}={}", names.empty() ? "" : " ", parameter.name, parameter.fallback);
    }
    parameters += wrap(fmt::format("{}: {}", machine.name, names), 2);
  }
  std::string text = table.text(style);
  if (!parameters.empty()) text += "\nParameters for --with, with their defaults:\n" + parameters;
  return text;
}

std::string transfer_text(const Topology& topology, machine::CpuId from, machine::CpuId to,
                          machine::NodeId home, const Style& style) {
  const machine::Transfer transfer = machine::transfer_path(topology, from, to, home);
  const machine::CoreId giver = topology.core_of(from);
  const machine::CoreId taker = topology.core_of(to);
  std::string text = wrap(fmt::format(
      "{}: CPU {} (core {}, node {}) takes a line that CPU {} (core {}, node {}) holds modified; "
      "its home is node {}; distance: {}",
      topology.description().name, to.value, taker.value, topology.node_of(taker).value, from.value,
      giver.value, topology.node_of(giver).value, home.value,
      topology.distance_classes()[topology.distance(giver, taker)].name));
  TextTable table;
  table.column("ns", Align::kRight);
  table.column("sum", Align::kRight);
  table.column("leg", Align::kLeft);
  Duration sum;
  for (const machine::TransferLeg& leg : transfer.legs) {
    sum += leg.length;
    table.row({nanoseconds(leg.length), nanoseconds(sum), leg.what});
  }
  text += "\n" + table.text(style);
  return text + fmt::format("\ntotal {} ns on one slice; {} ns as the mean over slices\n",
                            nanoseconds(transfer.total()),
                            nanoseconds(machine::mean_transfer(topology, from, to, home)));
}

}  // namespace hotline::report
