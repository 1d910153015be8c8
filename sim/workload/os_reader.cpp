#include "sim/workload/os_reader.hpp"

#include <cmath>

#include "sim/engine/time.hpp"
#include "sim/input/types.hpp"

namespace hotline::workload {

using engine::Duration;
using input::MapReader;
using input::Value;

namespace {

constexpr Duration kShortest = Duration::from_ps(1);
constexpr Duration kLongest = Duration::from_ps(std::uint64_t{10} * 1'000'000'000'000);  // 10 s

/// One cost: its key, what it is, where it goes.
struct Cost {
  std::string_view key;
  std::string_view description;
  Duration os::Parameters::*place;
};

constexpr Cost kCosts[] = {
    {"latency", "the period in which every runnable thread of a CPU runs once",
     &os::Parameters::latency},
    {"minimum_slice", "the shortest time slice", &os::Parameters::minimum_slice},
    {"wakeup_granularity", "by how much a woken thread must be behind to preempt",
     &os::Parameters::wakeup_granularity},
    {"context_switch", "from one thread to another", &os::Parameters::context_switch},
    {"migration", "in addition, on another CPU than before", &os::Parameters::migration},
    {"wake", "what waking a thread costs the waker", &os::Parameters::wake},
    {"ipi", "from sending an inter-processor interrupt to its handler", &os::Parameters::ipi},
    {"ipi_handler", "what it takes from the interrupted thread", &os::Parameters::ipi_handler},
    {"tick_handler", "what a tick takes from the interrupted thread",
     &os::Parameters::tick_handler},
    {"system_call", "into the kernel and back", &os::Parameters::system_call},
    {"sched_yield", "in addition, of the call that finds nobody to yield to",
     &os::Parameters::sched_yield},
    {"futex_wait", "in addition, until it looks at the word", &os::Parameters::futex_wait},
    {"futex_wake", "in addition, until it looks for waiters", &os::Parameters::futex_wake},
};

void read_idle_states(MapReader& map, os::Parameters& parameters) {
  map.value("idle_states", "from shallow to deep, by name", [&](const Value& states) {
    if (!states.is_dry()) parameters.idle_states.clear();
    states.entries(
        [&](std::string_view name, const Value& value) {
          os::IdleState state;
          state.name = name;
          value.map([&](MapReader& inside) {
            state.residency = inside.get("after", input::duration({}, kLongest), Duration(),
                                         "idle for so long before it is entered");
            state.exit_latency = inside.require("exit", input::duration({}, kLongest),
                                                "from the interrupt to the first instruction");
          });
          if (value.is_dry()) return;
          if (!parameters.idle_states.empty() &&
              state.residency < parameters.idle_states.back().residency) {
            value.error("a deeper state is not entered before \"" +
                        parameters.idle_states.back().name + "\"; list them from shallow to deep");
          }
          parameters.idle_states.push_back(std::move(state));
        },
        {0, 16});
  });
}

void read_steal(MapReader& map, os::Parameters& parameters) {
  map.map("steal", "a hypervisor that takes the CPUs away now and then", [&](MapReader& inside) {
    os::Steal steal;
    steal.period =
        inside.require("period", input::duration(kShortest, kLongest), "of one taking and giving");
    const auto share = inside.require("share", input::share_of(input::Share{}, input::Share{0.99}),
                                      "of each period in which the CPU is away");
    steal.permille = static_cast<std::uint32_t>(std::lround(share.of_one * 1000));
    if (steal.permille > 0) parameters.steal = steal;
  });
}

}  // namespace

os::Parameters read_os(MapReader& map) {
  os::Parameters parameters = os::linux_defaults();
  parameters.hz = map.get("hz", input::integer<std::uint32_t>(0, 10'000), parameters.hz,
                          "ticks a second; 0: no tick and no time slices");
  parameters.skew_tick = map.get("skew_tick", input::boolean(), parameters.skew_tick,
                                 "CPUs tick apart, over half a period; else all at once");
  parameters.preemption =
      map.get("preemption",
              input::choice<os::Preemption>({{"none", os::Preemption::kNone},
                                             {"voluntary", os::Preemption::kVoluntary},
                                             {"full", os::Preemption::kFull},
                                             {"rt", os::Preemption::kRealTime}}),
              parameters.preemption, "when kernel code gives up its CPU");
  for (const Cost& cost : kCosts) {
    Duration& place = parameters.*cost.place;
    place = map.get(cost.key, input::duration({}, kLongest), place, cost.description);
  }
  read_idle_states(map, parameters);
  read_steal(map, parameters);
  return parameters;
}

}  // namespace hotline::workload
