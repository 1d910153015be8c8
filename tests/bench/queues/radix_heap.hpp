#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/bench/queues/entry.hpp"

namespace hotline::bench {

/// A radix heap (Ahuja, Mehlhorn, Orlin, Tarjan: Faster algorithms for the shortest path problem,
/// 1990): since no key falls below the last one taken, entries are kept by the highest bit in
/// which they differ from it, and each moves down at most once a bit.
class RadixHeap {
 public:
  void push(Entry entry) { buckets_[bucket_of(entry.key)].push_back(entry); }

  /// Removes the entry with the smallest key; there must be one.
  Entry pop() {
    if (buckets_[0].empty()) redistribute();
    const Entry first = buckets_[0].back();
    buckets_[0].pop_back();
    return first;
  }

 private:
  [[nodiscard]] std::size_t bucket_of(std::uint64_t key) const {
    return static_cast<std::size_t>(std::bit_width(key ^ last_));
  }

  /// Makes the smallest key the last one taken, and sorts its bucket into the ones below.
  void redistribute() {
    std::size_t fullest = 1;
    while (buckets_[fullest].empty()) ++fullest;
    std::vector<Entry>& bucket = buckets_[fullest];
    last_ = std::min_element(bucket.begin(), bucket.end(), [](const Entry& a, const Entry& b) {
              return a.key < b.key;
            })->key;
    for (const Entry& entry : bucket) buckets_[bucket_of(entry.key)].push_back(entry);
    bucket.clear();
  }

  std::array<std::vector<Entry>, 65> buckets_;
  std::uint64_t last_ = 0;
};

}  // namespace hotline::bench
