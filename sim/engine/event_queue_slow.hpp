#pragma once

// The rare paths of the event queue; include sim/engine/event_queue.hpp, not this file.

#include <algorithm>
#include <stdexcept>

#include "sim/engine/event_queue.hpp"

namespace hotline::engine {

template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::cancel(EventId id) {
  const std::uint32_t leaf = id.leaf();
  if (leaf >= payloads_.size() || leaf == taken_) {
    throw std::logic_error("an event that is not pending was cancelled");
  }
  if (tree_.key(leaf) == WinnerTree::kEmpty) {
    far_.remove(leaf);
    free_.push_back(leaf);
    return;
  }
  release(leaf);
}

template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::reschedule(EventId id, SimTime time) {
  const std::uint32_t leaf = id.leaf();
  if (leaf >= payloads_.size() || leaf == taken_) {
    throw std::logic_error("an event that is not pending was rescheduled");
  }
  const std::uint64_t key = tree_.key(leaf);
  if (key == WinnerTree::kEmpty) {
    const Phase phase = far_.remove(leaf).phase;
    place(leaf, time, phase);
    return;
  }
  const auto phase = static_cast<Phase>(key >> kSequenceBits & 3);
  const std::uint64_t offset = time.ps() - epoch_;
  if (offset < kWindow && next_sequence_ <= kLastSequence) [[likely]] {
    tree_.set(leaf, pack(offset, phase));
    return;
  }
  tree_.set(leaf, WinnerTree::kEmpty);
  place(leaf, time, phase);
}

/// Gives a leaf that is in use, but neither near nor far, its event's time.
template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::place(std::uint32_t leaf, SimTime time,
                                                      Phase phase) {
  make_room(time);
  const std::uint64_t offset = time.ps() - epoch_;
  if (offset < kWindow) {
    tree_.fill(leaf, pack(offset, phase));
  } else {
    far_.insert(time, phase, leaf);
  }
}

template <unsigned kTimeBits, unsigned kSequenceBits>
EventId BasicEventQueue<kTimeBits, kSequenceBits>::insert_slowly(SimTime time, Phase phase,
                                                                 void* payload) {
  if (time.ps() < last_taken_) throw std::logic_error("an event was scheduled in the past");
  settle();
  const std::uint32_t leaf = free_leaf();
  payloads_[leaf] = payload;
  place(leaf, time, phase);
  return EventId(leaf);
}

/// Renumbers if the sequence has run out, or if that brings `time` into the window and half a
/// window has passed since the last time (so that the cost stays amortised).
template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::make_room(SimTime time) {
  if (time.ps() < last_taken_) throw std::logic_error("an event was scheduled in the past");
  const bool outside = time.ps() - epoch_ >= kWindow;
  const bool worth_it = last_taken_ - epoch_ >= kWindow / 2;
  if (next_sequence_ > kLastSequence || (outside && worth_it)) {
    renumber(last_taken_);
  }
}

/// Moves the epoch forward to `epoch`, admits the far events that are now inside the window, and
/// gives all near events new sequence numbers in the same order.
template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::renumber(std::uint64_t epoch) {
  settle();
  struct Live {
    std::uint64_t sequence;
    std::uint32_t leaf;
  };
  std::vector<Live> live;
  for (std::uint32_t leaf = 0; leaf < payloads_.size(); ++leaf) {
    const std::uint64_t key = tree_.key(leaf);
    if (key != WinnerTree::kEmpty) live.push_back({key & kLastSequence, leaf});
  }
  if (live.size() > kLastSequence - kLastSequence / 4) {
    throw std::length_error("more events are pending than the event queue can order");
  }
  std::sort(live.begin(), live.end(),
            [](const Live& a, const Live& b) { return a.sequence < b.sequence; });
  // The new numbers are those that the next insertions would have got anyway, in ascending order:
  // under a shuffled order the old events stay spread evenly among the coming ones.
  std::vector<std::uint64_t> numbers(live.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = shuffle_ ? permute_(i) : i;
  std::sort(numbers.begin(), numbers.end());

  const std::uint64_t shift = (epoch - epoch_) << kTimeShift;
  for (std::size_t i = 0; i < live.size(); ++i) {
    const std::uint64_t key = (tree_.key(live[i].leaf) & ~kLastSequence) - shift;
    tree_.set_unplayed(live[i].leaf, key | numbers[i]);
  }
  epoch_ = epoch;
  next_sequence_ = live.size();
  admit_far_events();
  tree_.rebuild();
}

/// Moves far events into the tree while they lie in the window and sequence numbers last.
template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::admit_far_events() {
  while (!far_.empty() && far_.first().time.ps() - epoch_ < kWindow) {
    if (next_sequence_ > kLastSequence) {
      throw std::length_error("more events are pending than the event queue can order");
    }
    const FarEvents::Entry entry = far_.remove(far_.first().leaf);
    tree_.set_unplayed(entry.leaf, pack(entry.time.ps() - epoch_, entry.phase));
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

template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::grow() {
  const std::size_t before = tree_.leaves();
  tree_.resize(2 * before);
  add_free_leaves(before);
}

template <unsigned kTimeBits, unsigned kSequenceBits>
void BasicEventQueue<kTimeBits, kSequenceBits>::add_free_leaves(std::size_t first) {
  payloads_.resize(tree_.leaves());
  for (std::size_t leaf = tree_.leaves(); leaf != first; --leaf) {
    free_.push_back(static_cast<std::uint32_t>(leaf - 1));
  }
}

}  // namespace hotline::engine
