#include "sim/machine/costs.hpp"

namespace hotline::machine {

Costs resolve(const CoreDescription& core, std::uint64_t megahertz) {
  const auto at_clock = [megahertz](const Latency& latency) { return resolve(latency, megahertz); };
  const auto hit_of = [&core](Op op) {
    switch (op) {
      case Op::kLoad:
      case Op::kSpin:
        return core.load;
      case Op::kStore:
      case Op::kPrefetchRead:
      case Op::kPrefetchWrite:
        return core.store;
      case Op::kAdd:
      case Op::kFetchAdd:
      case Op::kFetchAnd:
      case Op::kFetchOr:
        return core.fetch_add;
      case Op::kExchange:
        return core.exchange;
      case Op::kCompareExchange:
        return core.compare_exchange;
      case Op::kFence:
        break;
    }
    return core.fence;
  };
  std::array<Duration, kOps> hit;
  for (std::size_t i = 0; i < kOps; ++i) hit[i] = at_clock(hit_of(static_cast<Op>(i)));
  return {.issue = at_clock(core.issue),
          .fill = at_clock(core.fill),
          .snoop = at_clock(core.snoop),
          .hit = hit,
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
