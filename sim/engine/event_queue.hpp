#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "sim/engine/event.hpp"
#include "sim/engine/far_events.hpp"
#include "sim/engine/tie_order.hpp"
#include "sim/engine/time.hpp"
#include "sim/engine/winner_tree.hpp"

namespace hotline::engine {

/// Names a pending event, until it has fired or been cancelled.
class EventId {
 public:
  constexpr EventId() = default;
  explicit constexpr EventId(std::uint32_t leaf) : leaf_(leaf) {}

  [[nodiscard]] constexpr std::uint32_t leaf() const { return leaf_; }
  friend constexpr auto operator<=>(EventId, EventId) = default;

 private:
  std::uint32_t leaf_ = std::numeric_limits<std::uint32_t>::max();
};

/// What take() found.
struct FiredEvent {
  SimTime time;
  std::uint64_t stamp = 0;  ///< time in picoseconds and phase in one word, for fingerprints
  void* payload = nullptr;
};

/// The pending events in the order (time, phase, insertion), in a winner tree of packed keys:
/// kTimeBits of time since the epoch, 2 of phase, kSequenceBits of insertion sequence.
///
/// No two pending events have sequence numbers that agree in their lowest bits, so these bits name
/// the slot where the event's payload and leaf are found: the key at the root tells everything.
/// When the sequence numbers run out or half the time window has passed, the live keys are
/// renumbered; events beyond the window wait outside the tree until then. docs/engine.md tells
/// why the order never changes. Tests choose small widths; the simulator uses EventQueue below.
template <unsigned kTimeBits, unsigned kSequenceBits>
class BasicEventQueue {
 public:
  explicit BasicEventQueue(TieOrder ties = {});

  /// Adds an event, in O(log n). The first insertion after take() takes over the leaf of the event
  /// that was taken. `time` must not be before that of the last event taken, `payload` not null.
  /// Throws std::length_error if too many events are pending (3 million in an EventQueue).
  EventId insert(SimTime time, Phase phase, void* payload) {
    const std::uint64_t offset = time.ps() - epoch_;
    if (offset >= kWindow || next_sequence_ >= fast_end_) [[unlikely]] {
      return insert_slowly(time, phase, payload);
    }
    Slot& slot = slot_of(next_sequence_);
    if (slot.payload != nullptr) [[unlikely]] {
      return insert_slowly(time, phase, payload);
    }
    return insert_near(pack(offset, phase, next_sequence_++), slot, payload);
  }

  /// Removes the earliest event that is not after `last` and not at never(), or returns false.
  bool take(SimTime last, FiredEvent& out) {
    settle();
    std::uint64_t key = tree_.winner();
    if (key == WinnerTree::kEmpty) [[unlikely]] {
      if (!bring_in_far_events(last)) return false;
      key = tree_.winner();
    }
    const std::uint64_t ps = epoch_ + (key >> kTimeShift);
    if (ps > last.ps()) return false;
    Slot& slot = slot_of(key);
    taken_ = slot.leaf;
    last_taken_ = ps;
    out.time = SimTime::from_ps(ps);
    out.stamp = (epoch_ << 2) + (key >> kSequenceBits);
    out.payload = std::exchange(slot.payload, nullptr);
    return true;
  }

  /// Removes a pending event, in O(log n). Throws std::logic_error if it is not pending.
  void cancel(EventId id);

  /// Moves a pending event to another time, in O(log n); it keeps its phase and counts as newly
  /// inserted. Throws std::logic_error if it is not pending.
  void reschedule(EventId id, SimTime time);

  /// How many events are pending; the one being fired is not.
  [[nodiscard]] std::size_t size() const {
    return tree_.leaves() - free_.size() - (taken_ == kNone ? 0 : 1);
  }

  /// True if no pending event will ever fire.
  [[nodiscard]] bool idle() const {
    return size() == far_.size() && (far_.empty() || far_.first().time >= SimTime::never());
  }

