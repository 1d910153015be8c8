#include "sim/workload/rendezvous.hpp"

namespace hotline::workload {

engine::Task<> Rendezvous::wait(os::Thread& self, std::uint32_t event, std::uint64_t count) {
  State& state = events_[event];
  if (state.waiters.empty() && state.signals >= count) {
    state.signals -= count;
    co_return;
  }
  bool served = false;
  state.waiters.push_back({&self, count, &served});
  while (!served) {
    co_await self.block();
  }
}

engine::Task<> Rendezvous::signal(os::Thread& self, std::uint32_t event, std::uint64_t times) {
  State& state = events_[event];
  state.signals += times;
  while (!state.waiters.empty() && state.signals >= state.waiters.front().count) {
    const Waiter first = state.waiters.front();
    state.waiters.pop_front();
    state.signals -= first.count;
    *first.served = true;
    co_await self.wake(*first.thread);
  }
}

}  // namespace hotline::workload
