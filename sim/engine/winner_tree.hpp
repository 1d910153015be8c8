#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace hotline::engine {

/// A tournament over leaves that each hold a 64-bit key: the smallest key is at the root.
///
/// An inner node keeps only the smaller key of its two children. Whoever needs the winner's leaf
/// reads it from the key itself (see EventQueue), so nothing ever walks down.
class WinnerTree {
 public:
  using Key = std::uint64_t;
  using Leaf = std::uint32_t;

  /// The key of an empty leaf, above every other key.
  static constexpr Key kEmpty = std::numeric_limits<Key>::max();

  WinnerTree() : keys_(2 * kFirstLeaves, kEmpty), leaves_(kFirstLeaves) {}

  /// How many leaves there are, always a power of four.
  [[nodiscard]] std::size_t leaves() const { return leaves_; }

  /// The smallest key, or kEmpty.
  [[nodiscard]] Key winner() const { return keys_[1]; }

  [[nodiscard]] Key key(Leaf leaf) const { return keys_[leaves_ + leaf]; }

  /// Gives the leaf another key (kEmpty empties it) and replays its whole path to the root.
  void set(Leaf leaf, Key key) {
    Key* const keys = keys_.data();
    std::size_t i = leaves_ + leaf;
    keys[i] = key;
    // Seven instructions a level and no branch on who wins, which is as good as random: each step
    // compiles to a conditional move. Two levels a round, since the depth is even.
    do {
      i ^= 1;
      key = smaller(keys[i], key);
      i >>= 1;
      keys[i] = key;
      i ^= 1;
      key = smaller(keys[i], key);
      i >>= 1;
      keys[i] = key;
    } while (i != 1);
  }

  /// Fills an empty leaf, replaying its path only as far as the new key wins.
  void fill(Leaf leaf, Key key) {
    Key* const keys = keys_.data();
    std::size_t i = leaves_ + leaf;
    keys[i] = key;
    for (i >>= 1; i != 0 && key < keys[i]; i >>= 1) keys[i] = key;
  }

  /// Changes a leaf's key without replaying; rebuild() must follow before anything else.
  void set_unplayed(Leaf leaf, Key key) { keys_[leaves_ + leaf] = key; }

  /// Replays every path.
  void rebuild();

  /// Makes four times as many leaves; the old ones keep their numbers and keys.
  void grow();

 private:
  static constexpr std::size_t kFirstLeaves = 16;

  static Key smaller(Key a, Key b) { return a < b ? a : b; }

  std::vector<Key> keys_;  // the root is 1, the children of i are 2i and 2i + 1; 0 is unused
  std::size_t leaves_;
};

}  // namespace hotline::engine
