#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tests/bench/queues/entry.hpp"

namespace hotline::bench {

/// An implicit heap with four children a node (Johnson: Priority queues with update and finding
/// minimum spanning trees, 1975): half the levels of a binary heap, four entries a cache line.
class FourAryHeap {
 public:
  void push(Entry entry) {
    std::size_t hole = entries_.size();
    entries_.push_back(entry);
    while (hole != 0) {
      const std::size_t parent = (hole - 1) / 4;
      if (entries_[parent].key < entry.key) break;
      entries_[hole] = entries_[parent];
      hole = parent;
    }
    entries_[hole] = entry;
  }

  /// Removes the entry with the smallest key; there must be one.
  Entry pop() {
    const Entry first = entries_.front();
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sift_down(last);
    return first;
  }

 private:
  void sift_down(Entry entry) {
    std::size_t hole = 0;
    for (;;) {
      const std::size_t child = smallest_child(hole);
      if (child == 0 || entry.key < entries_[child].key) break;
      entries_[hole] = entries_[child];
      hole = child;
    }
    entries_[hole] = entry;
  }

  /// The child with the smallest key, or 0 if there is none.
  [[nodiscard]] std::size_t smallest_child(std::size_t parent) const {
    const std::size_t begin = 4 * parent + 1;
    const std::size_t end = std::min(begin + 4, entries_.size());
    if (begin >= end) return 0;
    std::size_t best = begin;
    for (std::size_t i = begin + 1; i < end; ++i) {
      best = entries_[i].key < entries_[best].key ? i : best;
    }
    return best;
  }

  std::vector<Entry> entries_;
};

}  // namespace hotline::bench
