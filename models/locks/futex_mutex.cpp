// source  glibc nptl/pthread_mutex_lock.c and lowlevellock.c (2026): the mutex types normal and
//         adaptive; mutex3: U. Drepper, Futexes Are Tricky, 2011.
// idea    A word in user space says free, locked, or locked with sleepers. Nobody enters the kernel
//         unless it has to sleep or perhaps to wake somebody. Who has slept takes the mutex as one
//         with sleepers, so its release always enters the kernel.
// spins   Nobody; the adaptive type on the word, for twice as long as it usually took, with pauses
//         that double from look to look.
// differs from glibc in that the futex has a bucket of the kernel's hash table for itself, and in
//         that the pauses have no jitter. mutex3 has its word alone on a line.

#include "models/locks/futex_mutex.hpp"

#include <algorithm>

#include "models/parts/futex.hpp"

namespace hotline::models {

namespace {

constexpr Value kFree = 0;
constexpr Value kLocked = 1;
constexpr Value kSleepers = 2;  // locked, and somebody may sleep
constexpr Value kNobody = 0;
constexpr std::uint32_t kOne = 1;

/// pthread_mutex_t, whose words beside the lock every holder writes.
class FutexMutex : public LockModel {
 public:
  explicit FutexMutex(Site& site)
      : word_(site.word("lock", 32)),
        count_(site.word("count", 32)),
        owner_(site.word("owner", 32)),
        users_(site.word("nusers", 32)),
        kind_(site.word("kind", 32)),
        spins_(site.word("spins", 16)),
        futex_(site) {}

  Task<> acquire(Thread& self) override {
    co_await self.load(kind_);
    const Value before = co_await self.compare_exchange(word_, kFree, kLocked);
    if (before != kFree) co_await acquire_slowly(self);
    co_await note_owner(self);
  }

  Task<bool> try_acquire(Thread& self) override {
    co_await self.load(kind_);
    const Value before = co_await self.compare_exchange(word_, kFree, kLocked);
    if (before != kFree) co_return false;
    co_await note_owner(self);
    co_return true;
  }

  Task<> release(Thread& self) override {
    co_await self.load(kind_);
    co_await self.store(owner_, kNobody);
    const Value users = co_await self.load(users_);
    co_await self.store(users_, users - 1);
    const Value before = co_await self.exchange(word_, kFree);
    if (before == kSleepers) co_await futex_.wake(self, kOne);
  }

 protected:
  virtual Task<> acquire_slowly(Thread& self) { return sleep_until_taken(self); }

  Task<> sleep_until_taken(Thread& self) {
    const Value seen = co_await self.load(word_);
    if (seen == kSleepers) co_await futex_.wait(self, word_, kSleepers);
    for (;;) {
      const Value before = co_await self.exchange(word_, kSleepers);
      if (before == kFree) co_return;
      co_await futex_.wait(self, word_, kSleepers);
    }
  }

  Word lock_word() const { return word_; }
  Word spins() const { return spins_; }

 private:
  Task<> note_owner(Thread& self) {
    co_await self.store(owner_, self.id().value + 1);
    const Value users = co_await self.load(users_);
    co_await self.store(users_, users + 1);
  }

  Word word_;
  Word count_;
  Word owner_;
  Word users_;
  Word kind_;
  Word spins_;
  Futex futex_;
};

class AdaptiveFutexMutex final : public FutexMutex {
 public:
  AdaptiveFutexMutex(Site& site, ParamReader& params)
      : FutexMutex(site),
        most_(params.integer("spin_count", 100, 0, 30'000,
                             "pauses before it sleeps, at most: glibc.pthread.mutex_spin_count")) {}

 private:
  Task<> acquire_slowly(Thread& self) override {
    const Value learned = co_await self.load(spins());
    const std::int64_t usual = model::signed_value(spins(), learned);
    const std::int64_t budget = std::min(most_, 2 * usual + 10);
    std::int64_t spent = 0;
    std::int64_t pauses = 1;
    bool taken = false;
    while (!taken && spent < budget) {
      const std::int64_t now = std::min(pauses, budget - spent);
      co_await self.pause(static_cast<std::uint64_t>(now));
      spent += now;
      pauses *= 2;
      taken = co_await take_if_free(self);
    }
    if (!taken) co_await sleep_until_taken(self);
    const Value before = co_await self.load(spins());
    const std::int64_t known = model::signed_value(spins(), before);
    co_await self.store(spins(), static_cast<Value>(known + (spent - known) / 8));
  }

  Task<bool> take_if_free(Thread& self) {
    const Value seen = co_await self.load(lock_word());
    if (seen != kFree) co_return false;
    const Value before = co_await self.compare_exchange(lock_word(), kFree, kLocked);
    co_return before == kFree;
  }

  std::int64_t most_;
};

class Mutex3 final : public LockModel {
 public:
  Mutex3(Site& site, ParamReader&) : word_(site.word("value", 32)), futex_(site) {}

  Task<> acquire(Thread& self) override {
    Value seen = co_await self.compare_exchange(word_, kFree, kLocked);
    if (seen == kLocked) seen = co_await self.exchange(word_, kSleepers);
    while (seen != kFree) {
      co_await futex_.wait(self, word_, kSleepers);
      seen = co_await self.exchange(word_, kSleepers);
    }
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value before = co_await self.compare_exchange(word_, kFree, kLocked);
    co_return before == kFree;
  }

  Task<> release(Thread& self) override {
    const Value before = co_await self.fetch_add(word_, ~Value{0});
    if (before == kLocked) co_return;
    co_await self.store(word_, kFree);
    co_await futex_.wake(self, kOne);
  }

 private:
  Word word_;
  Futex futex_;
};

}  // namespace

std::unique_ptr<Model> futex_mutex(Site& site, ParamReader&) {
  return std::make_unique<FutexMutex>(site);
}

std::unique_ptr<Model> futex_mutex_adaptive(Site& site, ParamReader& params) {
  return make<AdaptiveFutexMutex>(site, params);
}

std::unique_ptr<Model> mutex3(Site& site, ParamReader& params) {
  return make<Mutex3>(site, params);
}

}  // namespace hotline::models
