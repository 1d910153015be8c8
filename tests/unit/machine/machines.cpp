#include "tests/unit/machine/machines.hpp"

namespace hotline::tests {

namespace {

using machine::AgentDescription;
using machine::Description;
using machine::Latency;
using machine::NodeId;

constexpr Latency lasts(engine::Duration time) { return {time, {}}; }
constexpr Latency cycles(std::uint64_t count) { return {{}, {count * 1000}}; }

Description shaped(std::uint32_t sockets, std::uint32_t clusters, std::uint32_t cores) {
  Description d;
  d.name = "test";
  d.sockets = sockets;
  d.clusters_per_socket = clusters;
  d.cores_per_cluster = cores;
  d.core.clock = {{1, 2000}};
  return d;
}

void add_link(Description& d, std::uint32_t from, std::uint32_t to, engine::Duration length) {
  d.links.push_back({NodeId{from}, NodeId{to}, length, length});
}

void add_ring(Description& d, engine::Duration length) {
  for (std::uint32_t node = 0; node + 1 < d.sockets; ++node) add_link(d, node, node + 1, length);
  if (d.sockets > 2) add_link(d, d.sockets - 1, 0, length);
}

AgentDescription round_agent() {
  AgentDescription agent;
  agent.look_up = lasts(ns(5));
  agent.hop = {ns(4), ns(4)};
  agent.direct = {ns(7), ns(7)};
  agent.fabric = ns(8);
  agent.cache = ns(3);
  agent.read_interval = ns(1);
  agent.far_interval = ns(6);
  return agent;
}

Description round_legs(Description d) {
  d.core.issue = lasts(ns(3));
  d.core.fill = lasts(ns(6));
  d.core.snoop = lasts(ns(2));
  d.core.load = lasts(ns(1));
  d.core.store = lasts(ns(1));
  d.core.fetch_add = lasts(ns(5));
  d.core.exchange = lasts(ns(5));
  d.core.compare_exchange = lasts(ns(7));
  d.core.fence = lasts(ns(9));
  d.core.pause = lasts(ns(40));
  d.core.spin_exit = lasts(ns(4));
  d.home.look_up = ns(15);
  d.home.memory = ns(60);
  d.home.directory = ns(30);
  d.home.hop = {ns(10), ns(10)};
  d.home.direct = {ns(13), ns(13)};
  d.home.read_interval = ns(2);
  d.home.far_interval = ns(11);
  add_ring(d, ns(40));
  return d;
}

}  // namespace

Description xeon8176(std::uint32_t sockets) {
  Description d = shaped(sockets, 1, 28);
  d.protocol = machine::Protocol::kMesif;
  d.threads_per_core = 2;
  d.core.clock = {{2, 3730}, {12, 3500}, {20, 3100}, {28, 2800}};
  d.core.issue = lasts(ns(1));
  d.core.fill = lasts(ps(10500));
  d.core.snoop = lasts(ps(6200));
  d.core.load = lasts(ps(1300));
  d.core.store = cycles(1);
  d.core.fetch_add = lasts(ps(5400));
  d.core.exchange = lasts(ps(5400));
  d.core.compare_exchange = lasts(ps(7090));
  d.core.fence = cycles(33);
  d.core.pause = cycles(140);
  d.core.spin_exit = lasts(ns(14));
  d.core.smt_slowdown = 1.6;
  AgentDescription agent;
  agent.look_up = lasts(ns(10));
  agent.hop = {ps(9800), ps(17000)};
  agent.direct = {ps(11400), ps(18600)};
  agent.fabric = ns(5);
  agent.read_interval = ps(1100);
  d.socket_agent = agent;
  d.home.look_up = ps(18900);
  d.home.directory = ns(44);
  d.home.memory = ns(40);
  d.home.read_interval = ps(1100);
  for (std::uint32_t a = 0; a < sockets; ++a) {
    for (std::uint32_t b = a + 1; b < sockets; ++b) {
      add_link(d, a, b, a / 4 == b / 4 ? ps(44400) : ns(190));
    }
  }
  return d;
}

Description skylake_client() {
  Description d = shaped(1, 1, 4);
  d.protocol = machine::Protocol::kMesif;
  d.threads_per_core = 2;
  d.core.clock = {{1, 2600}};
  d.core.issue = lasts(ns(8));
  d.core.fill = lasts(ps(8100));
  d.core.snoop = lasts(ns(1));
  d.core.load = lasts(ps(1500));
  d.core.store = cycles(1);
  d.core.fetch_add = lasts(ns(7));
  d.core.exchange = lasts(ns(7));
  d.core.compare_exchange = lasts(ns(7));
  d.core.fence = cycles(33);
  d.core.pause = cycles(140);
  AgentDescription agent;
  agent.look_up = lasts(ps(1070));
  agent.hop = {ns(1), ns(3)};
  agent.direct = {ps(5600), ps(7600)};
  agent.read_interval = ns(1);
  d.socket_agent = agent;
  d.home.memory = ns(45);
  return d;
}

Description graviton2() {
  Description d = shaped(1, 1, 64);
  d.protocol = machine::Protocol::kMoesi;
  d.far.add = true;
  d.core.clock = {{1, 2500}};
  d.core.issue = lasts(ns(2));
  d.core.fill = lasts(ps(4700));
  d.core.snoop = lasts(ps(1100));
  d.core.load = cycles(4);
  d.core.store = cycles(1);
  d.core.fetch_add = lasts(ps(5300));
  d.core.exchange = lasts(ps(5300));
  d.core.compare_exchange = lasts(ps(6800));
  d.core.fence = cycles(10);
  d.core.pause = cycles(10);
  d.core.far_outstanding = 16;
  AgentDescription agent;
  agent.look_up = lasts(ps(13700));
  agent.hop = {ns(12), ps(18400)};
  agent.direct = {ns(13), ps(19200)};
  agent.read_interval = ns(1);
  agent.far_interval = ps(8740);
  d.socket_agent = agent;
  d.home.memory = ns(50);
  return d;
}

Description gem5_crossbar(std::uint32_t cores) {
  Description d = shaped(1, 1, cores);
  d.consistency = machine::Consistency::kSc;
  d.core.issue = cycles(1);
  d.core.store = cycles(2);
  d.core.load = cycles(2);
  d.core.fetch_add = cycles(2);
  AgentDescription agent;
  agent.hop = {ps(3500), ps(3500)};
  agent.direct = {ns(4), ns(4)};
  agent.take_up = machine::TakeUp::kCompletion;
  d.socket_agent = agent;
  d.home.take_up = machine::TakeUp::kCompletion;
  d.home.memory = ns(30);
  return d;
}

Description even_sockets(std::uint32_t sockets, std::uint32_t cores_per_socket) {
  Description d = round_legs(shaped(sockets, 1, cores_per_socket));
  d.socket_agent = round_agent();
  return d;
}

Description uneven_sockets(std::uint32_t sockets, std::uint32_t cores_per_socket) {
  Description d = even_sockets(sockets, cores_per_socket);
  d.socket_agent->hop = {ns(3), ns(9)};
  d.socket_agent->direct = {ns(5), ns(11)};
  return d;
}

Description clusters_below_homes(std::uint32_t sockets, std::uint32_t clusters,
                                 std::uint32_t cores) {
  Description d = round_legs(shaped(sockets, clusters, cores));
  d.cluster_agent = round_agent();
  return d;
}

Description clusters_below_sockets(std::uint32_t sockets, std::uint32_t clusters,
                                   std::uint32_t cores) {
  Description d = clusters_below_homes(sockets, clusters, cores);
  d.socket_agent = round_agent();
  d.socket_agent->look_up = lasts(ns(9));
  d.socket_agent->fabric = ns(12);
  return d;
}

Description bare_cores(std::uint32_t sockets, std::uint32_t cores_per_socket) {
  return round_legs(shaped(sockets, 1, cores_per_socket));
}

}  // namespace hotline::tests
