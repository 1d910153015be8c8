#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/tie_order.hpp"
#include "sim/machine/description.hpp"
#include "sim/measure/interval.hpp"
#include "sim/measure/measurement.hpp"
#include "sim/measure/sharing.hpp"
#include "sim/measure/timeline.hpp"

namespace hotline::experiment {

/// What a simulation is run with besides its scenario.
struct Settings {
  std::uint64_t seed = 1;          ///< replication r runs with replication_seed(seed, r)
  std::uint32_t replications = 5;  ///< with a precision: to begin with
  /// Half the width that the 95 % interval of a rate may have, relative to it.
  std::optional<double> precision = std::nullopt;
  std::uint32_t max_replications = 100;  ///< however precise
  engine::TieOrder tie_order;
  bool batching = true;
  unsigned host_threads = 0;  ///< 0: all of the host's; changes no result
  bool sharing = false;       ///< Outcome::sharing is wanted, which takes time
  /// What of the first replication is wanted in Outcome::timeline.
  std::optional<measure::TimelineWindow> window = {};
};

/// The seed of one replication: the run's own for the first, so that one replication can be run
/// again by itself, and numbers mixed from it for the others.
[[nodiscard]] std::uint64_t replication_seed(std::uint64_t seed, std::uint32_t replication);

/// What all replications of one scenario have given.
struct Outcome {
  std::string workload;
  std::string variant;
  std::string label;    ///< of the point; may be empty
  std::string machine;  ///< name
  std::string machine_title;
  std::uint32_t machine_cpus = 0;
  machine::Description machine_description;
  std::uint32_t threads = 0;
  std::uint64_t seed = 0;
  engine::Duration warm_up;
  std::vector<double> rates;  ///< units of the first kind of work a second, by replication
  /// What the case asked for, by figure and replication; empty if the simulation does not have it.
  std::vector<std::vector<double>> figures;
  measure::Measurement total;                ///< all replications added up
  std::vector<measure::SharedLine> sharing;  ///< if it was asked for
  measure::Timeline timeline;                ///< likewise
  std::vector<std::string> stuck;  ///< who cannot go on, of the first replication that got stuck
  std::vector<std::uint64_t> stuck_seeds;

  [[nodiscard]] measure::Interval rate() const { return measure::mean_interval(rates); }
  /// How work per second changed from the first to the second half of the measured time.
  [[nodiscard]] double drift() const { return measure::drift(total.halves); }
  /// False if it changed by more than a tenth: the figures are then those of a transient.
  [[nodiscard]] bool is_steady() const { return drift() >= -0.1 && drift() <= 0.1; }
  [[nodiscard]] double jain() const;
  [[nodiscard]] double min_over_max() const;
  /// "msg": the first kind of work; empty if the workload counts nothing.
  [[nodiscard]] std::string work() const;
};

}  // namespace hotline::experiment
