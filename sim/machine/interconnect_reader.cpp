#include <algorithm>
#include <string>

#include "sim/input/types.hpp"
#include "sim/machine/description_reader.hpp"
#include "sim/machine/shapes.hpp"
#include "sim/machine/slit.hpp"
#include "sim/machine/topology.hpp"

namespace hotline::machine {
namespace {

using input::MapReader;

std::uint32_t node_count(const Description& machine) {
  return machine.sockets * machine.nodes_per_socket;
}

void read_link(MapReader& map, Description& machine) {
  const std::uint32_t last = std::max(node_count(machine), 1U) - 1;
  const auto node = input::integer<std::uint32_t>(0, map.is_dry() ? kMostNodes - 1 : last);
  const input::Diagnostics& diagnostics = map.whole().reading().diagnostics;
  const std::size_t errors = diagnostics.errors();
  LinkDescription link;
  link.from = {map.require("from", node, "a node")};
  link.to = {map.require("to", node, "another node")};
  const auto length = input::duration({}, longest_leg());
  link.there = map.require("there", length, "one way");
  link.back = map.get("back", length, link.there, "the other way, if it differs");
  if (map.get("one_way", input::boolean(), false, "nothing goes back")) {
    if (map.has("back")) map.error_at("back", "stands beside one_way: true");
    link.back.reset();
  }
  if (link.from == link.to && diagnostics.errors() == errors) {
    map.error_at("to", "is the node itself");
  }
  machine.links.push_back(link);
}

void read_links(const input::Value& links, Description& machine) {
  links.list([&machine](const input::Value& item) {
    item.map([&](MapReader& map) {
      read_link(map, machine);
      const LinkDescription& link = machine.links.back();
      const auto same = [&link](const LinkDescription& other) {
        return std::minmax(other.from, other.to) == std::minmax(link.from, link.to) &&
               (other.from == link.from || other.back || link.back);
      };
      if (std::count_if(machine.links.begin(), machine.links.end(), same) > 1) {
        map.whole().error("these two nodes have a link already");
      }
    });
  });
}

void read_shape(MapReader& map, Description& machine) {
  const auto length = input::duration({}, longest_leg());
  Shape shape;
  shape.form = map.require("form",
                           input::choice<Shape::Form>({{"full", Shape::Form::kFull},
                                                       {"ring", Shape::Form::kRing},
                                                       {"grid", Shape::Form::kGrid},
                                                       {"hypercube", Shape::Form::kHypercube},
                                                       {"groups", Shape::Form::kGroups}}),
                           "how the sockets are joined");
  shape.link = map.require("link", length, "between two sockets, one way");
  shape.inside_socket =
      map.get("inside_socket", length, shape.link, "between two nodes of a socket, one way");
  shape.group = map.get("group", input::integer<std::uint32_t>(1, kMostNodes), 4,
                        "groups: sockets of a group, each joined to each");
  shape.between_groups =
      map.get("between_groups", length, shape.link, "groups: from group to group, one way");
  if (map.is_dry()) return;
  machine.links = links_of(shape, machine.sockets, machine.nodes_per_socket);
}

}  // namespace

void read_interconnect(MapReader& map, Description& machine) {
  map.value("links", "every link by itself",
            [&machine](const input::Value& links) { read_links(links, machine); });
  map.map("shape", "a regular shape", [&machine](MapReader& shape) { read_shape(shape, machine); });
  map.map("slit", "a distance table as firmware gives it",
          [&machine](MapReader& slit) { read_slit(slit, machine); });
  if (map.is_dry()) return;
  const int given = int{map.has("links")} + int{map.has("shape")} + int{map.has("slit")};
  if (given != 1) {
    map.whole().error("expected exactly one of links, shape, slit");
    return;
  }
  if (map.whole().reading().diagnostics.has_errors()) return;
  if (const auto missing = find_unreachable(machine)) {
    map.whole().error("node " + std::to_string(missing->to.value) +
                      " cannot be reached from node " + std::to_string(missing->from.value));
  }
}

}  // namespace hotline::machine
