#include "sim/engine/winner_tree.hpp"

#include <algorithm>
#include <utility>

namespace hotline::engine {

void WinnerTree::rebuild() {
  for (std::size_t i = leaves_ - 1; i != 0; --i) {
    keys_[i] = smaller(keys_[2 * i], keys_[2 * i + 1]);
  }
}

void WinnerTree::grow() {
  std::vector<Key> grown(8 * leaves_, kEmpty);
  const auto first = keys_.begin() + static_cast<std::ptrdiff_t>(leaves_);
  std::copy(first, keys_.end(), grown.begin() + static_cast<std::ptrdiff_t>(4 * leaves_));
  keys_ = std::move(grown);
  leaves_ *= 4;
  rebuild();
}

}  // namespace hotline::engine
