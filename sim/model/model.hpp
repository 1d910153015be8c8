#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "sim/engine/task.hpp"
#include "sim/model/params.hpp"
#include "sim/model/site.hpp"
#include "sim/os/thread.hpp"

/// What a lock or a counter is. A model's file includes this header and nothing deeper.
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

/// One instance of a model: a lock, a counter, or both (lockref).
class Model {
 public:
  virtual ~Model() = default;
  virtual Lock* lock() { return nullptr; }
  virtual Counter* counter() { return nullptr; }
};

enum class Kind : std::uint8_t { kLock, kCounter, kReference };

/// What a model promises, so that one conformance suite can hold every model to its word.
struct Promises {
  bool fifo = false;    ///< locks: served in the order of arrival (of the first shared operation)
  bool exact = true;    ///< counters: no update is ever lost
  bool sleeps = false;  ///< locks: a waiter may block; else the kernel holds it unpreempted
};

/// A model that is a lock, and one that is a counter: what most are.
class LockModel : public Model, public Lock {
 public:
  Lock* lock() final { return this; }
};
class CounterModel : public Model, public Counter {
 public:
  Counter* counter() final { return this; }
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
