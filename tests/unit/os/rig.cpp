#include "tests/unit/os/rig.hpp"

#include <algorithm>
#include <numeric>

#include "tests/catch.hpp"

namespace hotline::tests {

os::Parameters free_os() {
  os::Parameters parameters;
  parameters.hz = 1000;
  parameters.latency = us(6'000);
  parameters.minimum_slice = us(1'000);
  parameters.wakeup_granularity = us(1'000);
  return parameters;
}

SchedulerRig::SchedulerRig(std::uint32_t cores, os::Parameters parameters, std::uint64_t seed,
                           engine::TieOrder ties)
    : topology_(even_sockets(1, cores)),
      simulator_(seed, ties),
      machine_(simulator_, topology_),
      scheduler_(machine_, std::move(parameters)) {}

os::Thread& SchedulerRig::thread(Where where) {
  const os::ThreadId id{static_cast<std::uint32_t>(threads_.size())};
  threads_.push_back(std::make_unique<os::Thread>(simulator_, machine_.port({where.cpu}), id,
                                                  "thread " + std::to_string(id.value)));
  made_at_.push_back(simulator_.now());
  os::Thread& made = *threads_.back();
  made.set_in_kernel(where.in_kernel);
  std::vector<os::CpuId> allowed;
  if (where.pinned) allowed.push_back({where.cpu});
  scheduler_.adopt(made, where.priority, std::move(allowed));
  return made;
}

engine::Task<> SchedulerRig::program(os::Thread& thread, engine::Task<> body) {
  co_await thread.started();
  co_await body;
  scheduler_.end(thread);
  --running_;
}

void SchedulerRig::start(os::Thread& thread, engine::Task<> body) {
  ++running_;
  simulator_.spawn(program(thread, std::move(body)));
}

void SchedulerRig::run(engine::Duration limit) {
  const engine::SimTime end = simulator_.now() + limit;
  while (running_ > 0 && simulator_.now() < end && !simulator_.idle()) {
    simulator_.run_until(simulator_.now() + std::min(limit, us(100)));
  }
  REQUIRE(running_ == 0);
  machine_.check_single_writer();
  check_accounts();
}

void SchedulerRig::check_accounts() {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    threads_[i]->settle();
    const os::TimeAccounts& accounts = threads_[i]->accounts();
    const auto all = std::accumulate(accounts.begin(), accounts.end(), engine::Duration());
    CHECK(all.ps() == (simulator_.now() - made_at_[i]).ps());
  }
}

}  // namespace hotline::tests
