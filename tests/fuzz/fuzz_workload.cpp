#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/workload/workload.hpp"

/// Reads arbitrary bytes as a workload. Whatever they are: scenarios of every variant, or at least
/// one message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hotline;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const workload::Workload read = workload::Workload::parse(text, "fuzz");
    for (const workload::Variant& variant : read.variants()) {
      if (read.scenario(variant.name).threads == 0) __builtin_trap();
    }
  } catch (const input::InputError& error) {
    if (!error.diagnostics().has_errors()) __builtin_trap();
  }
  return 0;
}
