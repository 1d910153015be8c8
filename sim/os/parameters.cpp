#include "sim/os/parameters.hpp"

namespace hotline::os {

namespace {

constexpr Duration us(std::uint64_t count) { return Duration::from_ps(count * 1'000'000); }
constexpr Duration ns(std::uint64_t count) { return Duration::from_ps(count * 1'000); }

}  // namespace

Parameters linux_defaults() {
  Parameters p;
  p.hz = 250;
  p.preemption = Preemption::kVoluntary;
  // 6, 0.75 and 1 ms times 1 + log2(8), the factor for 8 CPUs and more.
  p.latency = us(24'000);
  p.minimum_slice = us(3'000);
  p.wakeup_granularity = us(4'000);
  p.context_switch = ns(1'200);
  p.migration = ns(500);
  p.wake = ns(1'000);
  p.ipi = ns(1'000);
  p.ipi_handler = ns(500);
  p.tick_handler = ns(1'500);
  p.system_call = ns(100);
  p.sched_yield = ns(400);
  p.futex_wait = ns(400);
  p.futex_wake = ns(100);
  // Skylake-SP (drivers/idle/intel_idle.c): C1, C1E, C6.
  p.idle_states = {{"C1", {}, us(2)}, {"C1E", us(20), us(10)}, {"C6", us(600), us(133)}};
  return p;
}

}  // namespace hotline::os
