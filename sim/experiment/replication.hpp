#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/experiment/outcome.hpp"
#include "sim/workload/scenario.hpp"

namespace hotline::experiment {

/// What one simulation leaves behind.
struct Replication {
  measure::Measurement measurement;
  std::vector<measure::SharedLine> sharing;  ///< if Settings::sharing
  measure::Timeline timeline;                ///< of the first replication, if Settings::window
  std::vector<std::string> stuck;  ///< who cannot go on; empty if the run ended as it should
  std::uint64_t seed = 0;          ///< its own

  /// Units of the first kind of work a second.
  [[nodiscard]] double rate() const;
};

/// Runs one replication, on the calling host thread, after warming up as warm_up_of() says. Throws
/// input::InputError if the scenario cannot be built or run.
[[nodiscard]] Replication simulate(const workload::Scenario& scenario, const Settings& settings,
                                   std::uint32_t replication, engine::Duration warm_up);

}  // namespace hotline::experiment
