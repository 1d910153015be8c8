#include "models/parts/kernel_rcu.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "models/rcu/parts/reclaimer.hpp"

namespace hotline::models {

using model::RcuCallback;

/// Grace periods by the clock: readers do nothing, and an updater looks every now and then whether
/// everybody who was inside has been outside since.
class TimedRcu final : public model::Rcu {
 public:
  TimedRcu(Site& site, Duration grace_period)
      : site_(site), grace_period_(grace_period), sections_(site.threads(), 0) {}

  void enter(const Thread& self) { ++sections_[self.id().value]; }
  void leave(const Thread& self) { ++sections_[self.id().value]; }

  Task<ReadToken> read_lock(Thread& self) override {
    enter(self);
    const ReadToken token;
    co_return token;
  }
  Task<> read_unlock(Thread& self, ReadToken) override {
    leave(self);
    co_return;
  }

  Task<> synchronize(Thread& self) override {
    const std::vector<std::uint64_t> before = sections_;
    do {
      co_await self.sleep(grace_period_);
    } while (!are_over(before));
  }

  Task<> call(Thread& self, std::unique_ptr<RcuCallback> callback) override {
    if (!reclaimer_) reclaimer_.emplace(*this, *site_.scheduler(), "rcu callbacks");
    return reclaimer_->queue(self, std::move(callback));
  }
  std::uint64_t pending() const override { return reclaimer_ ? reclaimer_->pending() : 0; }

 private:
  bool are_over(const std::vector<std::uint64_t>& before) const {
    for (std::size_t k = 0; k < before.size(); ++k) {
      if (before[k] % 2 == 1 && sections_[k] == before[k]) return false;
    }
    return true;
  }

  Site& site_;
  Duration grace_period_;
  std::vector<std::uint64_t> sections_;  // by thread: odd inside
  std::optional<Reclaimer> reclaimer_;
};

KernelRcu::KernelRcu(Site& site, ParamReader& params)
    : site_(site),
      timed_(std::make_unique<TimedRcu>(
          site, params.duration("grace_period", Duration::from_ps(5'000'000'000),
                                "of a run without ticks, and so without RCU"))) {}

KernelRcu::~KernelRcu() = default;

model::Rcu& KernelRcu::domain() const {
  model::Rcu* const kernel = site_.kernel_rcu();
  return kernel == nullptr ? *timed_ : *kernel;
}

void KernelRcu::read_lock_sched(Thread& self) {
  self.preempt_disable();
  timed_->enter(self);
}

Task<> KernelRcu::read_unlock_sched(Thread& self) {
  timed_->leave(self);
  self.preempt_enable();
  co_await self.checkpoint();
}

}  // namespace hotline::models
