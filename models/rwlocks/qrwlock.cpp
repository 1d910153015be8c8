// source  Linux 6.12 kernel/locking/qrwlock.c and include/asm-generic/qrwlock.h (Long, 2014).
// idea    One 32-bit word {writer 8, waiting 1, readers 23} and a qspinlock as a waiting room.
//         Readers add themselves and look whether a writer has the word or waits for it; whoever
//         cannot go in at once queues on the spinlock, and only the queue's head waits on the word.
// spins   The queue's head on the word, the others on their own qspinlock nodes. Every reader
//         writes the word twice: readers share the section, not the line.
// differs from Linux in nothing that touches memory. In an interrupt a reader ignores a writer that
//         merely waits, since it may have interrupted a reader: that is the parameter `context`.

#include "models/rwlocks/qrwlock.hpp"

#include "models/locks/qspinlock.hpp"

namespace hotline::models {

namespace {

constexpr Value kFree = 0;
constexpr Value kWriter = 0xFF;
constexpr Value kWaiting = 0x100;
constexpr Value kWriterOrWaiting = 0x1FF;
constexpr Value kReader = 0x200;
constexpr Value kMinusReader = ~kReader + 1;
constexpr ReadToken kNoToken{};

class QueuedReadWriteLock final : public ReadWriteLockModel {
 public:
  QueuedReadWriteLock(Site& site, ParamReader& params)
      : counts_(site.overlay("counts", 32)),
        writer_(site.word("writer", 8)),
        in_interrupt_(params.choice("context", 0, {"task", "interrupt"},
                                    "in an interrupt readers pass a writer that waits") == 1) {
    site.gap(3);
    room_ = make_room(site);
  }

  Task<ReadToken> acquire_read(Thread& self) override {
    const Value before = co_await self.fetch_add(counts_, kReader);
    if ((before & kWriterOrWaiting) != 0) co_await wait_for_writers(self);
    co_return kNoToken;
  }

  Task<std::optional<ReadToken>> try_acquire_read(Thread& self) override {
    const Value seen = co_await self.load(counts_);
    if ((seen & kWriterOrWaiting) != 0) co_return std::nullopt;
    const Value before = co_await self.fetch_add(counts_, kReader);
    if ((before & kWriterOrWaiting) == 0) co_return kNoToken;
    co_await self.add(counts_, kMinusReader);
    co_return std::nullopt;
  }

  Task<> release_read(Thread& self, ReadToken) override {
    co_await self.fetch_add(counts_, kMinusReader);
  }

  Task<> acquire_write(Thread& self) override {
    const Value before = co_await self.compare_exchange(counts_, kFree, kWriter);
    if (before != kFree) co_await wait_for_everybody(self);
  }

  Task<bool> try_acquire_write(Thread& self) override {
    const Value seen = co_await self.load(counts_);
    if (seen != kFree) co_return false;
    const Value before = co_await self.compare_exchange(counts_, kFree, kWriter);
    co_return before == kFree;
  }

  Task<> release_write(Thread& self) override { co_await self.store(writer_, 0); }

 private:
  static std::unique_ptr<Model> make_room(Site& site) {
    ParamReader defaults;
    return qspinlock(site, defaults);
  }

  Task<> wait_for_writers(Thread& self) {
    if (in_interrupt_) {
      co_await self.spin_until(counts_, equals(0, kWriter));
      co_return;
    }
    co_await self.add(counts_, kMinusReader);
    co_await room_->lock()->acquire(self);
    co_await self.add(counts_, kReader);
    co_await self.spin_until(counts_, equals(0, kWriter));
    co_await room_->lock()->release(self);
  }

  Task<> wait_for_everybody(Thread& self) {
    co_await room_->lock()->acquire(self);
    const bool lucky = co_await try_acquire_write(self);
    if (!lucky) {
      co_await self.fetch_or(counts_, kWaiting);
      Value before = kFree;
      while (before != kWaiting) {
        co_await self.spin_until(counts_, kWaiting);
        before = co_await self.compare_exchange(counts_, kWaiting, kWriter);
      }
    }
    co_await room_->lock()->release(self);
  }

  Word counts_, writer_;
  bool in_interrupt_;
  std::unique_ptr<Model> room_;
};

}  // namespace

std::unique_ptr<Model> qrwlock(Site& site, ParamReader& params) {
  return make<QueuedReadWriteLock>(site, params);
}

}  // namespace hotline::models
