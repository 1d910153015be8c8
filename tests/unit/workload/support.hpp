#pragma once

#include <string>
#include <string_view>

#include "sim/input/diagnostics.hpp"
#include "sim/workload/run.hpp"
#include "sim/workload/workload.hpp"

// Small workloads for tests: one socket of four cores, everything in whole nanoseconds.
namespace hotline::tests {

inline constexpr std::string_view kMachine = R"(machine:
  title: four cores for tests
  protocol: mesi
  topology: {sockets: 1, cores_per_cluster: 4}
  core:
    {clock: 1GHz, issue: 2ns, fill: 3ns, snoop: 2ns, load: 1ns, store: 1ns, fetch_add: 5ns,
     exchange: 5ns, compare_exchange: 6ns, fence: 5ns, pause: 10ns, spin_exit: 2ns}
  socket_agent: {look_up: 4ns, hop: 5ns, direct: 5ns, fabric: 2ns, cache: 0ns, read_interval: 1ns}
  home: {look_up: 5ns, memory: 40ns, read_interval: 1ns}
)";

/// The machine with the rest of a workload behind it.
inline std::string on_machine(std::string_view rest) {
  return std::string(kMachine) + std::string(rest);
}

inline workload::Workload parse(std::string_view text) {
  return workload::Workload::parse(text, "test.yaml");
}

/// What the reader says to a text; empty if it accepts it. Lines are counted from the text's own
/// first line, which comes after the machine.
inline std::string complaints(std::string_view rest) {
  try {
    parse(on_machine(rest));
    return {};
  } catch (const input::InputError& error) {
    return error.what();
  }
}

inline workload::Scenario scenario(std::string_view rest,
                                   const workload::Overrides& overrides = {}) {
  const workload::Workload read = parse(on_machine(rest));
  return read.scenario(read.variants().front().name, overrides);
}

}  // namespace hotline::tests
