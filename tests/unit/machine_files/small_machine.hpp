#pragma once

#include <string>
#include <string_view>

#include "sim/input/document.hpp"
#include "sim/machine/reader.hpp"

namespace hotline::machine::tests {

/// A complete machine of two sockets with two cores each; tests change single lines of it.
inline constexpr std::string_view kSmallMachine = R"(title: small
protocol: mesi
topology:
  sockets: 2
  cores_per_cluster: 2
  threads_per_core: 2
core:
  clock: 2GHz
  issue: 5ns
  fill: 10ns
  snoop: 4ns
  load: 4cyc
  store: 1cyc
  fetch_add: 18cyc
  exchange: 18cyc
  compare_exchange: 26cyc
  fence: 33cyc
  pause: 140cyc
  spin_exit: 20cyc
socket_agent:
  look_up: 6ns
  hop: {nearest: 3ns, farthest: 6ns}
  direct: 5ns
  fabric: 2ns
  cache: 0ns
  read_interval: 1ns
home:
  look_up: 12ns
  memory: 40ns
  read_interval: 1ns
interconnect:
  links:
    - {from: 0, to: 1, there: 20ns}
)";

/// The small machine with one piece of its text replaced, which must be there.
inline std::string small_machine(std::string_view piece, std::string_view replacement) {
  std::string text(kSmallMachine);
  return text.replace(text.find(piece), piece.size(), replacement);
}

struct ReadResult {
  MachineFile file;
  std::string problems;
  bool is_good = false;
};

/// Reads a machine from text as a workload would hold it, with the source tree's configs around.
inline ReadResult read_text(std::string_view text, const ParameterValues& given = {}) {
  input::Diagnostics diagnostics;
  const input::Node node = input::load_text(text, "m.yaml", diagnostics);
  ReadResult result;
  if (!diagnostics.has_errors()) {
    result.file = read_machine(node, given, machine_folders(), diagnostics);
  }
  result.problems = diagnostics.text();
  result.is_good = !diagnostics.has_errors();
  return result;
}

}  // namespace hotline::machine::tests
