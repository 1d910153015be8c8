#include "sim/machine/description_reader.hpp"

#include <initializer_list>
#include <limits>
#include <string>

#include "sim/input/types.hpp"

namespace hotline::machine {
namespace {

using input::MapReader;

/// A latency of the core or of an agent's look-up: a time, cycles, or both.
struct LatencyType {
  using type = Latency;
  std::optional<Latency> read(const input::Value& value) const {
    const auto found = input::latency().read(value);
    if (!found) return std::nullopt;
    if (found->time > longest_leg() || found->cycles.milli > kMostCycles) {
      value.error(value.node()->found() + " is longer than any latency; expected at most 1s");
      return std::nullopt;
    }
    return Latency{found->time, Cycles{found->cycles.milli}};
  }
  input::Declaration declare() const { return input::latency().declare(); }
  std::string print(const Latency& latency) const {
    return input::to_text(input::TimeAndCycles{latency.time, {latency.cycles.milli}});
  }
  bool is_figure() const { return true; }

  static constexpr std::uint64_t kMostCycles = 1'000'000'000'000;
};

Latency latency(MapReader& map, std::string_view key, std::string_view description) {
  return map.require(key, LatencyType{}, description);
}

Duration leg(MapReader& map, std::string_view key, std::string_view description) {
  return map.require(key, input::duration({}, longest_leg()), description);
}

TakeUp take_up(MapReader& map) {
  const auto type = input::choice<TakeUp>({{"dispatch", TakeUp::kDispatch},
                                           {"response", TakeUp::kResponse},
                                           {"completion", TakeUp::kCompletion}});
  return map.get("take_up", type, TakeUp::kResponse,
                 "when it takes up the next request for a line: once the snoops are sent, when the "
                 "old owner has answered, or when the new owner has confirmed");
}

/// `hop: 5ns`, or `hop: {nearest: 3ns, farthest: 8ns}` where it depends on the place on the grid.
void read_hop(const input::Value& value, Hop& hop) {
  const auto length = input::duration({}, longest_leg());
  const bool is_range = value.is_dry() || value.node()->find("nearest") != nullptr ||
                        value.node()->find("farthest") != nullptr;
  if (value.is_dry() || !is_range) {
    const Duration both = value.as(length).value_or(Duration{});
    hop = {both, both};
  }
  if (!is_range) return;
  value.map([&](MapReader& range) {
    hop.nearest = range.require("nearest", length, "between neighbours on the grid");
    hop.farthest = range.require("farthest", length, "between opposite corners of the grid");
    if (hop.farthest < hop.nearest) {
      range.error_at("farthest", "is shorter than nearest");
      hop.farthest = hop.nearest;
    }
  });
}

Hop hop(MapReader& map, std::string_view key, std::string_view description) {
  Hop hop;
  map.require_value(key, description, [&hop](const input::Value& value) { read_hop(value, hop); });
  return hop;
}

void read_topology(MapReader& map, Description& machine) {
  const auto number = [](std::uint32_t most) { return input::count<std::uint32_t>(1, most); };
  machine.sockets = map.require("sockets", number(kMostNodes), "number of sockets");
  machine.clusters_per_socket = map.get("clusters_per_socket", number(4096), 1,
                                        "clusters (CCX, CCL: cores behind one shared cache)");
  machine.cores_per_cluster = map.require("cores_per_cluster", number(4096),
                                          "cores of a cluster, or of a socket without clusters");
  machine.threads_per_core =
      map.get("threads_per_core", number(16), 1, "hardware threads of a core");
  machine.nodes_per_socket = map.get("nodes_per_socket", number(64), 1, "NUMA nodes of a socket");
  machine.numbering =
      map.get("numbering",
              input::choice<CpuNumbering>({{"siblings_last", CpuNumbering::kSiblingsLast},
                                           {"siblings_adjacent", CpuNumbering::kSiblingsAdjacent}}),
              CpuNumbering::kSiblingsLast, "how hardware threads are numbered over the cores");
  map.value("nodes_without_memory", "nodes that have CPUs but no memory",
            [&](const input::Value& list) {
              list.list([&machine](const input::Value& item) {
                const auto node = item.as(input::integer<std::uint32_t>(0, kMostNodes - 1));
                if (node) machine.nodes_without_memory.push_back({*node});
              });
            });
}

void read_clock_step(MapReader& map, bool is_last, CoreDescription& core) {
  ClockStep step;
  step.up_to_active_cores = std::numeric_limits<std::uint32_t>::max();
  const auto up_to = map.find("up_to", input::integer<std::uint32_t>(1, kMostCores),
                              "busy cores of the socket; the last step has none");
  if (up_to) step.up_to_active_cores = *up_to;
  if (up_to && is_last) map.error_at("up_to", "the last step holds for any number; leave it out");
  if (!up_to && !is_last && !map.is_dry()) map.whole().error("key \"up_to\" is missing");
  const auto frequency = map.require(
      "frequency", input::frequency(input::Frequency{1'000'000}, input::Frequency{100'000'000'000}),
      "the clock of a busy core");
  step.megahertz = frequency.hertz / 1'000'000;
  if (!core.clock.empty() && core.clock.back().up_to_active_cores >= step.up_to_active_cores) {
    map.error_at("up_to", "steps must rise");
  }
  core.clock.push_back(step);
}

/// `clock: 2GHz`, or steps by the number of busy cores.
void read_clock(const input::Value& value, CoreDescription& core) {
  if (value.is_dry() || !value.may_be_list()) {
    const auto clock =
        value.as(input::frequency(input::Frequency{1'000'000}, input::Frequency{100'000'000'000}));
    if (clock) {
      core.clock = {{std::numeric_limits<std::uint32_t>::max(), clock->hertz / 1'000'000}};
    }
  }
  if (!value.may_be_list()) return;
  const std::size_t steps = value.is_dry() ? 0 : value.node()->items.size();
  std::size_t seen = 0;
  value.list(
      [&](const input::Value& item) {
        ++seen;
        item.map([&](MapReader& map) { read_clock_step(map, seen == steps, core); });
      },
      {1, 256});
}

void read_core_operations(MapReader& map, CoreDescription& core) {
  core.load = latency(map, "load", "a load that hits, or takes its value from the store buffer");
  core.store = latency(map, "store", "a store into the store buffer (tso), or one that hits (sc)");
  core.fetch_add = latency(map, "fetch_add", "a locked add, and, or that hits");
  core.exchange = latency(map, "exchange", "an exchange that hits");
  core.compare_exchange = latency(map, "compare_exchange", "a compare-exchange that hits");
  core.fence = latency(map, "fence", "a full fence with an empty store buffer");
  core.pause = latency(map, "pause", "the poll period of a spin loop that pauses");
  core.spin_exit = latency(map, "spin_exit", "leaving a spin loop: the mispredicted branch");
}

void read_core(MapReader& map, CoreDescription& core) {
  map.require_value("clock", "the clock, or its steps by the number of busy cores",
                    [&core](const input::Value& value) { read_clock(value, core); });
  core.issue = latency(map, "issue", "from a miss to the request leaving the core");
  core.fill = latency(map, "fill", "from the data's arrival to its first locked use");
  core.snoop = latency(map, "snoop", "to answer a snoop");
  read_core_operations(map, core);
  core.store_buffer =
      map.get("store_buffer", input::count<std::uint32_t>(1, 1024), 56, "its entries");
  core.store_prefetch =
      map.get("store_prefetch", input::boolean(), false,
              "whether stores ask for their lines when they enter the buffer, not one by one");
  core.far_outstanding = map.get("far_outstanding", input::count<std::uint32_t>(1, 1024), 8,
                                 "far atomics that a core may have in flight");
  const input::Decimal slowdown{1.0, 16.0, true};
  core.smt_slowdown = map.get("smt_slowdown", slowdown, 1.0,
                              "how many times slower computing is beside a computing sibling");
}

AgentDescription read_agent(MapReader& map) {
  AgentDescription agent;
  agent.look_up = latency(map, "look_up", "from taking up a request to sending snoops or data");
  agent.hop = hop(map, "hop", "between a core and the agent, one way");
  agent.direct = hop(map, "direct", "from an old owner's core to the requester's");
  agent.fabric = leg(map, "fabric", "between the agent and what stands above it, one way");
  agent.cache = leg(map, "cache", "to read a line from the domain's own cache, after the look-up");
  agent.take_up = take_up(map);
  agent.read_interval = leg(map, "read_interval", "between two reads of a Shared line");
  agent.far_interval = map.get("far_interval", input::duration({}, longest_leg()), {},
                               "between two far atomics on one line");
  return agent;
}

/// The legs between cores and a router belong to machines without agents alone.
void read_home_hops(MapReader& map, bool has_agents, HomeDescription& home) {
  constexpr std::string_view kHop = "between a core and its node's router, without agents";
  constexpr std::string_view kDirect = "from core to core, without agents";
  if (has_agents || map.is_dry()) {
    map.value("hop", kHop, [&home](const input::Value& value) { read_hop(value, home.hop); });
    map.value("direct", kDirect,
              [&home](const input::Value& value) { read_hop(value, home.direct); });
    if (map.has("hop")) map.warning_at("hop", "has no effect beside agents");
    if (map.has("direct")) map.warning_at("direct", "has no effect beside agents");
    return;
  }
  home.hop = hop(map, "hop", kHop);
  home.direct = hop(map, "direct", kDirect);
}

void read_home(MapReader& map, bool has_agents, HomeDescription& home) {
  const auto length = input::duration({}, longest_leg());
  home.look_up = leg(map, "look_up", "from taking up a request to sending it on");
  home.directory =
      map.get("directory", length, {}, "added when a line is dirty outside the home's node");
  home.memory = leg(map, "memory", "to read a line from memory, after the look-up");
  read_home_hops(map, has_agents, home);
  home.take_up = take_up(map);
  home.read_interval = leg(map, "read_interval", "between two reads of a Shared line");
  home.far_interval = map.get("far_interval", length, {}, "between two far atomics on one line");
}

void read_far_atomics(MapReader& map, FarAtomics& far) {
  far.add = map.get("add", input::boolean(), false, "an add without a result (Arm's STADD)");
  far.fetch_add = map.get("fetch_add", input::boolean(), false, "add, and, or with a result");
  far.exchange = map.get("exchange", input::boolean(), false, "exchange");
  far.compare_exchange = map.get("compare_exchange", input::boolean(), false, "compare-exchange");
}

void read_rules(MapReader& map, Description& machine) {
  machine.protocol = map.require(
      "protocol",
      input::choice<Protocol>(
          {{"mesi", Protocol::kMesi}, {"mesif", Protocol::kMesif}, {"moesi", Protocol::kMoesi}}),
      "who supplies a Shared line, and whether a dirty line may be shared");
  machine.consistency =
      map.get("consistency",
              input::choice<Consistency>({{"tso", Consistency::kTso}, {"sc", Consistency::kSc}}),
              Consistency::kTso, "stores through a store buffer (tso) or performed at once (sc)");
  machine.atomics = map.get(
      "atomics",
      input::choice<Atomics>({{"ownership", Atomics::kOwnership}, {"ll_sc", Atomics::kLlSc}}),
      Atomics::kOwnership, "locked operations take ownership, or are load-linked loops");
  map.map("far_atomics", "operations that the line's agent or home executes",
          [&machine](MapReader& far) { read_far_atomics(far, machine.far); });
  const auto line = map.get("line", input::bytes(input::ByteCount{16}, input::ByteCount{256}),
                            input::ByteCount{64}, "size of a cache line");
  machine.line_bytes = static_cast<std::uint32_t>(line.bytes);
  if ((line.bytes & (line.bytes - 1)) != 0) map.error_at("line", "is not a power of two");
  machine.adjacent_line_prefetch =
      map.get("adjacent_line_prefetch", input::boolean(), false,
              "a miss brings the other half of an aligned pair of lines as well");
}

std::string times(std::initializer_list<std::uint32_t> counts) {
  std::string text;
  for (const std::uint32_t count : counts) {
    text += (text.empty() ? "" : " x ") + std::to_string(count);
  }
  return text;
}

/// What each count allows but their products do not. Returns whether it is safe to build on them.
bool check_counts(const MapReader& map, const Description& machine) {
  const std::uint64_t per_socket =
      std::uint64_t{machine.clusters_per_socket} * machine.cores_per_cluster;
  const std::uint64_t cores = per_socket * machine.sockets;
  const std::uint64_t nodes = std::uint64_t{machine.sockets} * machine.nodes_per_socket;
  bool good = true;
  const auto error = [&](std::string_view key, const std::string& message) {
    map.error_at(key, message);
    good = false;
  };
  if (cores > kMostCores) {
    error("cores_per_cluster",
          times({machine.sockets, machine.clusters_per_socket, machine.cores_per_cluster}) +
              " are more than " + std::to_string(kMostCores) + " cores");
  }
  if (nodes > kMostNodes) {
    error("nodes_per_socket", times({machine.sockets, machine.nodes_per_socket}) +
                                  " are more than " + std::to_string(kMostNodes) + " nodes");
  }
  if (per_socket % machine.nodes_per_socket != 0) {
    error("nodes_per_socket",
          "does not divide the " + std::to_string(per_socket) + " cores of a socket");
  }
  for (const NodeId node : machine.nodes_without_memory) {
    if (node.value < nodes) continue;
    error("nodes_without_memory", "node " + std::to_string(node.value) +
                                      " does not exist; the last is " + std::to_string(nodes - 1));
  }
  if (good && machine.nodes_without_memory.size() >= nodes) {
    error("nodes_without_memory", "leaves no node with memory");
  }
  return good;
}

}  // namespace

Duration longest_leg() { return Duration::from_ps(1'000'000'000'000); }

void read_description(MapReader& map, Description& machine) {
  machine.title = map.require("title", input::text(), "one line for people");
  read_rules(map, machine);
  bool counts_are_good = false;
  map.require_map("topology", "how many of what", [&](MapReader& topology) {
    const std::size_t before = topology.whole().reading().diagnostics.errors();
    read_topology(topology, machine);
    if (topology.whole().reading().diagnostics.errors() > before) return;
    counts_are_good = topology.is_dry() || check_counts(topology, machine);
  });
  map.require_map("core", "what a core costs",
                  [&machine](MapReader& core) { read_core(core, machine.core); });
  map.map("cluster_agent", "what keeps track of a cluster's lines",
          [&machine](MapReader& agent) { machine.cluster_agent = read_agent(agent); });
  map.map("socket_agent", "what keeps track of a socket's lines",
          [&machine](MapReader& agent) { machine.socket_agent = read_agent(agent); });
  const bool has_agents = machine.cluster_agent || machine.socket_agent;
  map.require_map("home", "the memory of a NUMA node, and what keeps track of its lines",
                  [&](MapReader& home) { read_home(home, has_agents, machine.home); });
  map.map("interconnect", "what joins the nodes", [&](MapReader& interconnect) {
    if (counts_are_good) {
      read_interconnect(interconnect, machine);
    } else {
      interconnect.ignore_rest();
    }
  });
  const bool joins_nodes = machine.sockets * machine.nodes_per_socket > 1;
  if (counts_are_good && joins_nodes && !map.has("interconnect")) {
    map.whole().error("key \"interconnect\" is missing: what joins the nodes");
  }
}

}  // namespace hotline::machine
