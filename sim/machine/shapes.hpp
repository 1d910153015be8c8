#pragma once

#include <cstdint>
#include <vector>

#include "sim/machine/description.hpp"

namespace hotline::machine {

/// A regular way to join any number of sockets, for machines that nobody has built yet.
struct Shape {
  enum class Form : std::uint8_t {
    kFull,  ///< each socket with each
    kRing,
    kGrid,       ///< as near to a square as it gets, without wrap-around
    kHypercube,  ///< sockets whose numbers differ in one bit
    kGroups,     ///< full inside a group; k-th sockets of all groups joined each with each
  };
  Form form = Form::kFull;
  Duration link;
  Duration inside_socket;  ///< between the nodes of one socket, each with each
  std::uint32_t group = 4;
  Duration between_groups;
};

/// The links of a shape. Sockets are joined node k to node k, so that all nodes of a socket have
/// the same way out.
std::vector<LinkDescription> links_of(const Shape& shape, std::uint32_t sockets,
                                      std::uint32_t nodes_per_socket);

}  // namespace hotline::machine
