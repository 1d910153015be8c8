#include "sim/experiment/grace_period.hpp"

#include <memory>
#include <utility>

#include "models/rcu/rcu.hpp"
#include "sim/engine/simulator.hpp"
#include "sim/machine/machine.hpp"

namespace hotline::experiment {

namespace {

using engine::Duration;
using engine::SimTime;
using engine::Task;

constexpr Duration ms(std::uint64_t count) { return Duration::from_ps(count * 1'000'000'000); }
constexpr std::uint64_t kTicksBefore = 20;
constexpr Duration kStep = ms(1);
constexpr Duration kLongest = ms(10'000);

class Observed final : private model::RcuObserver {
 public:
  Observed(const machine::Topology& topology, const GracePeriodSetup& setup)
      : setup_(setup),
        simulator_(setup.seed),
        machine_(simulator_, topology),
        scheduler_(machine_, setup.os),
        site_(machine_, place()) {
    model::ParamReader defaults;
    model_ = models::rcu(site_, defaults);
    model_->rcu()->observe(this);
    // Somewhere between two ticks.
    const Duration tick = scheduler_.tick_period();
    starts_ = tick * kTicksBefore + simulator_.stream("request").uniform({}, tick);
    for (std::uint32_t cpu = 0; cpu < setup.callers; ++cpu) start(cpu, true);
    for (std::uint32_t k = 0; k < setup.busy; ++k) start(setup.callers + k, false);
  }

  GracePeriodTimeline run() {
    while (returned_ < setup_.callers && simulator_.now() < SimTime() + kLongest) {
      simulator_.run_until(simulator_.now() + kStep);
    }
    const bool over = returned_ == setup_.callers;
    const SimTime requested = events_.empty() ? simulator_.now() : events_.front().at;
    return {std::move(events_), requested, over ? last_ : simulator_.now(), over};
  }

 private:
  model::Site::Place place() {
    auto commons = std::make_shared<model::Commons>();
    commons->scheduler = &scheduler_;
    std::vector<machine::CpuId> cpus;
    for (std::uint32_t k = 0; k < setup_.callers + setup_.busy; ++k) cpus.push_back({k});
    return {"rcu", {0}, std::nullopt, std::move(cpus), std::move(commons)};
  }

  void start(std::uint32_t cpu, bool calls) {
    threads_.push_back(
        std::make_unique<os::Thread>(simulator_, machine_.port({cpu}), os::ThreadId{cpu},
                                     (calls ? "caller " : "busy ") + std::to_string(cpu)));
    os::Thread& thread = *threads_.back();
    thread.set_in_kernel(calls || setup_.in_kernel);
    scheduler_.adopt(thread, {}, {{cpu}});
    simulator_.spawn(calls ? call(thread) : compute(thread));
  }

  Task<> call(os::Thread& self) {
    co_await self.started();
    co_await self.sleep(starts_);
    if (setup_.expedited) {
      co_await model_->rcu()->synchronize_expedited(self);
    } else {
      co_await model_->rcu()->synchronize(self);
    }
    ++returned_;
    last_ = self.now();
    scheduler_.end(self);
  }

  static Task<> compute(os::Thread& self) {
    co_await self.started();
    co_await self.compute(kLongest + kLongest);
  }

  void happened(const model::RcuEvent& event) override { events_.push_back(event); }

  GracePeriodSetup setup_;
  engine::Simulator simulator_;
  machine::Machine machine_;
  os::Scheduler scheduler_;
  model::Site site_;
  std::unique_ptr<model::Model> model_;
  std::vector<std::unique_ptr<os::Thread>> threads_;
  Duration starts_;
  std::uint32_t returned_ = 0;
  SimTime last_;
  std::vector<model::RcuEvent> events_;
};

}  // namespace

GracePeriodTimeline trace_grace_period(const machine::Topology& topology,
                                       const GracePeriodSetup& setup) {
  return Observed(topology, setup).run();
}

}  // namespace hotline::experiment
