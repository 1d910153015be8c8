// source  Linux 6.12 lib/percpu-refcount.c and include/linux/percpu-refcount.h: percpu_ref.
// idea    While its owner lives, get and put are adds to the CPU's own word; nobody can tell zero,
//         and nobody asks. The owner's kill marks the pointer that every get and put reads, and
//         leaves the rest to a callback of call_rcu: when a grace period has passed and everybody
//         has seen the mark, it adds the CPUs' words to a shared count, which a large bias has kept
//         from zero meanwhile. From then on it is a plain count.
// spins   Nobody. Before the kill all lines stay where they are; after it gets and puts share one.
// differs from Linux in that the killer waits for that callback, which tells it whether it was the
//         last user (percpu_ref_kill_and_confirm with a completion); Linux tells a release
//         function.

#include "models/counters/percpu_ref.hpp"

#include "models/parts/kernel_rcu.hpp"
#include "models/parts/raw_spinlock.hpp"
#include "models/rcu/parts/completion.hpp"

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
        rcu_(site, params),
        pointer_(site.word("percpu_count_ptr", 64, kPointer)),
        data_(site.word("data")),
        switch_lock_(site),
        slots_(site.per_cpu("slot", {{"count", 64}})) {
    site.new_line();
    count_ = site.word("count", 64, kBias + 1);  // the owner's
  }

  Task<> get(Thread& self) override {
    const ReadToken section = co_await rcu_.read_lock(self);
    const bool shared = co_await is_atomic(self);
    if (shared) {
      co_await self.add(count_, 1);
    } else {
      co_await add_locally(self, 1);
    }
    co_await rcu_.read_unlock(self, section);
  }

  Task<bool> try_get(Thread& self) override {
    const ReadToken section = co_await rcu_.read_lock(self);
    bool got = true;
    const bool shared = co_await is_atomic(self);
    if (shared) {
      got = co_await increment_unless_zero(self);
    } else {
      co_await add_locally(self, 1);
    }
    co_await rcu_.read_unlock(self, section);
    co_return got;
  }

  Task<bool> put(Thread& self) override {
    const ReadToken section = co_await rcu_.read_lock(self);
    const bool last = co_await drop(self);
    co_await rcu_.read_unlock(self, section);
    co_return last;
  }

  Task<bool> kill(Thread& self) override {
    bool last = false;
    Completion switched(self);
    self.interrupts_disable();
    co_await switch_lock_.acquire(self);
    const Value pointer = co_await self.load(pointer_);
    co_await self.store(pointer_, pointer | kDead);
    co_await self.store(pointer_, pointer | kDead | kAtomic);
    co_await self.load(data_);
    co_await self.add(count_, 1);  // of the switch under way
    co_await rcu_.call(self, std::make_unique<SwitchToAtomic>(*this, switched, last));
    co_await put(self);  // the owner's
    co_await switch_lock_.release(self);
    self.interrupts_enable();
    co_await switched.wait();
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
  /// What is left to do when everybody has seen the mark.
  class SwitchToAtomic final : public model::RcuCallback {
   public:
    SwitchToAtomic(PercpuRef& reference, Completion& switched, bool& last)
        : reference_(reference), switched_(switched), last_(last) {}

    Task<> invoke(Thread& self) override {
      co_await reference_.gather(self);
      last_ = co_await reference_.drop(self);
      co_await switched_.complete(self);
    }

   private:
    PercpuRef& reference_;
    Completion& switched_;
    bool& last_;
  };

  Task<> gather(Thread& self) {
    Value all = 0;
    for (std::uint32_t cpu = 0; cpu < slots_.count(); ++cpu) {
      all += co_await self.load(slots_.word(cpu, 0));
    }
    co_await self.fetch_add(count_, all - kBias);
  }

  /// One user less, inside a section or after the grace period; true for the last.
  Task<bool> drop(Thread& self) {
    const bool shared = co_await is_atomic(self);
    if (!shared) {
      co_await add_locally(self, ~Value{0});
      co_return false;
    }
    const Value before = co_await self.fetch_add(count_, ~Value{0});
    co_return before == 1;
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

  Site& site_;
  KernelRcu rcu_;
  Word pointer_;
  Word data_;
  RawSpinlock switch_lock_;
  Records slots_;
  Word count_;
};

}  // namespace

std::unique_ptr<Model> percpu_ref(Site& site, ParamReader& params) {
  return make<PercpuRef>(site, params);
}

}  // namespace hotline::models
