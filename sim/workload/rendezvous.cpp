#include "sim/workload/rendezvous.hpp"

namespace hotline::workload {

void Rendezvous::signal(std::uint32_t event, std::uint64_t times) {
  State& state = events_[event];
  state.signals += times;
  while (!state.waiters.empty() && state.signals >= state.waiters.front().count) {
    const Waiter first = state.waiters.front();
    state.waiters.pop_front();
    state.signals -= first.count;
    simulator_.resume_after({}, first.waiting);
  }
}

bool Rendezvous::take(std::uint32_t event, std::uint64_t count) {
  State& state = events_[event];
  if (!state.waiters.empty() || state.signals < count) return false;
  state.signals -= count;
  return true;
}

}  // namespace hotline::workload
