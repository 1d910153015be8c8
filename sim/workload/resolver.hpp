#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/workload/workload.hpp"

namespace hotline::workload {

/// What a workload comes to with a variant and overrides, as far as results depend on it.
struct Resolved {
  std::string text;  ///< equal texts on equal machines give equal results with equal seeds
  /// Everything the machine's files say, kept by the resolver; null if no machine is named.
  const std::string* machine = nullptr;
  std::uint64_t seed = MeasureSpec{}.seed;
  std::uint32_t replications = MeasureSpec{}.replications;
};

/// Puts together everything that a simulation is made from, without reading what it means: the
/// workload's document with all changes applied, the files of its machine, and its recorded traces.
/// Each file of a machine is read once. For one host thread.
class Resolver {
 public:
  explicit Resolver(const Workload& workload) : workload_(workload) {}

  /// Throws what Workload::scenario throws for unknown names of variants, paths and machines.
  Resolved resolve(std::string_view variant, const Overrides& overrides);

 private:
  const std::string& machine_text(const input::Node& node);

  const Workload& workload_;
  std::map<std::string, std::string> machines_;  // by the text of the node that names it
};

}  // namespace hotline::workload
