// source  Linux 6.12 kernel/locking/rwsem.c: struct rw_semaphore (Howells 2001; one word and
//         reader spinning Long 2019), without PREEMPT_RT.
// idea    One word counts readers and says writer, waiters, hand-over. A reader adds itself, and is
//         in if nothing stands against it. Writers spin while the writer inside runs on a CPU, and
//         for some time while readers are inside; who gives up sleeps in one list for both. A wake
//         lets all the list's readers in at once, or wakes one writer, which still has to take the
//         word: readers and spinning writers may overtake it until it has waited too long.
// spins   Writers, one at a time behind a queue, on the owner word or the count. Readers never.
// differs from Linux as mutex does: nobody writes the word that says whether an owner runs, and a
//         spinner learns at once that it does not. Reading the clock costs nothing.

#include "models/rwlocks/rw_semaphore.hpp"

#include <algorithm>

#include "models/parts/osq.hpp"
#include "models/parts/raw_spinlock.hpp"
#include "models/parts/rwsem_waiters.hpp"
#include "models/parts/tasks.hpp"

namespace hotline::models {

using namespace rwsem;

namespace {

constexpr Value kMostReadersSpunFor = 30;
constexpr std::uint32_t kLooksAClock = 16;  // how seldom a spinner reads the clock

enum class Owner : std::uint8_t { kNone, kWriter, kReader, kNotSpinnable };
constexpr Owner kind_of(Value owner) {
  if ((owner & kNotSpinnable) != 0) return Owner::kNotSpinnable;
  if ((owner & kReaderOwned) != 0) return Owner::kReader;
  return (owner & ~Tasks::kFlags) == kNobody ? Owner::kNone : Owner::kWriter;
}

class RwSemaphore final : public ReadWriteLockModel {
 public:
  RwSemaphore(Site& site, ParamReader& params)
      : spins_(params.boolean("spin", true, "writers spin before they sleep")),
        count_(site.word("count")),
        owner_(site.word("owner")),
        osq_(site),
        wait_lock_(site),
        tasks_(site),
        waiters_(site, count_, owner_,
                 params.duration("patience", Duration::from_ps(4'000'000'000),
                                 "what a waiter bears before it asks for a hand-over: 4 ms, or a "
                                 "tick if that is longer")) {}

  Task<ReadToken> acquire_read(Thread& self) override {
    co_await self.cond_resched();
    const Value me = tasks_.name(self);
    const Value count = co_await add(self, kReader);
    if ((count & (kWriter | kWaiters | kHandOver)) == 0) {
      co_await waiters_.note_reader(self, me);
    } else {
      co_await acquire_read_slowly(self, me, count);
    }
    co_return ReadToken{};
  }

  Task<std::optional<ReadToken>> try_acquire_read(Thread& self) override {
    Value seen = co_await self.load(count_);
    while ((seen & (kWriter | kWaiters | kHandOver)) == 0) {
      const Value before = co_await self.compare_exchange(count_, seen, seen + kReader);
      if (before == seen) {
        co_await waiters_.note_reader(self, tasks_.name(self));
        co_return ReadToken{};
      }
      seen = before;
    }
    co_return std::nullopt;
  }

  Task<> release_read(Thread& self, ReadToken) override {
    const Value count = co_await add(self, ~kReader + 1);
    if ((count & (kLocked | kWaiters)) != kWaiters) co_return;
    co_await waiters_.clear_not_spinnable(self);
    co_await wake_waiters(self);
  }

  Task<> acquire_write(Thread& self) override {
    co_await self.cond_resched();
    const Value me = tasks_.name(self);
    const Value before = co_await self.compare_exchange(count_, 0, kWriter);
    if (before != 0) {
      const bool taken = co_await spin(self);
      if (!taken) co_await sleep_until_taken(self, me);
    }
    co_await self.store(owner_, me);
  }

  Task<bool> try_acquire_write(Thread& self) override {
    const Value before = co_await self.compare_exchange(count_, 0, kWriter);
    if (before != 0) co_return false;
    co_await self.store(owner_, tasks_.name(self));
    co_return true;
  }

  Task<> release_write(Thread& self) override {
    co_await self.store(owner_, kNobody);
    const Value count = co_await add(self, ~kWriter + 1);
    if ((count & kWaiters) != 0) co_await wake_waiters(self);
  }

 private:
  /// Adds to the count and returns what it is then.
  Task<Value> add(Thread& self, Value amount) {
    const Value before = co_await self.fetch_add(count_, amount);
    co_return before + amount;
  }

  // Readers.

  Task<> acquire_read_slowly(Thread& self, Value me, Value count) {
    const Value owner = co_await self.load(owner_);
    const bool first_inside = count / kReader == 1;
    const bool queues = (owner & kReaderOwned) != 0 && !first_inside && (count & kWriter) == 0;
    if (!queues && (count & (kWriter | kHandOver)) == 0) {  // steals it from the waiters
      co_await waiters_.note_reader(self, me);
      if (first_inside && (count & kWaiters) != 0) co_await let_readers_in(self);
      co_return;
    }
    co_await sleep_until_let_in(self, me);
  }

  Task<> let_readers_in(Thread& self) {
    co_await wait_lock_.acquire(self);
    const RwsemWaiters::Woken woken = co_await waiters_.mark_wake(self, Wake::kReadersOfOwner);
    co_await wait_lock_.release(self);
    co_await wake_all(self, woken);
  }

  Task<> sleep_until_let_in(Thread& self, Value me) {
    co_await wait_lock_.acquire(self);
    const Value first = co_await waiters_.list().front(self);
    if (first == kNobody) {
      const Value count = co_await self.load(count_);
      if ((count & kWriter) == 0) {  // it has gone meanwhile
        co_await wait_lock_.release(self);
        co_await waiters_.note_reader(self, me);
        co_return;
      }
    }
    co_await waiters_.enqueue(self, me, false);
    const Value count = co_await add(self, ~kReader + 1 + (first == kNobody ? kWaiters : kNobody));
    const RwsemWaiters::Woken woken = co_await waiters_.mark_wake_if_free(self, count);
    self.prepare_to_block();
    co_await wait_lock_.release(self);
    co_await wake_all(self, woken);
    for (;;) {
      const Value task = co_await self.load(waiters_.list().more(me));
      if (task == kNobody) break;
      co_await self.block();
      self.prepare_to_block();
    }
    self.stay_awake();
  }

  Task<> wake_waiters(Thread& self) {
    co_await wait_lock_.acquire(self);
    const RwsemWaiters::Woken woken = co_await waiters_.mark_wake(self, Wake::kAny);
    co_await wait_lock_.release(self);
    co_await wake_all(self, woken);
  }

  Task<> wake_all(Thread& self, RwsemWaiters::Woken woken) {
    for (const Value each : woken) co_await self.wake(tasks_.thread(each));
  }

  // Writers.

  Task<bool> spin(Thread& self) {
    if (!spins_ || self.need_resched()) co_return false;
    self.preempt_disable();
    bool may_spin = co_await owner_is_spinnable(self);
    if (may_spin) may_spin = co_await osq_.acquire(self);
    bool taken = false;
    if (may_spin) {
      taken = co_await spin_at_head(self);
      co_await osq_.release(self);
    }
    self.preempt_enable();
    co_await self.checkpoint();
    co_return taken;
  }

  Task<bool> owner_is_spinnable(Thread& self) {
    const Value owner = co_await self.load(owner_);
    if (kind_of(owner) != Owner::kWriter) co_return kind_of(owner) != Owner::kNotSpinnable;
    co_await self.load(tasks_.on_cpu(owner));
    co_return tasks_.thread(owner).on_cpu();
  }

  Task<bool> spin_at_head(Thread& self) {
    Owner previous = Owner::kNone;
    engine::SimTime until;
    std::uint32_t looks = 0;
    for (;;) {
      const Owner owner = co_await spin_on_writer(self);
      if (owner == Owner::kNotSpinnable) co_return false;
      const bool taken = co_await take_if_free(self);
      if (taken) co_return true;
      if (owner == Owner::kReader && previous != Owner::kReader) {
        const Duration patience = co_await patience_with_readers(self);
        until = self.now() + patience;
        looks = 0;
      } else if (owner == Owner::kReader && ++looks % kLooksAClock == 0 && self.now() > until) {
        co_await self.fetch_or(owner_, kNotSpinnable);
        co_return false;
      }
      if (owner != Owner::kWriter && self.need_resched()) co_return false;
      previous = owner;
      co_await self.pause();
    }
  }

  /// Waits as long as a writer that runs is inside; returns who is then.
  Task<Owner> spin_on_writer(Thread& self) {
    const Value owner = co_await self.load(owner_);
    if (kind_of(owner) != Owner::kWriter) co_return kind_of(owner);
    co_await self.load(tasks_.on_cpu(owner));
    const Value seen =
        co_await self.spin_optimistically(owner_, differs(owner), &tasks_.thread(owner));
    co_return seen == owner ? Owner::kNotSpinnable : kind_of(seen);
  }

  /// 10 us, and half a microsecond for each reader inside.
  Task<Duration> patience_with_readers(Thread& self) {
    const Value count = co_await self.load(count_);
    const Value readers = std::min(count / kReader, kMostReadersSpunFor);
    co_return Duration::from_ps((20 + readers) * 500'000);
  }

  Task<bool> take_if_free(Thread& self) {
    Value seen = co_await self.load(count_);
    while ((seen & (kLocked | kHandOver)) == 0) {
      const Value before = co_await self.compare_exchange(count_, seen, seen | kWriter);
      if (before == seen) co_return true;
      seen = before;
    }
    co_return false;
  }

  Task<> sleep_until_taken(Thread& self, Value me) {
    co_await wait_lock_.acquire(self);
    co_await waiters_.enqueue(self, me, true);
    const Value first = co_await waiters_.list().front(self);
    if (first == me) {
      co_await self.fetch_or(count_, kWaiters);
    } else {
      const Value count = co_await self.load(count_);
      const RwsemWaiters::Woken woken = co_await waiters_.mark_wake_if_free(self, count);
      if (!woken.empty()) {
        co_await wait_lock_.release(self);
        co_await wake_all(self, woken);
        co_await wait_lock_.acquire(self);
      }
    }
    self.prepare_to_block();
    bool taken = co_await take_from_list(self, me);
    while (!taken) {
      co_await wait_lock_.release(self);
      Owner owner = Owner::kNotSpinnable;
      if (waiters_[me].hands_over) {
        self.preempt_disable();
        owner = co_await spin_on_writer(self);
        self.preempt_enable();
        co_await self.checkpoint();
      }
      if (owner != Owner::kNone) co_await self.block();
      self.prepare_to_block();
      co_await wait_lock_.acquire(self);
      taken = co_await take_from_list(self, me);
    }
    self.stay_awake();
    co_await wait_lock_.release(self);
  }

  /// A waiter takes the word, or asks for it to be handed over if it has waited long enough.
  Task<bool> take_from_list(Thread& self, Value me) {
    const Value first = co_await waiters_.list().front(self);
    Value seen = co_await self.load(count_);
    for (;;) {
      const bool promised = (seen & kHandOver) != 0;
      if (promised && waiters_[first].hands_over && first != me) co_return false;
      Value wanted = seen | kWriter;
      if ((seen & kLocked) != 0) {
        const bool patient =
            self.priority().real_time == 0 && self.now() < waiters_[me].patient_until;
        if (promised || patient) co_return false;
        wanted = seen | kHandOver;
      } else {
        const bool alone = co_await is_alone(self, me);
        wanted &= ~(alone ? kHandOver | kWaiters : kHandOver);
      }
      const Value before = co_await self.compare_exchange(count_, seen, wanted);
      if (before == seen) {
        if ((wanted & kHandOver) != 0) {
          waiters_[first].hands_over = true;
          co_return false;
        }
        co_await waiters_.list().remove(self, me);
        co_return true;
      }
      seen = before;
    }
  }

  Task<bool> is_alone(Thread& self, Value me) {
    const Value first = co_await waiters_.list().front(self);
    if (first != me) co_return false;
    const Value second = co_await waiters_.list().after(self, me);
    co_return second == kNobody;
  }

  bool spins_;
  Word count_;
  Word owner_;
  OptimisticSpinQueue osq_;
  RawSpinlock wait_lock_;
  Tasks tasks_;
  RwsemWaiters waiters_;
};

}  // namespace

std::unique_ptr<Model> rw_semaphore(Site& site, ParamReader& params) {
  return make<RwSemaphore>(site, params);
}

}  // namespace hotline::models
