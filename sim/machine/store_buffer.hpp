#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/machine/types.hpp"

namespace hotline::machine {

/// The stores of one hardware thread that are not yet performed, oldest first (P7).
class StoreBuffer {
 public:
  struct Entry {
    Word word;
    bool far_add = false;  ///< a locked add to be executed at the line's agent, not a store
    Value value = 0;
  };
  enum class Match : std::uint8_t { kNone, kForward, kPartial };

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size() - head_; }
  void push(const Entry& entry) { entries_.push_back(entry); }
  const Entry& front() const { return entries_[head_]; }
  void pop() {
    if (++head_ == entries_.size()) {
      entries_.clear();
      head_ = 0;
    } else if (head_ >= 64) {  // a buffer that never runs empty must not grow
      entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(head_));
      head_ = 0;
    }
  }

  /// How the newest store that touches `word` serves a load of it: not at all, by its value (put
  /// into `value`), or only after it has been performed.
  Match find(Word word, Value& value) const;

 private:
  std::vector<Entry> entries_;
  std::size_t head_ = 0;  // entries before it are performed; there are others, or none at all
};

}  // namespace hotline::machine
