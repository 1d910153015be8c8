// source  Linux 6.12 lib/lockref.c: struct lockref {spinlock, count}, as in every dentry.
// idea    Lock and count share eight bytes. While the lock half says "free", the count is changed
//         by a compare-exchange of all eight; after 100 failures, or if the lock is taken, the
//         lock is taken for the change.
// spins   Everybody on the one line. Whoever holds the lock makes all others fall into its queue:
//         a sharp change of mode, and from compare-exchange to queue hand-overs.
// differs from Linux in that there is no dead mark, and that a put that needs the lock gives it
// back
//         where lockref_put_or_lock keeps it.

#include "models/counters/lockref.hpp"

#include "models/locks/qspinlock.hpp"

namespace hotline::models {

namespace {

constexpr unsigned kCountShift = 32;
constexpr Value kLockHalf = (Value{1} << kCountShift) - 1;
constexpr unsigned kTries = 100;

class LockRef final : public CounterModel, public Reference {
 public:
  LockRef(Site& site, ParamReader& params)
      : site_(site),
        both_(site.overlay("lock_count", 64)),
        raw_(make_lock(site)),
        count_(site.word("count", 32,
                         static_cast<Value>(params.integer("initial", 0, 0, 1 << 30,
                                                           "the count in the beginning")))) {}

  Lock* lock() override { return raw_->lock(); }
  Reference* reference() override { return this; }

  Task<> add(Thread& self, std::int64_t amount) override { co_await change(self, {amount, false}); }
  Task<> get(Thread& self) override { co_await change(self, {1, false}); }
  Task<bool> try_get(Thread& self) override {
    const std::int64_t before = co_await change(self, {1, true});
    co_return before > 0;
  }
  Task<bool> put(Thread& self) override {
    const std::int64_t before = co_await change(self, {-1, false});
    co_return before == 1;
  }
  Task<bool> query(Thread& self) override {
    const std::int64_t count = co_await read(self);
    co_return count != 0;
  }
  std::int64_t users() const override { return total(); }

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

  struct Change {
    std::int64_t amount;
    bool unless_zero;  ///< does nothing to a count that is not above zero
  };

  std::int64_t count_in(Value both) const { return signed_value(count_, both >> kCountShift); }

  /// Returns the count before.
  Task<std::int64_t> change(Thread& self, Change change) {
    const Value amount = static_cast<Value>(change.amount) << kCountShift;
    Value expected = co_await self.load(both_);
    for (unsigned tries = 0; (expected & kLockHalf) == 0 && tries < kTries; ++tries) {
      if (change.unless_zero && count_in(expected) <= 0) co_return 0;
      const Value seen = co_await self.compare_exchange(both_, expected, expected + amount);
      if (seen == expected) co_return count_in(seen);
      expected = seen;
    }
    const std::int64_t before = co_await change_locked(self, change);
    co_return before;
  }

  Task<std::int64_t> change_locked(Thread& self, Change change) {
    self.preempt_disable();
    co_await raw_->lock()->acquire(self);
    const Value seen = co_await self.load(count_);
    const std::int64_t before = signed_value(count_, seen);
    if (!change.unless_zero || before > 0) {
      co_await self.store(count_, seen + static_cast<Value>(change.amount));
    }
    co_await raw_->lock()->release(self);
    self.preempt_enable();
    co_await self.checkpoint();
    co_return before;
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
