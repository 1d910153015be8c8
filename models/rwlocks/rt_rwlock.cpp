// source  Linux 6.12 kernel/locking/rwbase_rt.c and spinlock_rt.c: what an rwlock_t and an
//         rw_semaphore are in a kernel with PREEMPT_RT (Gleixner 2021).
// idea    A count of readers beside an rt_mutex. The count carries a bias that says that readers
// may
//         come in; they do by a compare-exchange. A writer takes the rt_mutex, takes the bias away,
//         and sleeps until the last reader has left. Readers that find no bias queue for the
//         rt_mutex by priority, which they lend to the writer that has it; who gets it counts
//         itself and passes it on.
// spins   The first of those who wait for the rt_mutex, while its owner runs.
// differs from Linux as rt-mutex does.

#include "models/rwlocks/rt_rwlock.hpp"

#include "models/parts/rt_lock.hpp"
#include "models/parts/rt_section.hpp"

namespace hotline::models {

namespace {

constexpr Value kReadersMayEnter = 0x8000'0000;  // READER_BIAS, which makes the count negative
constexpr Value kWriterInside = 0x4000'0000;     // WRITER_BIAS

constexpr Value minus(Value amount) { return ~amount + 1; }

class RtReadWriteLock final : public ReadWriteLockModel {
 public:
  RtReadWriteLock(Site& site, RtLock::Flavour flavour)
      : is_spinlock_(flavour == RtLock::Flavour::kSpinlock),
        readers_(site.word("readers", 32, kReadersMayEnter)),
        lock_(site, flavour),
        section_(site) {}

  Task<ReadToken> acquire_read(Thread& self) override {
    if (!is_spinlock_) co_await self.cond_resched();
    const bool in = co_await enter(self);
    if (!in) co_await enter_slowly(self);
    co_await begin(self);
    co_return ReadToken{};
  }

  Task<std::optional<ReadToken>> try_acquire_read(Thread& self) override {
    const bool in = co_await enter(self);
    if (!in) co_return std::nullopt;
    co_await begin(self);
    co_return ReadToken{};
  }

  Task<> release_read(Thread& self, ReadToken) override {
    about_to_end(self);
    const Value before = co_await self.fetch_add(readers_, minus(1));
    if (before == 1) co_await wake_writer(self);  // without the bias: one waits for the last reader
    co_await end(self);
  }

  Task<> acquire_write(Thread& self) override {
    if (!is_spinlock_) co_await self.cond_resched();
    co_await lock_.acquire(self);
    co_await self.add(readers_, minus(kReadersMayEnter));
    co_await lock_.wait_lock().acquire(self);
    self.prepare_to_block();
    bool in = co_await enter_as_writer(self);
    while (!in) {
      co_await lock_.wait_lock().release(self);
      co_await self.block();
      co_await lock_.wait_lock().acquire(self);
      self.prepare_to_block();
      in = co_await enter_as_writer(self);
    }
    self.stay_awake();
    co_await lock_.wait_lock().release(self);
    co_await begin(self);
  }

  Task<bool> try_acquire_write(Thread& self) override {
    const bool locked = co_await lock_.try_acquire(self);
    if (!locked) co_return false;
    co_await self.add(readers_, minus(kReadersMayEnter));
    co_await lock_.wait_lock().acquire(self);
    const bool in = co_await enter_as_writer(self);
    if (in) {
      co_await lock_.wait_lock().release(self);
      co_await begin(self);
    } else {
      co_await let_readers_in(self, kReadersMayEnter);
    }
    co_return in;
  }

  Task<> release_write(Thread& self) override {
    about_to_end(self);
    co_await lock_.wait_lock().acquire(self);
    co_await let_readers_in(self, kReadersMayEnter - kWriterInside);
    co_await end(self);
  }

 private:
  Task<> begin(Thread& self) const {
    if (is_spinlock_) co_await section_.begin(self);
  }
  void about_to_end(Thread& self) const {
    if (is_spinlock_) RtSection::about_to_end(self);
  }
  Task<> end(Thread& self) const {
    if (is_spinlock_) co_await section_.end(self);
  }

  Task<bool> enter(Thread& self) {
    Value seen = co_await self.load(readers_);
    while ((seen & kReadersMayEnter) != 0) {
      const Value before = co_await self.compare_exchange(readers_, seen, seen + 1);
      if (before == seen) co_return true;
      seen = before;
    }
    co_return false;
  }

  /// Who has the rt_mutex keeps writers out, and may count itself.
  Task<> enter_slowly(Thread& self) {
    co_await lock_.wait_lock().acquire(self);
    co_await lock_.acquire_with_wait_lock(self);
    co_await self.add(readers_, 1);
    co_await lock_.wait_lock().release(self);
    co_await lock_.release(self);
  }

  Task<> wake_writer(Thread& self) {
    co_await lock_.wait_lock().acquire(self);
    Thread* const writer = co_await lock_.holder(self);
    self.preempt_disable();
    co_await lock_.wait_lock().release(self);
    if (writer != nullptr) co_await self.wake(*writer);
    self.preempt_enable();
    co_await self.checkpoint();
  }

  /// With wait_lock.
  Task<bool> enter_as_writer(Thread& self) {
    const Value readers = co_await self.load(readers_);
    if (readers != 0) co_return false;
    co_await self.store(readers_, kWriterInside);
    co_return true;
  }

  /// With wait_lock, which it gives back.
  Task<> let_readers_in(Thread& self, Value amount) {
    co_await self.fetch_add(readers_, amount);
    co_await lock_.wait_lock().release(self);
    co_await lock_.release(self);
  }

  bool is_spinlock_;
  Word readers_;
  RtLock lock_;
  RtSection section_;
};

}  // namespace

std::unique_ptr<Model> rt_rwlock(Site& site, ParamReader&) {
  return std::make_unique<RtReadWriteLock>(site, RtLock::Flavour::kSpinlock);
}

std::unique_ptr<Model> rt_rw_semaphore(Site& site, ParamReader&) {
  return std::make_unique<RtReadWriteLock>(site, RtLock::Flavour::kMutex);
}

}  // namespace hotline::models
