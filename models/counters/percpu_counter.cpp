// source  Linux 6.12 lib/percpu_counter.c: struct percpu_counter.
// idea    Every CPU adds to its own 32-bit slot until it holds `batch` or more, and then moves it
//         all to the central count under a lock. The cheap reading looks at the central count
//         alone and is off by less than batch x CPUs; the exact one adds all slots under the lock.
// spins   Only on the central lock, which is rare if batch is large beside what one add adds.
//         Every add reads the pointer to the slots on the central line, and so misses once after
//         each flush.
// differs from Linux in that the local update is a load and a store where Linux has a local
//         compare-exchange: so that nothing comes between the two on the same CPU, an add holds off
//         preemption.

#include "models/counters/percpu_counter.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "models/parts/raw_spinlock.hpp"

namespace hotline::models {

namespace {

constexpr std::int64_t kNeverFlush = std::numeric_limits<std::int32_t>::max();

class PercpuCounter final : public CounterModel {
 public:
  PercpuCounter(Site& site, ParamReader& params)
      : site_(site),
        batch_(params.integer("batch", std::max(32U, 2 * site.cpus()), 1, kNeverFlush,
                              "what makes a slot move to the central count; by default 32, "
                              "or twice the CPUs if that is more")),
        loads_pointer_(
            params.boolean("pointer", true, "read the slots' address from the central line first")),
        overlap_(static_cast<std::uint32_t>(params.integer(
            "overlap", 10, 1, 64, "loads of a sum under way at once: a core's line-fill buffers"))),
        lock_(site),
        count_(site.word("count")) {
    site.gap(16);  // the list of all counters
    counters_ = site.word("counters");
    slots_ = site.per_cpu("slot", {{"count", 32}});
  }

  Task<> add(Thread& self, std::int64_t amount) override {
    return add_in_batches(self, amount, batch_);
  }
  Task<> add_local(Thread& self, std::int64_t amount) override {
    return add_in_batches(self, amount, kNeverFlush);
  }

  Task<std::int64_t> read(Thread& self) override {
    const Value seen = co_await self.load(count_);
    co_return signed_value(count_, seen);
  }

  Task<std::int64_t> sum(Thread& self) override {
    co_await lock_.acquire(self);
    std::int64_t all = co_await read(self);
    // The loads do not depend on each other, so a core has several under way.
    const std::uint32_t overlapped = std::min(overlap_, slots_.count());
    for (std::uint32_t cpu = 1; cpu < overlapped; ++cpu) {
      co_await self.prefetch(slot(cpu));
    }
    for (std::uint32_t cpu = 0; cpu < slots_.count(); ++cpu) {
      const std::uint32_t ahead = cpu + overlapped;
      if (overlapped > 1 && ahead < slots_.count()) {
        co_await self.prefetch(slot(ahead));
      }
      const Value seen = co_await self.load(slot(cpu));
      all += signed_value(slot(cpu), seen);
    }
    co_await lock_.release(self);
    co_return all;
  }

  std::int64_t total() const override {
    std::int64_t all = signed_value(count_, site_.peek(count_));
    for (std::uint32_t cpu = 0; cpu < slots_.count(); ++cpu) {
      all += signed_value(slot(cpu), site_.peek(slot(cpu)));
    }
    return all;
  }

 private:
  Task<> add_in_batches(Thread& self, std::int64_t amount, std::int64_t batch) {
    self.preempt_disable();
    const Word own = slot(self.cpu().value);
    if (loads_pointer_) {
      co_await self.load(counters_);
    }
    const Value seen = co_await self.load(own);
    const std::int64_t local = signed_value(own, seen) + amount;
    if (std::abs(local) < batch) {
      co_await self.store(own, static_cast<Value>(local));
    } else {
      co_await flush(self, own, local);
    }
    self.preempt_enable();
    co_await self.checkpoint();
  }

  Task<> flush(Thread& self, Word own, std::int64_t local) {
    co_await lock_.acquire(self);
    const Value central = co_await self.load(count_);
    co_await self.store(count_, central + static_cast<Value>(local));
    co_await self.store(own, 0);
    co_await lock_.release(self);
  }

  Word slot(std::uint32_t cpu) const { return slots_.word(cpu, 0); }

  Site& site_;
  std::int64_t batch_;
  bool loads_pointer_;
  std::uint32_t overlap_;
  RawSpinlock lock_;
  Word count_;
  Word counters_;
  Records slots_;
};

}  // namespace

std::unique_ptr<Model> percpu_counter(Site& site, ParamReader& params) {
  return make<PercpuCounter>(site, params);
}

}  // namespace hotline::models
