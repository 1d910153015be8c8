#include "sim/machine/slit.hpp"

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "sim/input/types.hpp"
#include "sim/machine/description_reader.hpp"

namespace hotline::machine {
namespace {

using input::MapReader;

constexpr std::uint32_t kLocal = 10;
constexpr std::uint32_t kNoWay = 255;  // ACPI 6.4, 5.2.17: 255 is unreachable, 0 to 9 mean nothing

using Table = std::vector<std::vector<std::uint32_t>>;

/// The items of a row: a list of numbers, or the numbers in a text as tools print them.
std::vector<std::uint32_t> read_row(const input::Value& row) {
  std::vector<std::uint32_t> distances;
  const auto number = input::integer<std::uint32_t>(0, kNoWay);
  if (row.may_be_list()) {
    row.list(
        [&](const input::Value& item) { distances.push_back(item.as(number).value_or(kLocal)); });
  }
  if (row.is_dry() || !row.may_be_list()) {
    std::istringstream words(row.as(input::text()).value_or(""));
    for (std::string word; words >> word;) {
      input::Node node = *row.node();
      node.text = word;
      distances.push_back(
          input::Value(row.reading(), node, row.path()).as(number).value_or(kLocal));
    }
  }
  return distances;
}

bool check_row(const input::Value& row, std::size_t own,
               const std::vector<std::uint32_t>& distances, std::size_t nodes) {
  if (distances.size() != nodes) {
    row.error("has " + std::to_string(distances.size()) + " distances; expected " +
              std::to_string(nodes) + ", one a node");
    return false;
  }
  bool good = true;
  for (std::size_t to = 0; to < nodes; ++to) {
    std::string problem;
    if (to == own && distances[to] != kLocal) problem = "; expected 10 for the node itself";
    if (distances[to] < kLocal) problem = "; expected at least 10";
    if (distances[to] == kNoWay) problem = ", which means that there is no way";
    if (problem.empty()) continue;
    row.error("the distance to node " + std::to_string(to) + " is " +
              std::to_string(distances[to]) + problem);
    good = false;
  }
  return good;
}

/// The third node over which the way between two nodes is shortest; `from` if there is no third.
std::size_t best_detour(const Table& table, std::size_t from, std::size_t to) {
  std::size_t best = from;
  for (std::size_t over = 0; over < table.size(); ++over) {
    if (over == from || over == to) continue;
    const std::uint32_t length = table[from][over] + table[over][to];
    if (best == from || length < table[from][best] + table[best][to]) best = over;
  }
  return best;
}

/// Warns of every pair of nodes that the table puts farther apart than a way over a third one.
void warn_if_not_metric(const input::Value& whole, const Table& table) {
  for (std::size_t from = 0; from < table.size(); ++from) {
    for (std::size_t to = 0; to < table.size(); ++to) {
      const std::size_t over = best_detour(table, from, to);
      if (from == to || over == from) continue;
      const std::uint32_t first = table[from][over];
      const std::uint32_t second = table[over][to];
      if (table[from][to] <= first + second) continue;
      whole.warning("is not credible: from node " + std::to_string(from) + " to node " +
                    std::to_string(to) + " it says " + std::to_string(table[from][to]) +
                    ", but over node " + std::to_string(over) + " it is " + std::to_string(first) +
                    " + " + std::to_string(second) + "; kept as written");
    }
  }
}

/// One way, for half of what a memory access over this distance takes longer than a local one.
Duration route_length(std::uint32_t distance, Duration local_memory) {
  return local_memory * (distance - kLocal) / (2 * std::uint64_t{kLocal});
}

void add_links(const Table& table, Duration local_memory, Description& machine) {
  for (std::uint32_t a = 0; a < table.size(); ++a) {
    for (std::uint32_t b = a + 1; b < table.size(); ++b) {
      machine.links.push_back({NodeId{a}, NodeId{b}, route_length(table[a][b], local_memory),
                               route_length(table[b][a], local_memory)});
    }
  }
}

}  // namespace

void read_slit(MapReader& map, Description& machine) {
  const std::size_t nodes = std::size_t{machine.sockets} * machine.nodes_per_socket;
  const Duration local_memory =
      map.require("local_memory", input::duration({}, longest_leg()),
                  "latency of a node's own memory, which the distance 10 stands for");
  map.require_value("distances", "a row a node, 10 being the node itself",
                    [&](const input::Value& rows) {
                      Table table;
                      bool good = true;
                      rows.list([&](const input::Value& row) {
                        table.push_back(read_row(row));
                        if (!row.is_dry())
                          good = check_row(row, table.size() - 1, table.back(), nodes) && good;
                      });
                      if (rows.is_dry() || !rows.may_be_list() || !good) return;
                      if (table.size() != nodes) {
                        rows.error("has " + std::to_string(table.size()) + " rows; expected " +
                                   std::to_string(nodes) + ", one a node");
                        return;
                      }
                      warn_if_not_metric(rows, table);
                      add_links(table, local_memory, machine);
                      machine.links_are_routes = true;
                    });
}

}  // namespace hotline::machine
