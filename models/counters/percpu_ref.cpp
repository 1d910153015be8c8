// source  Linux 6.12 lib/percpu-refcount.c and include/linux/percpu-refcount.h: percpu_ref.
// idea    While its owner lives, get and put are adds to the CPU's own word; nobody can tell zero,
//         and nobody asks. The owner's kill marks the pointer that every get and put reads, waits a
//         grace period until all have seen the mark, and adds the CPUs' words to a shared count,
//         which a large bias has kept from zero meanwhile. From then on it is a plain count.
// spins   Nobody. Before the kill all lines stay where they are; after it gets and puts share one.
// differs from Linux in how the grace period passes: there is no RCU here yet, so it is a
// parameter,
//         and the killer waits for it itself (as percpu_ref_switch_to_atomic_sync does) instead of
//         leaving the rest to a callback. It never ends before a get or put that began before it.

#include "models/counters/percpu_ref.hpp"

#include <vector>

#include "models/locks/qspinlock.hpp"

namespace hotline::models {

namespace {

// Marks in the pointer to the CPUs' words.
constexpr Value kAtomic = 1;
constexpr Value kDead = 2;
constexpr Value kPointer = 0x1000;
constexpr Value kBias = Value{1} << 63;

class PercpuRef final : public ReferenceModel {
 public:
  PercpuRef(Site& site, ParamReader& params)
      : site_(site),
        grace_period_(params.duration("grace_period", Duration::from_ps(5'000'000'000),
                                      "how long a kill waits until everybody has seen it")),
        pointer_(site.word("percpu_count_ptr", 64, kPointer)),
        data_(site.word("data")),
        switch_lock_(make_lock(site)),
        slots_(site.per_cpu("slot", {{"count", 64}})),
        sections_(site.threads(), 0) {
    site.new_line();
    count_ = site.word("count", 64, kBias + 1);  // the owner's
  }

  Task<> get(Thread& self) override {
    enter(self);
    const bool shared = co_await is_atomic(self);
    if (shared) {
      co_await self.add(count_, 1);
    } else {
      co_await add_locally(self, 1);
    }
    leave(self);
  }

  Task<bool> try_get(Thread& self) override {
    enter(self);
    bool got = true;
    const bool shared = co_await is_atomic(self);
    if (shared) {
      got = co_await increment_unless_zero(self);
    } else {
      co_await add_locally(self, 1);
    }
    leave(self);
    co_return got;
  }

  Task<bool> put(Thread& self) override {
    enter(self);
    Value before = 0;
    const bool shared = co_await is_atomic(self);
    if (shared) {
      before = co_await self.fetch_add(count_, ~Value{0});
    } else {
      co_await add_locally(self, ~Value{0});
    }
    leave(self);
    co_return before == 1;
  }

  Task<bool> kill(Thread& self) override {
    co_await switch_lock_->lock()->acquire(self);
    const Value pointer = co_await self.load(pointer_);
    co_await self.store(pointer_, pointer | kDead);
    co_await self.store(pointer_, pointer | kDead | kAtomic);
    co_await self.load(data_);
    co_await self.add(count_, 1);  // of the switch under way
    co_await put(self);            // the owner's
    co_await switch_lock_->lock()->release(self);

    co_await wait_grace_period(self);
    Value all = 0;
    for (std::uint32_t cpu = 0; cpu < slots_.count(); ++cpu) {
      all += co_await self.load(slots_.word(cpu, 0));
    }
    co_await self.fetch_add(count_, all - kBias);
    const bool last = co_await put(self);
    co_return last;
  }

  /// Linux's percpu_ref_is_zero.
  Task<bool> query(Thread& self) override {
    const bool shared = co_await is_atomic(self);
    if (!shared) co_return true;
    const Value count = co_await self.load(count_);
    co_return count != 0;
  }

  std::int64_t users() const override {
    Value all = site_.peek(count_);
    if ((all & kBias) != 0) {
      all -= kBias;
      for (std::uint32_t cpu = 0; cpu < slots_.count(); ++cpu) {
        all += site_.peek(slots_.word(cpu, 0));
      }
    }
    return static_cast<std::int64_t>(all);
  }

 private:
  static std::unique_ptr<Model> make_lock(Site& site) {
    ParamReader defaults;
    return qspinlock(site, defaults);
  }

  Task<bool> is_atomic(Thread& self) {
    const Value pointer = co_await self.load(pointer_);
    const bool marked = (pointer & (kAtomic | kDead)) != 0;
    if (marked) co_await self.load(data_);
    co_return marked;
  }

  Task<> add_locally(Thread& self, Value amount) {
    self.preempt_disable();
    const Word slot = slots_.word(self.cpu().value, 0);
    const Value seen = co_await self.load(slot);
    co_await self.store(slot, seen + amount);
    self.preempt_enable();
    co_await self.checkpoint();
  }

  Task<bool> increment_unless_zero(Thread& self) {
    Value expected = co_await self.load(count_);
    while (expected != 0) {
      const Value seen = co_await self.compare_exchange(count_, expected, expected + 1);
      if (seen == expected) co_return true;
      expected = seen;
    }
    co_return false;
  }

  // A thread's number is odd inside get and put, which are RCU read-side sections in Linux.
  void enter(const Thread& self) { ++sections_[self.id().value]; }
  void leave(const Thread& self) { ++sections_[self.id().value]; }

  Task<> wait_grace_period(Thread& self) {
    const std::vector<std::uint64_t> before = sections_;
    bool passed = false;
    while (!passed) {
      co_await self.sleep(grace_period_);
      passed = true;
      for (std::size_t k = 0; k < before.size(); ++k) {
        if (before[k] % 2 == 1 && sections_[k] == before[k]) passed = false;
      }
    }
  }

  Site& site_;
  Duration grace_period_;
  Word pointer_;
  Word data_;
  std::unique_ptr<Model> switch_lock_;
  Records slots_;
  std::vector<std::uint64_t> sections_;
  Word count_;
};

}  // namespace

std::unique_ptr<Model> percpu_ref(Site& site, ParamReader& params) {
  return make<PercpuRef>(site, params);
}

}  // namespace hotline::models