 private:
  static_assert(kTimeBits + 2 + kSequenceBits <= 64 && kSequenceBits >= 6);
  static constexpr unsigned kTimeShift = 2 + kSequenceBits;
  // The last offset is left out so that no key equals WinnerTree::kEmpty.
  static constexpr std::uint64_t kWindow = (std::uint64_t{1} << kTimeBits) - 1;
  static constexpr std::uint64_t kLastSequence = (std::uint64_t{1} << kSequenceBits) - 1;
  // A quarter of the numbers is left for coming events when all pending ones have been renumbered.
  static constexpr std::uint64_t kMostEvents = kLastSequence - kLastSequence / 4;
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Slot {
    void* payload = nullptr;  // null: the slot is free
    std::uint32_t leaf = kNone;
  };

  [[nodiscard]] Slot& slot_of(std::uint64_t key_or_tie) { return slots_[key_or_tie & slot_mask_]; }

  /// What stands for the sequence number in a key: itself, or its image in a shuffled order.
  [[nodiscard]] std::uint64_t tie_of(std::uint64_t sequence) const {
    return shuffle_ ? permute_(sequence) : sequence;
  }

  static std::uint64_t pack(std::uint64_t offset, Phase phase, std::uint64_t tie) {
    return offset << kTimeShift | static_cast<std::uint64_t>(phase) << kSequenceBits | tie;
  }

  EventId insert_near(std::uint64_t key, Slot& slot, void* payload) {
    slot.payload = payload;
    if (taken_ != kNone) [[likely]] {
      const std::uint32_t leaf = std::exchange(taken_, kNone);
      slot.leaf = leaf;
      tree_.set(leaf, key);
      return EventId(leaf);
    }
    const std::uint32_t leaf = free_.back();
    free_.pop_back();
    slot.leaf = leaf;
    tree_.fill(leaf, key);
    if (free_.empty()) [[unlikely]] {
      grow();
    }
    return EventId(leaf);
  }

  /// Empties the leaf of the event that was taken, if no insertion has taken it over.
  void settle() {
    if (taken_ != kNone) [[unlikely]] {
      release(std::exchange(taken_, kNone));
    }
  }

  void release(std::uint32_t leaf) {
    tree_.set(leaf, WinnerTree::kEmpty);
    free_.push_back(leaf);
  }

  struct Live {
    std::uint64_t tie;
    std::uint32_t leaf;
    void* payload;
  };

  EventId insert_slowly(SimTime time, Phase phase, void* payload);
  [[nodiscard]] std::uint32_t checked_leaf(EventId id) const;
  void place(std::uint32_t leaf, SimTime time, Phase phase, void* payload);
  std::uint64_t claim_tie();
  void renumber(std::uint64_t epoch);
  [[nodiscard]] std::vector<Live> live_events() const;
  void admit_far_events();
  bool bring_in_far_events(SimTime last);
  void grow();
  void add_free_leaves(std::size_t first);
  void fit_slots();

  WinnerTree tree_;
  std::vector<Slot> slots_;  // a power of two, four times the leaves or all numbers
  std::uint64_t slot_mask_ = 0;
  std::vector<std::uint32_t> free_;  // leaves without an event, near or far; never empty
  std::uint32_t taken_ = kNone;      // the leaf of the event being fired
  std::uint64_t epoch_ = 0;          // picoseconds; never after last_taken_
  std::uint64_t next_sequence_ = 0;
  std::uint64_t last_taken_ = 0;
  std::uint64_t
      fast_end_;  // sequence numbers below it are ties as they are: none in a shuffled order
  bool shuffle_;
  Bijection permute_;
  FarEvents far_;
};

/// A window of 1.1 seconds in picoseconds and 4 million sequence numbers.
using EventQueue = BasicEventQueue<40, 22>;

extern template class BasicEventQueue<40, 22>;

}  // namespace hotline::engine

#include "sim/engine/event_queue_slow.hpp"
