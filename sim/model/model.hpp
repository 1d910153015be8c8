#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "sim/engine/task.hpp"
#include "sim/model/params.hpp"
#include "sim/model/site.hpp"
#include "sim/os/thread.hpp"

/// What a lock, a reader-writer lock or a counter is. A model's file includes this header and
/// nothing deeper.
namespace hotline::model {

using engine::Duration;
using engine::Task;
using machine::Condition;
using machine::differs;
using machine::equals;
using machine::Value;
using machine::Word;
using os::Pace;
using os::Thread;

/// Mutual exclusion. A thread that has acquired must release before it ends.
class Lock {
 public:
  virtual ~Lock() = default;
  /// Resumes the caller when it holds the lock.
  virtual Task<> acquire(Thread& self) = 0;
  /// True if the lock was taken; never waits for another thread.
  virtual Task<bool> try_acquire(Thread& self) = 0;
  /// Resumes the caller as soon as its own part is done; the successor may not run yet.
  virtual Task<> release(Thread& self) = 0;
};

/// What a reader keeps from the beginning of its section to the end: which slot or whose lock it
/// took, or what it saw. Only the model that gave it can read it.
struct ReadToken {
  std::uint64_t value = 0;
};

/// Readers share, a writer excludes everybody. As a plain Lock it is the writers' side. A thread
/// that has it as a reader must not acquire it again.
class ReadWriteLock : public Lock {
 public:
  /// Resumes the caller when it is inside as a reader.
  virtual Task<ReadToken> acquire_read(Thread& self) = 0;
  /// Nothing if a reader would have had to wait for another thread.
  virtual Task<std::optional<ReadToken>> try_acquire_read(Thread& self) = 0;
  /// Takes what acquire_read gave to the same thread.
  virtual Task<> release_read(Thread& self, ReadToken token) = 0;

  virtual Task<> acquire_write(Thread& self) = 0;
  virtual Task<bool> try_acquire_write(Thread& self) = 0;
  virtual Task<> release_write(Thread& self) = 0;

