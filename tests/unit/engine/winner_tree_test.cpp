#include "sim/engine/winner_tree.hpp"

#include <algorithm>
#include <vector>

#include "sim/engine/random.hpp"
#include "tests/catch.hpp"

using hotline::engine::Random;
using hotline::engine::WinnerTree;

TEST_CASE("an empty tree has no winner") { REQUIRE(WinnerTree().winner() == WinnerTree::kEmpty); }

TEST_CASE("the winner is the smallest key through every change of a leaf") {
  WinnerTree tree;
  Random random(7, "winner tree");
  std::vector<WinnerTree::Key> keys(tree.leaves(), WinnerTree::kEmpty);
  for (int step = 0; step < 20'000; ++step) {
    if (step == 5'000 || step == 10'000) {
      tree.grow();
      keys.resize(tree.leaves(), WinnerTree::kEmpty);
    }
    const auto leaf = static_cast<WinnerTree::Leaf>(random.below(keys.size()));
    const bool was_empty = keys[leaf] == WinnerTree::kEmpty;
    keys[leaf] = random.below(4) == 0 ? WinnerTree::kEmpty : random() >> 1;
    if (was_empty && keys[leaf] != WinnerTree::kEmpty) {
      tree.fill(leaf, keys[leaf]);
    } else {
      tree.set(leaf, keys[leaf]);
    }
    REQUIRE(tree.key(leaf) == keys[leaf]);
    REQUIRE(tree.winner() == *std::min_element(keys.begin(), keys.end()));
  }
}

TEST_CASE("rebuilding replays what was set without replaying") {
  WinnerTree tree;
  tree.set_unplayed(3, 30);
  tree.set_unplayed(9, 20);
  tree.rebuild();
  REQUIRE(tree.winner() == 20);
  tree.set_unplayed(9, WinnerTree::kEmpty);
  tree.rebuild();
  REQUIRE(tree.winner() == 30);
}
