#pragma once

#include <cstdint>

namespace hotline::bench {

/// A pending event of the queues that lost: the key holds the time above the insertion sequence.
///
/// A benchmark run is short enough for the 24 bits of sequence and 40 of time, so that these queues
/// are spared the renumbering that the winner tree is charged for.
struct Entry {
  static constexpr unsigned kSequenceBits = 24;

  std::uint64_t key = 0;
  void* payload = nullptr;

  [[nodiscard]] std::uint64_t time() const { return key >> kSequenceBits; }
};

}  // namespace hotline::bench
