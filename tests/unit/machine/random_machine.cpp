#include <fmt/format.h>

#include "tests/unit/machine/random_program.hpp"

/// The machines on which random programs run.
namespace hotline::tests {

namespace {

using engine::Random;
using machine::Description;
using machine::TakeUp;

/// Some interval or length from zero to `most` nanoseconds; zero often, so that ties occur.
Duration some(Random& chance, std::uint64_t most) {
  return chance.below(4) == 0 ? Duration{} : ns(chance.below(most + 1));
}

machine::Hop some_hop(Random& chance) {
  const Duration nearest = ns(1) + some(chance, 8);
  return {nearest, nearest + some(chance, 6)};
}

TakeUp some_take_up(Random& chance) { return static_cast<TakeUp>(chance.below(3)); }

void vary(machine::AgentDescription& agent, Random& chance) {
  agent.look_up = {some(chance, 12), {}};
  agent.hop = some_hop(chance);
  agent.direct = some_hop(chance);
  agent.fabric = ns(1) + some(chance, 10);
  agent.cache = some(chance, 5);
  agent.read_interval = some(chance, 2);
  agent.far_interval = some(chance, 9);
  agent.take_up = some_take_up(chance);
}

Description random_shape(Random& chance) {
  const auto number = [&](std::uint64_t least, std::uint64_t most) {
    return static_cast<std::uint32_t>(least + chance.below(most - least + 1));
  };
  switch (chance.below(4)) {
    case 0:
      return even_sockets(number(1, 3), number(2, 5));
    case 1:
      return clusters_below_homes(number(1, 2), number(1, 3), number(1, 3));
    case 2:
      return clusters_below_sockets(number(1, 2), number(1, 3), number(1, 3));
    default:
      return bare_cores(number(1, 3), number(1, 4));
  }
}

}  // namespace

Description random_machine(std::uint64_t seed) {
  Random chance(seed, "machine");
  Description d = random_shape(chance);
  if (d.cluster_agent) vary(*d.cluster_agent, chance);
  if (d.socket_agent) vary(*d.socket_agent, chance);
  d.home.look_up = some(chance, 20);
  d.home.memory = some(chance, 70);
  d.home.hop = some_hop(chance);
  d.home.direct = some_hop(chance);
  d.home.read_interval = some(chance, 3);
  d.home.take_up = some_take_up(chance);
  d.core.issue = {ns(1) + some(chance, 3), {}};
  d.core.fill = {some(chance, 12), {}};
  d.core.snoop = {some(chance, 7), {}};
  d.core.store_buffer = static_cast<std::uint32_t>(1 + chance.below(8));
  d.core.far_outstanding = static_cast<std::uint32_t>(1 + chance.below(4));
  d.threads_per_core = chance.below(3) == 0 ? 2 : 1;
  d.protocol = static_cast<machine::Protocol>(chance.below(3));
  d.consistency = chance.below(3) == 0 ? machine::Consistency::kSc : machine::Consistency::kTso;
  d.atomics = chance.below(3) == 0 ? machine::Atomics::kLlSc : machine::Atomics::kOwnership;
  d.far.add = chance.below(2) == 0;
  d.far.fetch_add = chance.below(3) == 0;
  d.far.exchange = chance.below(4) == 0;
  d.far.compare_exchange = chance.below(4) == 0;
  d.adjacent_line_prefetch = chance.below(4) == 0;
  d.line_bytes = chance.below(4) == 0 ? 128 : 64;
  d.core.store_prefetch = chance.below(3) == 0;
  return d;
}

Description random_machine_of_siblings(std::uint64_t seed) {
  Description d = random_machine(seed);
  const auto round = [](Duration& leg) { leg = ns((leg.ps() + 3999) / 4000 * 4); };
  const auto round_hop = [&round](machine::Hop& hop) {
    round(hop.nearest);
    hop.farthest = hop.nearest;
  };
  const auto round_agent = [&](machine::AgentDescription& agent) {
    for (Duration* leg : {&agent.look_up.time, &agent.fabric, &agent.cache, &agent.read_interval,
                          &agent.far_interval}) {
      round(*leg);
    }
    round_hop(agent.hop);
    round_hop(agent.direct);
  };
  if (d.cluster_agent) round_agent(*d.cluster_agent);
  if (d.socket_agent) round_agent(*d.socket_agent);
  for (Duration* leg : {&d.home.look_up, &d.home.memory, &d.home.read_interval, &d.core.issue.time,
                        &d.core.fill.time, &d.core.snoop.time}) {
    round(*leg);
  }
  round_hop(d.home.hop);
  round_hop(d.home.direct);
  d.threads_per_core = 2;
  return d;
}

std::string summary(const Description& d) {
  const auto take_up = [](const auto& agent) {
    return agent ? static_cast<int>(agent->take_up) : -1;
  };
  return fmt::format(
      "{} x {} x {} x {}, take-up {} {} {}, protocol {}, {}, {}, far {}{}{}{}, {} bytes{}{}",
      d.sockets, d.clusters_per_socket, d.cores_per_cluster, d.threads_per_core,
      take_up(d.cluster_agent), take_up(d.socket_agent), static_cast<int>(d.home.take_up),
      static_cast<int>(d.protocol), d.consistency == machine::Consistency::kSc ? "sc" : "tso",
      d.atomics == machine::Atomics::kLlSc ? "LL/SC" : "ownership", int{d.far.add},
      int{d.far.fetch_add}, int{d.far.exchange}, int{d.far.compare_exchange}, d.line_bytes,
      d.adjacent_line_prefetch ? ", prefetch" : "",
      d.core.store_prefetch ? ", stores ask ahead" : "");
}

}  // namespace hotline::tests
