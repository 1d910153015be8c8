#pragma once

#include "models/make.hpp"

namespace hotline::models {

Make qspinlock;

<<<<<<< HEAD
/// Linux's queued spinlock, with the places at which its kin do something else. A node is named as
/// the lock's tail names it: (CPU + 1), then two bits for which of that CPU's four nodes.
class QueuedSpinlock : public LockModel {
 public:
  QueuedSpinlock(Site& site, ParamReader& params, std::string_view nodes, model::Fields fields);

  Task<> acquire(Thread& self) final;
  Task<bool> try_acquire(Thread& self) final;
  Task<> release(Thread& self) final;

 protected:
  static constexpr Value kNobody = 0;
  static constexpr Value kLocked = 1;
  static constexpr Value kLockedOrPending = 0xFFFF;
  static constexpr unsigned kTailShift = 16;
  static constexpr std::size_t kOwnFields = 3;  ///< of a node, before those of a kin

  /// Sets what a node has besides `next` and `locked`, before it joins the queue.
  virtual Task<> prepare(Thread& self, Value me);
  /// What the head of the queue does before it waits for the word.
  virtual Task<> prepare_to_wait(Thread& self, Value me);
  /// Takes the free lock for the head and leaves nobody in the queue; false if somebody has joined.
  /// `seen`: the word, with the head as its tail.
  virtual Task<bool> take_and_leave(Thread& self, Value me, Value seen);
  /// Makes the holder's successor the head.
  virtual Task<> promote(Thread& self, Value me, Value successor);

  Word whole() const { return whole_; }
  Word next(Value name) const { return field(name, 0); }
  Word locked(Value name) const { return field(name, 1); }
  Word field(Value name, std::size_t number) const;

 private:
  Task<> acquire_slowly(Thread& self, Value seen);
  Task<> queue(Thread& self);
  Task<> queue_with(Thread& self, Value me);
  Task<Value> wait_for_promotion(Thread& self, Value me, Value predecessor);

  Word whole_, locked_pending_, locked_, pending_, tail_;
  std::shared_ptr<RecordStack> nodes_;
  Word released_;  ///< what a release clears
  bool prefetches_;
};

=======
>>>>>>> sleep
}  // namespace hotline::models
