// source  Linux this_cpu_add() on a per-CPU long, summed by the reader.
// idea    Every CPU adds to its own word, without a lock prefix; a reader sums them all.
// spins   Nobody. An add hits its own line; a read fetches one line a CPU, and each CPU's next add
//         then has to take its line back.
// differs from Linux in that the add is a load and a store, not one instruction: so
//         that nothing comes between the two on the same CPU, it holds off preemption.

#include "models/counters/per_cpu.hpp"

namespace hotline::models {

namespace {

class PerCpuCounter final : public CounterModel {
 public:
  PerCpuCounter(Site& site, ParamReader&)
      : site_(site), slots_(site.per_cpu("slot", {{"count", 64}})) {}

  Task<> add(Thread& self, std::int64_t amount) override {
    self.preempt_disable();
    const Word slot = slots_.word(self.cpu().value, 0);
    const Value seen = co_await self.load(slot);
    co_await self.store(slot, seen + static_cast<Value>(amount));
    self.preempt_enable();
    co_await self.checkpoint();
  }

  Task<std::int64_t> read(Thread& self) override {
    Value all = 0;
    for (std::uint32_t cpu = 0; cpu < slots_.count(); ++cpu) {
      all += co_await self.load(slots_.word(cpu, 0));
    }
    co_return static_cast<std::int64_t>(all);
  }

  std::int64_t total() const override {
    Value all = 0;
    for (std::uint32_t cpu = 0; cpu < slots_.count(); ++cpu) all += site_.peek(slots_.word(cpu, 0));
    return static_cast<std::int64_t>(all);
  }

 private:
  Site& site_;
  Records slots_;
};

}  // namespace

std::unique_ptr<Model> per_cpu(Site& site, ParamReader& params) {
  return make<PerCpuCounter>(site, params);
}

}  // namespace hotline::models
