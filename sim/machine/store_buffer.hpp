#pragma once

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

  bool empty() const { return head_ == entries_.size(); }
  std::size_t size() const { return entries_.size() - head_; }
  void push(const Entry& entry) { entries_.push_back(entry); }
  const Entry& front() const { return entries_[head_]; }
  void pop();

  /// How the newest store that touches `word` serves a load of it: not at all, by its value (put
  /// into `value`), or only after it has been performed.
  Match find(Word word, Value& value) const;

 private:
  std::vector<Entry> entries_;
  std::size_t head_ = 0;  // entries before it are performed
};

}  // namespace hotline::machine
