#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/input/document.hpp"
#include "sim/machine/reader.hpp"
#include "sim/machine/topology.hpp"

/// Reads arbitrary bytes as a machine. Whatever they are: a machine that can be built, or at least
/// one message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hotline;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  input::Diagnostics diagnostics;
  const input::Node node = input::load_text(text, "fuzz", diagnostics);
  if (diagnostics.has_errors()) return 0;
  const machine::MachineFile file = machine::read_machine(node, {}, {}, diagnostics);
  if (diagnostics.has_errors()) return 0;
  const machine::Topology topology(file.description);
  if (topology.distance_classes().empty()) __builtin_trap();
  return 0;
}
