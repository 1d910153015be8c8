#include "sim/engine/winner_tree.hpp"

#include <utility>

namespace hotline::engine {

void WinnerTree::rebuild() {
  for (std::size_t i = leaves() - 1; i != 0; --i) {
    const Node& left = nodes_[2 * i];
    const Node& right = nodes_[2 * i + 1];
    nodes_[i] = right.key < left.key ? right : left;
  }
}

void WinnerTree::resize(std::size_t new_leaves) {
  std::vector<Node> grown(2 * new_leaves);
  for (std::size_t leaf = 0; leaf < new_leaves; ++leaf) {
    const bool had = leaf < leaves();
    grown[new_leaves + leaf].key = had ? key(static_cast<Leaf>(leaf)) : kEmpty;
    grown[new_leaves + leaf].leaf = static_cast<Leaf>(leaf);
  }
  nodes_ = std::move(grown);
  rebuild();
}

}  // namespace hotline::engine
