#pragma once

#include <deque>
#include <vector>

namespace hotline::machine {

/// Objects that come and go all the time: taken from a free list, never given back to the heap.
/// A taken object is as it was left; its user resets what matters and keeps what has capacity.
template <class T>
class Pool {
 public:
  T& take() {
    if (free_.empty()) return all_.emplace_back();
    T* object = free_.back();
    free_.pop_back();
    return *object;
  }
  void give_back(T& object) { free_.push_back(&object); }

 private:
  std::deque<T> all_;
  std::vector<T*> free_;
};

}  // namespace hotline::machine
