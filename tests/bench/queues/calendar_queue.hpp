#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/bench/queues/entry.hpp"

namespace hotline::bench {

/// A calendar queue (Brown: Calendar queues: a fast O(1) priority queue implementation for the
/// simulation event set problem, 1988): a ring of days, each a short list sorted latest first.
///
/// A day is as long as three mean gaps between pending events, and there are about as many days as
/// events; both follow the queue as it grows. Both are powers of two.
class CalendarQueue {
 public:
  CalendarQueue() : days_(16) {}

  void push(Entry entry) {
    insert(entry);
    if (++size_ > 2 * days_.size()) rearrange(2 * days_.size());
  }

  /// Removes the entry with the smallest key; there must be one.
  Entry pop() {
    for (std::size_t looked_at = 0; looked_at <= days_.size(); ++looked_at) {
      std::vector<Entry>& day = days_[today_ & (days_.size() - 1)];
      if (!day.empty() && day.back().key >> shift_ == today_) return take(day);
      ++today_;
    }
    return pop_from_far();
  }

 private:
  void insert(Entry entry) {
    std::vector<Entry>& day = days_[entry.key >> shift_ & (days_.size() - 1)];
    std::size_t place = day.size();
    day.push_back(entry);
    for (; place != 0 && day[place - 1].key < entry.key; --place) day[place] = day[place - 1];
    day[place] = entry;
  }

  Entry take(std::vector<Entry>& day) {
    const Entry first = day.back();
    day.pop_back();
    --size_;
    return first;
  }

  /// When a whole year is empty: finds the earliest entry in any year, and goes there.
  Entry pop_from_far() {
    std::vector<Entry>* best = nullptr;
    for (auto& day : days_) {
      if (!day.empty() && (best == nullptr || day.back().key < best->back().key)) best = &day;
    }
    today_ = best->back().key >> shift_;
    return take(*best);
  }

  /// Chooses a new number of days and their length, and sorts everything in again.
  void rearrange(std::size_t days) {
    std::vector<Entry> all;
    for (const auto& day : days_) all.insert(all.end(), day.begin(), day.end());
    std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
    // Half of the events, the earlier ones, so that a few far away do not stretch the days.
    const std::size_t half = all.size() / 2;
    const std::uint64_t gap = (all[half].key - all.front().key) / half;
    shift_ = static_cast<unsigned>(std::bit_width(3 * gap));
    today_ = all.front().key >> shift_;
    days_.assign(days, {});
    for (const Entry& entry : all) insert(entry);
  }

  std::vector<std::vector<Entry>> days_;
  std::size_t size_ = 0;
  unsigned shift_ = Entry::kSequenceBits;
  std::uint64_t today_ = 0;  // the number of the day that is being emptied, counted from time 0
};

}  // namespace hotline::bench
