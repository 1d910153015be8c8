// source  Linux 6.12 mm/vmstat.c: zone (and node) statistics, the form with a local
//         compare-exchange.
// idea    Every CPU adds to its own 8-bit difference. Beyond a threshold it moves the difference,
//         and half a threshold more, to the zone's word and the global one by locked adds, and
//         starts again half a threshold on the other side: so one add in 1.5 thresholds is shared.
// spins   Nobody. The cheap reading looks at the global word and is off by at most threshold x
// CPUs;
//         the snapshot adds the zone's word and every CPU's difference.
// differs from Linux in that the local update is a load and a store, that there is one zone, and
//         that no worker folds the differences once a second.

#include "models/counters/vmstat.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace hotline::models {

namespace {

constexpr std::int64_t kMostThreshold = 125;
constexpr std::uint32_t kZone = 512;  // 64 GiB, in the 128 MiB that the threshold is made from

std::int64_t default_threshold(std::uint32_t cpus) {
  const std::int64_t cpu_bits = std::bit_width(cpus);
  return std::min(kMostThreshold, 2 * cpu_bits * (1 + std::bit_width(kZone)));
}

class VmStat final : public CounterModel {
 public:
  VmStat(Site& site, ParamReader& params)
      : site_(site),
        threshold_(params.integer("threshold", default_threshold(site.cpus()), 1, kMostThreshold,
                                  "what a CPU's difference may reach; by default what Linux "
                                  "computes for the CPUs and a zone of 64 GiB")),
        zone_(site.word("zone")) {
    site.new_line();
    global_ = site.word("global");
    per_cpu_ = site.per_cpu("cpu", {{"threshold", 8}, {"diff", 8}});
    for (std::uint32_t cpu = 0; cpu < per_cpu_.count(); ++cpu) {
      site.set(per_cpu_.word(cpu, 0), static_cast<Value>(threshold_));
    }
  }

  Task<> add(Thread& self, std::int64_t amount) override {
    self.preempt_disable();
    co_await add_here(self, amount);
    self.preempt_enable();
    co_await self.checkpoint();
  }

  Task<std::int64_t> read(Thread& self) override {
    const Value seen = co_await self.load(global_);
    co_return std::max<std::int64_t>(0, signed_value(global_, seen));
  }

  Task<std::int64_t> sum(Thread& self) override {
    const Value zone = co_await self.load(zone_);
    std::int64_t all = signed_value(zone_, zone);
    for (std::uint32_t cpu = 0; cpu < per_cpu_.count(); ++cpu) {
      const Value seen = co_await self.load(diff_of(cpu));
      all += signed_value(diff_of(cpu), seen);
    }
    co_return std::max<std::int64_t>(0, all);
  }

  std::int64_t total() const override {
    std::int64_t all = signed_value(zone_, site_.peek(zone_));
    for (std::uint32_t cpu = 0; cpu < per_cpu_.count(); ++cpu) {
      all += signed_value(diff_of(cpu), site_.peek(diff_of(cpu)));
    }
    return all;
  }

 private:
  Task<> add_here(Thread& self, std::int64_t amount) {
    const Word diff = diff_of(self.cpu().value);
    const Value threshold = co_await self.load(per_cpu_.word(self.cpu().value, 0));
    const Value seen = co_await self.load(diff);
    const std::int64_t local = signed_value(diff, seen) + amount;
    if (std::abs(local) <= static_cast<std::int64_t>(threshold)) {
      co_await self.store(diff, static_cast<Value>(local));
      co_return;
    }
    const std::int64_t ahead = step_ahead(amount);
    co_await self.store(diff, static_cast<Value>(-ahead));
    co_await self.add(zone_, static_cast<Value>(local + ahead));
    co_await self.add(global_, static_cast<Value>(local + ahead));
  }

  /// What is moved on top of the difference: increments and decrements by one expect more of them.
  std::int64_t step_ahead(std::int64_t amount) const {
    if (amount == 1) return threshold_ / 2;
    if (amount == -1) return -(threshold_ / 2);
    return 0;
  }

  Word diff_of(std::uint32_t cpu) const { return per_cpu_.word(cpu, 1); }

  Site& site_;
  std::int64_t threshold_;
  Word zone_;
  Word global_;
  Records per_cpu_;
};

}  // namespace

std::unique_ptr<Model> vmstat(Site& site, ParamReader& params) {
  return make<VmStat>(site, params);
}

}  // namespace hotline::models
