#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace hotline::engine {

/// A tournament over leaves that each hold a 64-bit key: the smallest key is at the root.
///
/// Every inner node keeps the smaller key of its two children and the leaf that it came from, so
/// that the winner is known without walking down. Keys of filled leaves must differ.
class WinnerTree {
 public:
  using Key = std::uint64_t;
  using Leaf = std::uint32_t;

  /// The key of an empty leaf, above every other key.
  static constexpr Key kEmpty = std::numeric_limits<Key>::max();

  /// A tree of `leaves` empty leaves, which must be a power of two and at least 2.
  explicit WinnerTree(std::size_t leaves = 16) { resize(leaves); }

  [[nodiscard]] std::size_t leaves() const { return nodes_.size() / 2; }

  /// The smallest key, or kEmpty.
  [[nodiscard]] Key winning_key() const { return nodes_[1].key; }

  /// The leaf of the smallest key; meaningless when the tree is empty.
  [[nodiscard]] Leaf winning_leaf() const { return nodes_[1].leaf; }

  [[nodiscard]] Key key(Leaf leaf) const { return nodes_[leaves() + leaf].key; }

  /// Gives the leaf another key (kEmpty empties it) and replays its whole path to the root.
  void set(Leaf leaf, Key key) {
    Node* const nodes = nodes_.data();
    std::size_t i = leaves() + leaf;
    nodes[i].key = key;
    // Both assignments compile to conditional moves: who wins is as good as random, and a
    // mispredicted branch would cost more than the whole step.
    do {
      const Node& sibling = nodes[i ^ 1];
      const bool loses = sibling.key < key;
      key = loses ? sibling.key : key;
      leaf = loses ? sibling.leaf : leaf;
      i >>= 1;
      nodes[i].key = key;
      nodes[i].leaf = leaf;
    } while (i != 1);
  }

  /// Fills an empty leaf, replaying its path only as far as the new key wins.
  void fill(Leaf leaf, Key key) {
    Node* const nodes = nodes_.data();
    std::size_t i = leaves() + leaf;
    nodes[i].key = key;
    for (i >>= 1; i != 0 && key < nodes[i].key; i >>= 1) {
      nodes[i].key = key;
      nodes[i].leaf = leaf;
    }
  }

  /// Changes a leaf's key without replaying; rebuild() must follow before anything else.
  void set_unplayed(Leaf leaf, Key key) { nodes_[leaves() + leaf].key = key; }

  /// Replays every path.
  void rebuild();

  /// Makes room for `leaves` leaves, a power of two not below the present number; keys stay.
  void resize(std::size_t leaves);

 private:
  struct Node {
    Key key = kEmpty;
    Leaf leaf = 0;
  };

  std::vector<Node> nodes_;  // the root is 1, the children of i are 2i and 2i + 1; 0 is unused
};

}  // namespace hotline::engine