  Task<> acquire(Thread& self) final { return acquire_write(self); }
  Task<bool> try_acquire(Thread& self) final { return try_acquire_write(self); }
  Task<> release(Thread& self) final { return release_write(self); }
};

/// Writers exclude each other and never wait for readers; a reader finds out afterwards whether a
/// writer came between, and then reads all of it again.
class SequenceLock : public Lock {
 public:
  /// Waits while a writer is inside.
  virtual Task<ReadToken> read_begin(Thread& self) = 0;
  /// True if what was read since read_begin gave `token` may be torn.
  virtual Task<bool> read_retry(Thread& self, ReadToken token) = 0;
};

/// A number many threads add to.
class Counter {
 public:
  virtual ~Counter() = default;
  virtual Task<> add(Thread& self, std::int64_t amount) = 0;
  /// For readers that always sum, the caller may add without ever touching the shared word; a
  /// counter without such a form does the same as add.
  virtual Task<> add_local(Thread& self, std::int64_t amount) { return add(self, amount); }
  /// The cheap reading, perhaps stale; and the exact one where the model has one.
  virtual Task<std::int64_t> read(Thread& self) = 0;
  virtual Task<std::int64_t> sum(Thread& self) { return read(self); }
  /// What an outside observer would sum up now: costs no simulated time, for checks and reports.
  virtual std::int64_t total() const = 0;
};

/// How many users something has that goes away with the last of them.
class Reference {
 public:
  virtual ~Reference() = default;
  /// One user more; the caller knows of another one that stays meanwhile.
  virtual Task<> get(Thread& self) = 0;
  /// One user more, or false if there is none left; a model that may come back from zero never
  /// refuses.
  virtual Task<bool> try_get(Thread& self) = 0;
  /// One user less; true for the last.
  virtual Task<bool> put(Thread& self) = 0;
  /// The owner's put; a model that has to be told lets the count fall to zero from now on.
  virtual Task<bool> kill(Thread& self) { return put(self); }
  /// Whether there are users, as far as a program can see it cheaply.
  virtual Task<bool> query(Thread& self) = 0;
  /// What an outside observer would count now: costs no simulated time, for checks and reports.
  virtual std::int64_t users() const = 0;
};

/// Lets threads sleep until another one says that what they wait for may have come.
class ConditionVariable {
 public:
  virtual ~ConditionVariable() = default;
  /// Releases the lock, sleeps until signalled or for no reason, and resumes the caller when it has
  /// acquired the lock again.
  virtual Task<> wait(Thread& self, Lock& lock) = 0;
  /// Wakes one of those that wait, if there is one.
  virtual Task<> signal(Thread& self) = 0;
  /// Wakes all of them.
  virtual Task<> broadcast(Thread& self) = 0;
};

/// One instance of a model: a lock, a counter, a reference, or all three (lockref); a condition
/// variable; or an RCU domain. A lock that readers share says so in one of two ways more.
class Model {
 public:
  virtual ~Model() = default;
  virtual Lock* lock() { return nullptr; }
  virtual ReadWriteLock* read_write_lock() { return nullptr; }
  virtual SequenceLock* sequence_lock() { return nullptr; }
  virtual Counter* counter() { return nullptr; }
  virtual Reference* reference() { return nullptr; }
  virtual ConditionVariable* condition_variable() { return nullptr; }
  virtual Rcu* rcu() { return nullptr; }
};

enum class Kind : std::uint8_t {
  kLock,
  kCounter,
  kReference,
  kLockref,  ///< a lock and a count that is a counter and a reference
  kReadWriteLock,
  kSequenceLock,
  kConditionVariable,
  kRcu,
};

/// Whether a model of that kind can be acquired, whether it can be added to, and whether it has
/// users who come and go.
constexpr bool is_lock(Kind kind) {
  return kind == Kind::kLock || kind == Kind::kLockref || kind == Kind::kReadWriteLock ||
         kind == Kind::kSequenceLock;
}
constexpr bool is_counter(Kind kind) { return kind == Kind::kCounter || kind == Kind::kLockref; }
constexpr bool is_reference(Kind kind) {
  return kind == Kind::kReference || kind == Kind::kLockref;
}
/// Whether readers share it.
constexpr bool has_readers(Kind kind) {
  return kind == Kind::kReadWriteLock || kind == Kind::kSequenceLock;
}

/// Who goes first at a lock that readers share.
enum class Prefers : std::uint8_t {
  kNobody,   ///< nothing is promised
  kReaders,  ///< a reader gets in beside others while a writer waits: writers may starve
  kWriters,  ///< a writer gets in before readers that wait already: readers may starve
  kArrival,  ///< a writer that waits keeps new readers out, and waits for those before it
};

/// What a model promises, so that one conformance suite can hold every model to its word.
struct Promises {
  bool fifo = false;    ///< locks: served in the order of arrival (of the first shared operation)
  bool exact = true;    ///< counters: no update is ever lost
  bool sleeps = false;  ///< locks: a waiter may block; else the kernel holds it unpreempted
  Prefers prefers = Prefers::kNobody;  ///< locks that readers share
  bool needs_ticks = false;            ///< RCU: grace periods need an operating system that ticks
  bool uses_rcu = false;  ///< waits for grace periods of the kernel's RCU where there are ticks
};

/// Models that are one thing, which is what most are.
class LockModel : public Model, public Lock {
 public:
  Lock* lock() final { return this; }
};
class ReadWriteLockModel : public Model, public ReadWriteLock {
 public:
  Lock* lock() final { return this; }
  ReadWriteLock* read_write_lock() final { return this; }
};
class SequenceLockModel : public Model, public SequenceLock {
 public:
  Lock* lock() final { return this; }
  SequenceLock* sequence_lock() final { return this; }
};
class CounterModel : public Model, public Counter {
 public:
  Counter* counter() final { return this; }
};
class ConditionVariableModel : public Model, public ConditionVariable {
 public:
  ConditionVariable* condition_variable() final { return this; }
};
class ReferenceModel : public Model, public Reference {
 public:
  Reference* reference() final { return this; }
};

/// The contents of a narrow word as the signed number they stand for.
constexpr std::int64_t signed_value(Word word, Value value) {
  const unsigned unused = 64U - 8U * word.size;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

/// One row of the catalogue.
struct Entry {
  std::string_view name;  ///< as YAML spells it: lower case, words joined by hyphens
  Kind kind = Kind::kLock;
  std::string_view summary;  ///< one sentence
  Promises promises;
  /// Builds an instance; reading a parameter declares it.
  std::unique_ptr<Model> (*make)(Site& site, ParamReader& params) = nullptr;
};

/// The usual `make`.
template <class M>
std::unique_ptr<Model> make(Site& site, ParamReader& params) {
  return std::make_unique<M>(site, params);
}

}  // namespace hotline::model
