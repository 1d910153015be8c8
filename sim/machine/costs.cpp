#include "sim/machine/costs.hpp"

namespace hotline::machine {

Costs resolve(const CoreDescription& core, std::uint64_t megahertz) {
  const auto at_clock = [megahertz](const Latency& latency) { return resolve(latency, megahertz); };
  return {.issue = at_clock(core.issue),
          .fill = at_clock(core.fill),
          .snoop = at_clock(core.snoop),
          .load = at_clock(core.load),
          .store = at_clock(core.store),
          .fetch_add = at_clock(core.fetch_add),
          .exchange = at_clock(core.exchange),
          .compare_exchange = at_clock(core.compare_exchange),
          .fence = at_clock(core.fence),
          .pause = at_clock(core.pause),
          .spin_exit = at_clock(core.spin_exit)};
}

std::uint64_t megahertz(const CoreDescription& core, std::uint32_t active_cores) {
  for (const ClockStep& step : core.clock) {
    if (active_cores <= step.up_to_active_cores) return step.megahertz;
  }
  return core.clock.empty() ? 1000 : core.clock.back().megahertz;
}

}  // namespace hotline::machine
