// source  Linux 6.12 lib/lockref.c: struct lockref {spinlock, count}, as in every dentry.
// idea    Lock and count share eight bytes. While the lock half says "free", the count is changed
//         by a compare-exchange of all eight; after 100 failures, or if the lock is taken, the
//         lock is taken for the change.
// spins   Everybody on the one line. Whoever holds the lock makes all others fall into its queue:
//         a sharp change of mode, and from compare-exchange to queue hand-overs.
// differs from Linux in that get and put are add(1) and add(-1), without the dead mark.

#include "models/counters/lockref.hpp"

#include "models/locks/qspinlock.hpp"

namespace hotline::models {

namespace {

constexpr unsigned kCountShift = 32;
constexpr Value kLockHalf = (Value{1} << kCountShift) - 1;
constexpr unsigned kTries = 100;

class LockRef final : public CounterModel {
 public:
  LockRef(Site& site, ParamReader&)
      : site_(site),
        both_(site.overlay("lock_count", 64)),
        raw_(make_lock(site)),
        count_(site.word("count", 32)) {}

  Lock* lock() override { return raw_->lock(); }

  Task<> add(Thread& self, std::int64_t amount) override {
    const Value change = static_cast<Value>(amount) << kCountShift;
    Value expected = co_await self.load(both_);
    for (unsigned tries = 0; (expected & kLockHalf) == 0 && tries < kTries; ++tries) {
      const Value seen = co_await self.compare_exchange(both_, expected, expected + change);
      if (seen == expected) co_return;
      expected = seen;
    }
    co_await add_locked(self, amount);
  }

  Task<std::int64_t> read(Thread& self) override {
    const Value seen = co_await self.load(count_);
    co_return signed_value(count_, seen);
  }

  std::int64_t total() const override { return signed_value(count_, site_.peek(count_)); }

 private:
  static std::unique_ptr<Model> make_lock(Site& site) {
    ParamReader defaults;
    return qspinlock(site, defaults);
  }

  Task<> add_locked(Thread& self, std::int64_t amount) {
    co_await raw_->lock()->acquire(self);
    const Value seen = co_await self.load(count_);
    co_await self.store(count_, seen + static_cast<Value>(amount));
    co_await raw_->lock()->release(self);
  }

  Site& site_;
  Word both_;
  std::unique_ptr<Model> raw_;
  Word count_;
};

}  // namespace

std::unique_ptr<Model> lockref(Site& site, ParamReader& params) {
  return make<LockRef>(site, params);
}

}  // namespace hotline::models
