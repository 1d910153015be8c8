#include "sim/os/placement.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace hotline::os {

namespace {

using machine::CoreId;
using machine::CpuId;
using machine::Topology;

struct Seat {
  CpuId cpu;
  std::uint32_t socket = 0;
  std::uint32_t core = 0;     ///< numbered over the machine
  std::uint32_t sibling = 0;  ///< 0 for a core's first hardware thread
};

std::vector<Seat> seats(const Topology& topology) {
  std::vector<Seat> all;
  for (std::uint32_t core = 0; core < topology.cores(); ++core) {
    for (std::uint32_t k = 0; k < topology.description().threads_per_core; ++k) {
      const CoreId id{core};
      all.push_back({topology.cpu_of(id, k), topology.socket_of(id).value, core, k});
    }
  }
  return all;
}

void order(std::vector<Seat>& seats, const Topology& topology, Spread spread) {
  const auto key = [&](const Seat& seat) {
    const std::uint32_t in_socket = seat.core % topology.cores_per_socket();
    switch (spread) {
      case Spread::kCompactSmt:
        return std::tuple(seat.socket, in_socket, seat.sibling);
      case Spread::kScatter:
        return std::tuple(seat.sibling, in_socket, seat.socket);
      case Spread::kCompact:
      case Spread::kRandom:
        break;
    }
    return std::tuple(seat.socket, seat.sibling, in_socket);
  };
  std::sort(seats.begin(), seats.end(),
            [&](const Seat& a, const Seat& b) { return key(a) < key(b); });
}

void check_listed(const std::vector<std::uint32_t>& listed, std::uint32_t count, const char* what) {
  std::vector<std::uint32_t> sorted = listed;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.back() >= count) {
    throw std::invalid_argument("the machine has no " + std::string(what) + " " +
                                std::to_string(sorted.back()) + "; the last one is " +
                                std::to_string(count - 1));
  }
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw std::invalid_argument(std::string(what) + " " + std::to_string(*twice) +
                                " is listed twice");
  }
}

}  // namespace

std::vector<CpuId> placement_order(const Topology& topology, const Placement& placement) {
  std::vector<CpuId> cpus;
  if (!placement.cpus.empty()) {
    check_listed(placement.cpus, topology.cpus(), "CPU");
    for (const std::uint32_t cpu : placement.cpus) cpus.push_back({cpu});
    return cpus;
  }
  std::vector<Seat> all = seats(topology);
  order(all, topology, placement.spread);
  if (placement.nodes.empty()) {
    for (const Seat& seat : all) cpus.push_back(seat.cpu);
    return cpus;
  }
  check_listed(placement.nodes, topology.nodes(), "NUMA node");
  for (const std::uint32_t node : placement.nodes) {
    for (const Seat& seat : all) {
      if (topology.node_of(CoreId{seat.core}).value == node) cpus.push_back(seat.cpu);
    }
  }
  return cpus;
}

std::vector<CpuId> place(const Topology& topology, const Placement& placement,
                         std::uint32_t threads) {
  std::vector<CpuId> cpus = placement_order(topology, placement);
  if (threads > cpus.size()) {
    const bool chosen = !placement.cpus.empty() || !placement.nodes.empty();
    throw std::invalid_argument(std::to_string(threads) + " threads do not fit on the " +
                                std::to_string(cpus.size()) +
                                (chosen ? " CPUs they may use" : " CPUs of the machine"));
  }
  cpus.resize(threads);
  return cpus;
}

void draw(std::vector<CpuId>& cpus, const Topology& topology, engine::Random& random) {
  const auto sibling = [&](CpuId cpu) {
    std::uint32_t k = 0;
    while (topology.cpu_of(topology.core_of(cpu), k) != cpu) ++k;
    return k;
  };
  for (std::size_t left = cpus.size(); left > 1; --left) {
    std::swap(cpus[left - 1], cpus[random.below(left)]);
  }
  std::stable_sort(cpus.begin(), cpus.end(),
                   [&](CpuId a, CpuId b) { return sibling(a) < sibling(b); });
}

}  // namespace hotline::os
