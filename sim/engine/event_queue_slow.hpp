#pragma once

// The rare paths of the event queue; include sim/engine/event_queue.hpp, not this file.

#include <algorithm>
#include <stdexcept>

#include "sim/engine/event_queue.hpp"

namespace hotline::engine {

template <unsigned kTimeBits, unsigned kSequenceBits>
BasicEventQueue<kTimeBits, kSequenceBits>::BasicEventQueue(TieOrder ties)
    : fast_end_(ties.shuffle ? 0 : kLastSequence + 1),
      shuffle_(ties.shuffle),
      permute_(kSequenceBits, ties.seed) {
  add_free_leaves(0);
  fit_slots();
}

/// The leaf of an event that is not being fired; whether it is pending is found out later.
template <unsigned kTimeBits, unsigned kSequenceBits>
std::uint32_t BasicEventQueue<kTimeBits, kSequenceBits>::checked_leaf(EventId id) const {
  if (id.leaf() >= tree_.leaves() || id.leaf() == taken_) {
    throw std::logic_error("an event that is not pending was cancelled or rescheduled");
  }
  return id.leaf();
}

template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::cancel(EventId id) {
  const std::uint32_t leaf = checked_leaf(id);
  const std::uint64_t key = tree_.key(leaf);
  if (key == WinnerTree::kEmpty) {
    far_.remove(leaf);
    free_.push_back(leaf);
    return;
  }
  slot_of(key).payload = nullptr;
  release(leaf);
}

template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::reschedule(EventId id, SimTime time) {
  const std::uint32_t leaf = checked_leaf(id);
  const std::uint64_t key = tree_.key(leaf);
  if (key == WinnerTree::kEmpty) {
    const FarEvents::Entry entry = far_.remove(leaf);
    place(leaf, time, entry.phase, entry.payload);
    return;
  }
  const auto phase = static_cast<Phase>(key >> kSequenceBits & 3);
  void* const payload = std::exchange(slot_of(key).payload, nullptr);
  const std::uint64_t offset = time.ps() - epoch_;
  if (offset < kWindow && next_sequence_ <= kLastSequence) [[likely]] {
    const std::uint64_t tie = tie_of(next_sequence_);
    Slot& slot = slot_of(tie);
    if (slot.payload == nullptr) [[likely]] {
      ++next_sequence_;
      slot = {payload, leaf};
      tree_.set(leaf, pack(offset, phase, tie));
      return;
    }
  }
  tree_.set(leaf, WinnerTree::kEmpty);
  place(leaf, time, phase, payload);
}

template <unsigned kTimeBits, unsigned kSequenceBits>
EventId BasicEventQueue<kTimeBits, kSequenceBits>::insert_slowly(SimTime time, Phase phase,
                                                                 void* payload) {
  settle();
  const std::uint32_t leaf = free_.back();
  place(leaf, time, phase, payload);
  free_.pop_back();
  if (free_.empty()) grow();
  return EventId(leaf);
}

/// Gives an empty leaf its event, near or far. Renumbers first if half a window has passed and
/// that may bring `time` into the window: not earlier, so that the cost stays amortised.
template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::place(std::uint32_t leaf, SimTime time, Phase phase,
                                                      void* payload) {
  if (time.ps() < last_taken_) throw std::logic_error("an event was scheduled in the past");
  const bool outside = time.ps() - epoch_ >= kWindow;
  if (outside && last_taken_ - epoch_ >= kWindow / 2) renumber(last_taken_);
  if (time.ps() - epoch_ >= kWindow) {
    far_.insert(time, phase, leaf, payload);
    return;
  }
  const std::uint64_t tie = claim_tie();
  slot_of(tie) = {payload, leaf};
  tree_.fill(leaf, pack(time.ps() - epoch_, phase, tie));
}

/// The tie of the next sequence number whose slot is free. May renumber.
template <unsigned kTimeBits, unsigned kSequenceBits>
std::uint64_t BasicEventQueue<kTimeBits, kSequenceBits>::claim_tie() {
  for (;;) {
    if (next_sequence_ > kLastSequence) renumber(last_taken_);
    const std::uint64_t tie = tie_of(next_sequence_++);
    if (slot_of(tie).payload == nullptr) return tie;
  }
}

/// Moves the epoch forward to `epoch`, gives all near events new sequence numbers in the same
/// order, and admits the far events that are now inside the window. Throws std::length_error if
/// there are too many.
template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::renumber(std::uint64_t epoch) {
  settle();
  if (size() > kMostEvents) {
    throw std::length_error("more events are pending than the event queue can order");
  }
  std::vector<Live> live = live_events();
  std::sort(live.begin(), live.end(), [](const Live& a, const Live& b) { return a.tie < b.tie; });
  std::fill(slots_.begin(), slots_.end(), Slot{});
  // The numbers that coming insertions would have got, in ascending order: in a shuffled order the
  // old events so stay spread evenly among the coming ones.
  next_sequence_ = 0;
  std::vector<std::uint64_t> ties;
  for (const Live& event : live) {
    ties.push_back(claim_tie());
    slot_of(ties.back()).payload = event.payload;
  }
  std::sort(ties.begin(), ties.end());

  const std::uint64_t shift = (epoch - epoch_) << kTimeShift;
  for (std::size_t i = 0; i < live.size(); ++i) {
    const std::uint64_t key = (tree_.key(live[i].leaf) & ~kLastSequence) - shift;
    tree_.set_unplayed(live[i].leaf, key | ties[i]);
    slot_of(ties[i]) = {live[i].payload, live[i].leaf};
  }
  epoch_ = epoch;
  admit_far_events();
  tree_.rebuild();
}

/// All near events, in the order of their leaves.
template <unsigned kTimeBits, unsigned kSequenceBits>
auto BasicEventQueue<kTimeBits, kSequenceBits>::live_events() const -> std::vector<Live> {
  std::vector<Live> live;
  for (std::uint32_t leaf = 0; leaf < tree_.leaves(); ++leaf) {
    const std::uint64_t key = tree_.key(leaf);
    if (key == WinnerTree::kEmpty) continue;
    live.push_back({key & kLastSequence, leaf, slots_[key & slot_mask_].payload});
  }
  return live;
}

/// Moves the far events that lie in the window into the tree, unplayed.
template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::admit_far_events() {
  while (!far_.empty() && far_.first().time.ps() - epoch_ < kWindow) {
    const std::uint64_t tie = claim_tie();
    const FarEvents::Entry entry = far_.remove(far_.first().leaf);
    slot_of(tie) = {entry.payload, entry.leaf};
    tree_.set_unplayed(entry.leaf, pack(entry.time.ps() - epoch_, entry.phase, tie));
  }
}

/// With no near event left: makes the first far event the next one. False if it is after `last`.
template <unsigned kTimeBits, unsigned kSequenceBits>
bool BasicEventQueue<kTimeBits, kSequenceBits>::bring_in_far_events(SimTime last) {
  if (far_.empty()) return false;
  const SimTime first = far_.first().time;
  if (first > last || first >= SimTime::never()) return false;
  last_taken_ = first.ps();
  renumber(last_taken_);
  return true;
}

/// Makes four times as many leaves, and slots to match. Slots that differed in fewer bits of the
/// sequence number still differ in more, so every event finds its new slot free.
template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::grow() {
  const std::vector<Live> live = live_events();
  const std::size_t before = tree_.leaves();
  tree_.grow();
  add_free_leaves(before);
  fit_slots();
  for (const Live& event : live) slot_of(event.tie) = {event.payload, event.leaf};
}

template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::add_free_leaves(std::size_t first) {
  for (std::size_t leaf = tree_.leaves(); leaf != first; --leaf) {
    free_.push_back(static_cast<std::uint32_t>(leaf - 1));
  }
}

template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::fit_slots() {
  const std::size_t slots = std::min<std::size_t>(4 * tree_.leaves(), kLastSequence + 1);
  slots_.assign(slots, Slot{});
  slot_mask_ = slots - 1;
}

}  // namespace hotline::engine
