#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <unordered_map>

#include "sim/engine/event.hpp"
#include "sim/engine/time.hpp"

namespace hotline::engine {

/// The events beyond the event queue's time window, which are few: ordered by time, then phase,
/// then insertion, and findable by the leaf that is kept for them.
class FarEvents {
 public:
  struct Entry {
    SimTime time;
    Phase phase = Phase::kArrival;
    std::uint64_t order = 0;
    std::uint32_t leaf = 0;
    void* payload = nullptr;

    friend bool operator<(const Entry& a, const Entry& b) {
      return std::tie(a.time, a.phase, a.order) < std::tie(b.time, b.phase, b.order);
    }
  };

  [[nodiscard]] bool empty() const { return by_time_.empty(); }
  [[nodiscard]] std::size_t size() const { return by_time_.size(); }

  /// The entry that comes first; there must be one.
  [[nodiscard]] const Entry& first() const { return *by_time_.begin(); }

  /// Adds an event, after those of the same time and phase.
  void insert(SimTime time, Phase phase, std::uint32_t leaf, void* payload);

  /// Removes and returns the entry of `leaf`. Throws std::logic_error if it has none.
  Entry remove(std::uint32_t leaf);

 private:
  std::set<Entry> by_time_;
  // Looked up by leaf only, never iterated: its order cannot reach a result.
  std::unordered_map<std::uint32_t, std::set<Entry>::iterator> by_leaf_;
  std::uint64_t next_order_ = 0;
};

}  // namespace hotline::engine
