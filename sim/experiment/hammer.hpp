#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/topology.hpp"

namespace hotline::experiment {

/// What threads do to one shared word as fast as they can.
enum class Hammer : std::uint8_t {
  kAdd,              ///< a locked add whose result nobody needs
  kFetchAdd,         ///< one whose result is needed
  kExchange,         ///< an exchange
  kCompareExchange,  ///< a load, and compare-exchanges until one succeeds
};

/// "add", "fetch_add", "exchange", "compare_exchange".
[[nodiscard]] std::optional<Hammer> parse_hammer(std::string_view name);
[[nodiscard]] std::vector<std::string> hammer_names();

/// Simulated ns an operation, system-wide, with one thread each on CPUs 0 to threads - 1 and the
/// word at home on CPU 0's node.
[[nodiscard]] double contended_ns(const machine::Topology& topology, Hammer hammer,
                                  std::uint32_t threads);

}  // namespace hotline::experiment
