#include "sim/machine/shapes.hpp"

#include <utility>

namespace hotline::machine {
namespace {

/// Adds links between sockets, one for each of their nodes.
class Links {
 public:
  explicit Links(std::uint32_t nodes_per_socket) : nodes_per_socket_(nodes_per_socket) {}

  void join(std::uint32_t a, std::uint32_t b, Duration length) {
    for (std::uint32_t k = 0; k < nodes_per_socket_; ++k) add(node(a, k), node(b, k), length);
  }
  void join_inside(std::uint32_t socket, Duration length) {
    for (std::uint32_t i = 0; i < nodes_per_socket_; ++i) {
      for (std::uint32_t k = i + 1; k < nodes_per_socket_; ++k) {
        add(node(socket, i), node(socket, k), length);
      }
    }
  }
  std::vector<LinkDescription> take() { return std::move(links_); }

 private:
  NodeId node(std::uint32_t socket, std::uint32_t k) const {
    return {socket * nodes_per_socket_ + k};
  }
  void add(NodeId from, NodeId to, Duration length) {
    links_.push_back({from, to, length, length});
  }

  std::uint32_t nodes_per_socket_;
  std::vector<LinkDescription> links_;
};

void join_full(Links& links, std::uint32_t sockets, Duration length) {
  for (std::uint32_t a = 0; a < sockets; ++a) {
    for (std::uint32_t b = a + 1; b < sockets; ++b) links.join(a, b, length);
  }
}

void join_ring(Links& links, std::uint32_t sockets, Duration length) {
  for (std::uint32_t a = 0; a + 1 < sockets; ++a) links.join(a, a + 1, length);
  if (sockets > 2) links.join(sockets - 1, 0, length);
}

void join_grid(Links& links, std::uint32_t sockets, Duration length) {
  std::uint32_t width = 1;
  while (width * width < sockets) ++width;
  for (std::uint32_t a = 0; a < sockets; ++a) {
    if ((a + 1) % width != 0 && a + 1 < sockets) links.join(a, a + 1, length);
    if (a + width < sockets) links.join(a, a + width, length);
  }
}

void join_hypercube(Links& links, std::uint32_t sockets, Duration length) {
  for (std::uint32_t bit = 1; bit < sockets; bit *= 2) {
    for (std::uint32_t a = 0; a < sockets; ++a) {
      if ((a & bit) == 0 && (a | bit) < sockets) links.join(a, a | bit, length);
    }
  }
}

void join_groups(Links& links, std::uint32_t sockets, const Shape& shape) {
  for (std::uint32_t a = 0; a < sockets; ++a) {
    for (std::uint32_t b = a + 1; b < sockets; ++b) {
      if (a / shape.group == b / shape.group) {
        links.join(a, b, shape.link);
      } else if (a % shape.group == b % shape.group) {
        links.join(a, b, shape.between_groups);
      }
    }
  }
}

}  // namespace

std::vector<LinkDescription> links_of(const Shape& shape, std::uint32_t sockets,
                                      std::uint32_t nodes_per_socket) {
  Links links(nodes_per_socket);
  for (std::uint32_t socket = 0; socket < sockets; ++socket) {
    links.join_inside(socket, shape.inside_socket);
  }
  switch (shape.form) {
    case Shape::Form::kFull:
      join_full(links, sockets, shape.link);
      break;
    case Shape::Form::kRing:
      join_ring(links, sockets, shape.link);
      break;
    case Shape::Form::kGrid:
      join_grid(links, sockets, shape.link);
      break;
    case Shape::Form::kHypercube:
      join_hypercube(links, sockets, shape.link);
      break;
    case Shape::Form::kGroups:
      join_groups(links, sockets, shape);
      break;
  }
  return links.take();
}

}  // namespace hotline::machine
