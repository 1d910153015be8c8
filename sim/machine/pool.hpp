#pragma once

#include <deque>

namespace hotline::machine {

/// Objects that come and go all the time: taken from a free list (linked through T::next), never
/// given back to the heap. A taken object is as it was left; its user resets what matters and keeps
/// what has capacity.
template <class T, class Owner>
class Pool {
 public:
  /// New objects are made with `owner`.
  explicit Pool(Owner& owner) : owner_(owner) {}

  T& take() {
    T* const object = free_;
    if (object == nullptr) return all_.emplace_back(owner_);
    free_ = object->next;
    return *object;
  }
  void give_back(T& object) {
    object.next = free_;
    free_ = &object;
  }

 private:
  Owner& owner_;
  T* free_ = nullptr;
  std::deque<T> all_;
};

}  // namespace hotline::machine
