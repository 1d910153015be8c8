#include "tests/model/rcu_rig.hpp"

#include <algorithm>
#include <utility>

#include "tests/catch.hpp"

namespace hotline::tests {

namespace {

std::vector<machine::CpuId> round_the_machine(const machine::Topology& topology,
                                              std::uint32_t threads) {
  std::vector<machine::CpuId> cpus;
  for (std::uint32_t k = 0; k < threads; ++k) cpus.push_back({k % topology.cpus()});
  return cpus;
}

std::shared_ptr<model::Commons> commons_with(os::Scheduler& scheduler) {
  auto commons = std::make_shared<model::Commons>();
  commons->scheduler = &scheduler;
  return commons;
}

}  // namespace

os::Parameters ticking(std::uint32_t hz, os::Preemption preemption) {
  os::Parameters parameters = os::linux_defaults();
  parameters.hz = hz;
  parameters.preemption = preemption;
  return parameters;
}

RcuRig::RcuRig(Setup setup)
    : topology_(setup.machine),
      simulator_(setup.seed, setup.ties),
      machine_(simulator_, topology_),
      scheduler_(machine_, setup.os),
      site_(machine_, {std::string(setup.model),
                       {0},
                       std::nullopt,
                       round_the_machine(topology_, setup.threads),
                       commons_with(scheduler_)}),
      pinned_(setup.pinned) {
  model::ParamReader params(std::move(setup.params));
  model_ = entry(setup.model).make(site_, params);
  for (const model::ParamProblem& problem : params.problems()) {
    FAIL(problem.name << ": " << problem.message);
  }
  rcu().observe(this);
  for (std::uint32_t number = 0; number < setup.threads; ++number) {
    threads_.push_back(
        std::make_unique<os::Thread>(simulator_, machine_.port({number % topology_.cpus()}),
                                     os::ThreadId{number}, "thread " + std::to_string(number)));
  }
}

engine::Task<> RcuRig::program(os::Thread& thread, engine::Task<> body) {
  co_await thread.started();
  co_await body;
  scheduler_.end(thread);
  --running_;
}

void RcuRig::start(std::uint32_t number, engine::Task<> body) {
  os::Thread& thread = *threads_.at(number);
  std::vector<os::CpuId> allowed;
  if (pinned_) allowed.push_back(thread.cpu());
  scheduler_.adopt(thread, {}, std::move(allowed));
  ++running_;
  simulator_.spawn(program(thread, std::move(body)));
}

void RcuRig::run(engine::Duration limit) {
  const engine::SimTime end = simulator_.now() + limit;
  while (running_ > 0 && simulator_.now() < end && !simulator_.idle()) {
    simulator_.run_until(simulator_.now() + us(100));
  }
  REQUIRE(running_ == 0);
  machine_.check_single_writer();
}

std::uint64_t RcuRig::count(model::Milestone what, bool expedited) const {
  return static_cast<std::uint64_t>(
      std::count_if(events_.begin(), events_.end(), [&](const model::RcuEvent& event) {
        return event.what == what && event.expedited == expedited;
      }));
}

engine::SimTime RcuRig::first(model::Milestone what) const {
  const auto found = std::find_if(events_.begin(), events_.end(),
                                  [&](const model::RcuEvent& event) { return event.what == what; });
  REQUIRE(found != events_.end());
  return found->at;
}

}  // namespace hotline::tests
