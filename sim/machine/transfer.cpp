#include "sim/machine/transfer.hpp"

#include <fmt/format.h>

#include "sim/machine/costs.hpp"
#include "sim/machine/legs.hpp"

namespace hotline::machine {

namespace {

/// Walks one request up the domain tree and its data back, as Coherence does.
class Walk {
 public:
  Walk(const Legs& legs, NodeId home, LineId line)
      : legs_(legs), home_(home), slice_(legs.slice_of(line)) {}

  std::vector<TransferLeg> legs(CoreId from, CoreId to) {
    const CoreDescription& core = legs_.topology().description().core;
    const Costs costs = resolve(core, megahertz(core, 2));
    add("issue: the miss leaves the core", costs.issue);
    if (from != to) fetch(from, to, costs);
    add("compare-and-exchange", costs.of(Op::kCompareExchange));
    if (from == to) done_.erase(done_.begin());
    return done_;
  }

 private:
  void add(std::string what, Duration length) { done_.push_back({std::move(what), length}); }

  std::string name(std::uint32_t keeper) const { return keeper_name(legs_, keeper); }

  /// The keepers from a core up to its line's home.
  std::vector<std::uint32_t> way_up(CoreId core) const {
    std::vector<std::uint32_t> way{legs_.lowest(core, home_)};
    while (!legs_.keeper(way.back()).is_home) way.push_back(legs_.above(way.back(), home_));
    return way;
  }

  void fetch(CoreId from, CoreId to, const Costs& costs) {
    const std::vector<std::uint32_t> requester = way_up(to);
    const std::vector<std::uint32_t> owner = way_up(from);
    std::size_t serving = 0;
    while (requester[serving] != owner[serving]) ++serving;
    add(fmt::format("request: core {} to {}", to.value, name(requester[0])),
        legs_.hop(to, slice_, home_));
    for (std::size_t i = 0; i < serving; ++i) {
      add(fmt::format("look-up: {}", name(requester[i])), legs_.keeper(requester[i]).look_up);
      add(fmt::format("request: {} to {}", name(requester[i]), name(requester[i + 1])),
          legs_.up(requester[i], home_));
    }
    look_up_at_server(requester[serving], serving == 0 ? nullptr : &owner[serving - 1]);
    for (std::size_t i = serving; i > 0; --i) {
      add(fmt::format("snoop: {} to {}", name(owner[i]), name(owner[i - 1])),
          legs_.down(owner[i - 1], home_));
      add(fmt::format("look-up: {}", name(owner[i - 1])), legs_.keeper(owner[i - 1]).look_up);
    }
    add(fmt::format("snoop: {} to core {}", name(owner[0]), from.value),
        legs_.hop(from, slice_, home_));
    add(fmt::format("core {} answers", from.value), costs.snoop);
    data_back(from, to, requester, owner, serving);
    add("fill: until the first locked use", costs.fill);
  }

  void look_up_at_server(std::uint32_t server, const std::uint32_t* owner_agent) {
    const Keeper& keeper = legs_.keeper(server);
    add(fmt::format("look-up: {}", name(server)), keeper.look_up);
    const bool remote =
        owner_agent != nullptr && keeper.is_home && legs_.keeper(*owner_agent).node != keeper.node;
    if (remote) add("directory: dirty outside the home's node", keeper.directory);
  }

  void data_back(CoreId from, CoreId to, const std::vector<std::uint32_t>& requester,
                 const std::vector<std::uint32_t>& owner, std::size_t serving) {
    if (serving == 0) {
      add(fmt::format("data: core {} to core {}", from.value, to.value), legs_.direct(from, to));
      return;
    }
    add(fmt::format("data: core {} to {}", from.value, name(owner[0])),
        legs_.hop(from, slice_, home_));
    for (std::size_t i = 0; i + 1 < serving; ++i) {
      add(fmt::format("data: {} to {}", name(owner[i]), name(owner[i + 1])),
          legs_.up(owner[i], home_));
    }
    add(fmt::format("data: {} to {}", name(owner[serving - 1]), name(requester[serving - 1])),
        legs_.across(owner[serving - 1], requester[serving - 1]));
    for (std::size_t i = serving - 1; i > 0; --i) {
      add(fmt::format("data: {} to {}", name(requester[i]), name(requester[i - 1])),
          legs_.down(requester[i - 1], home_));
    }
    add(fmt::format("data: {} to core {}", name(requester[0]), to.value),
        legs_.hop(to, slice_, home_));
  }

  const Legs& legs_;
  NodeId home_;
  Spot slice_;
  std::vector<TransferLeg> done_;
};

}  // namespace

std::string keeper_name(const Legs& legs, std::uint32_t keeper) {
  const Keeper& place = legs.keeper(keeper);
  if (place.is_home) return fmt::format("home on node {}", place.node.value);
  const bool cluster = place.over_cores && legs.topology().description().cluster_agent.has_value();
  const std::uint32_t clusters = cluster ? 0 : legs.agents() - legs.topology().sockets();
  return fmt::format("{} agent {}", cluster ? "cluster" : "socket", keeper - clusters);
}

Duration Transfer::total() const {
  Duration sum;
  for (const TransferLeg& leg : legs) sum += leg.length;
  return sum;
}

Transfer transfer_path(const Topology& topology, CpuId from, CpuId to, NodeId home, LineId line) {
  const Legs legs(topology);
  return {Walk(legs, home, line).legs(topology.core_of(from), topology.core_of(to))};
}

Duration mean_transfer(const Topology& topology, CpuId from, CpuId to, NodeId home,
                       std::uint32_t lines) {
  const Legs legs(topology);
  Duration sum;
  for (std::uint32_t line = 0; line < lines; ++line) {
    const Transfer transfer{
        Walk(legs, home, LineId{line}).legs(topology.core_of(from), topology.core_of(to))};
    sum += transfer.total();
  }
  return sum / lines;
}

}  // namespace hotline::machine
