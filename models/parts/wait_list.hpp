#pragma once

#include <memory>
#include <string_view>

#include "models/make.hpp"
#include "models/parts/tasks.hpp"

namespace hotline::models {

/// A doubly linked list of waiters in the order of their coming, each with a record on its own
/// stack. Its user holds a lock around every call.
class WaitList {
 public:
  /// Takes up the next 16 bytes of the site for the list's head. A thread has one record of that
  /// name, since it waits in one such list at a time; with one word more, called `more`.
  WaitList(Site& site, std::string_view record, std::string_view more = "task");

  Task<> push_back(Thread& self, Value me);
  Task<> remove(Thread& self, Value waiter);
  /// The first waiter, or 0 if there is none.
  Task<Value> front(Thread& self);
  /// Who comes after a waiter, or 0.
  Task<Value> after(Thread& self, Value waiter);
  /// The further word of a waiter's record.
  Word more(Value waiter) const { return node(waiter, 2); }

 private:
  Word next(Value waiter) const { return waiter == 0 ? first_ : node(waiter, 0); }
  Word previous(Value waiter) const { return waiter == 0 ? last_ : node(waiter, 1); }
  Word node(Value waiter, std::size_t field) const {
    return nodes_->word(Tasks::index(waiter), field);
  }

  Word first_;
  Word last_;
  std::shared_ptr<const Records> nodes_;
};

}  // namespace hotline::models
