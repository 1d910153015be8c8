#pragma once

#include <vector>

#include "models/make.hpp"
#include "models/parts/tasks.hpp"
#include "models/parts/wait_list.hpp"

namespace hotline::models {

namespace rwsem {

// The count.
inline constexpr Value kWriter = 1;
inline constexpr Value kWaiters = 2;
inline constexpr Value kHandOver = 4;
inline constexpr Value kReader = 256;
inline constexpr Value kReaders = ~(kReader - 1);
inline constexpr Value kLocked = kReaders | kWriter;

// Flags of the owner.
inline constexpr Value kReaderOwned = 1;
inline constexpr Value kNotSpinnable = 2;  ///< a writer has waited long enough for readers

inline constexpr Value kNobody = 0;

/// Whom a wake may let in: anybody; readers; readers, beside one that is inside already.
enum class Wake : std::uint8_t { kAny, kReadersOnly, kReadersOfOwner };

}  // namespace rwsem

/// The sleeping readers and writers of an rw_semaphore. Its user holds the list's lock around every
/// call but note_reader and clear_not_spinnable.
class RwsemWaiters {
 public:
  struct Waiter {
    bool writes = false;
    bool hands_over = false;  ///< it has set kHandOver
    engine::SimTime patient_until;
  };
  using Woken = std::vector<Value>;

  RwsemWaiters(Site& site, Word count, Word owner, Duration patience);

  Waiter& operator[](Value name) { return waiters_[Tasks::index(name)]; }
  WaitList& list() { return list_; }

  Task<> note_reader(Thread& self, Value reader);
  Task<> clear_not_spinnable(Thread& self);

  Task<> enqueue(Thread& self, Value me, bool writes);
  Task<Woken> mark_wake_if_free(Thread& self, Value count);
  /// Lets the list's readers in if one of them is first; returns whom to wake when the list's lock
  /// is free again.
  Task<Woken> mark_wake(Thread& self, rwsem::Wake wake);

 private:
  Task<bool> enter_for(Thread& self, Value first);
  Task<Woken> take_readers_off(Thread& self, Value first);
  Task<> count_readers(Thread& self, Value amount);

  Word count_;
  Word owner_;
  Duration patience_;
  WaitList list_;
  std::vector<Waiter> waiters_;  // by thread
};

}  // namespace hotline::models
