#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/experiment/outcome.hpp"
#include "sim/experiment/runner.hpp"
#include "sim/experiment/validation_set.hpp"
#include "sim/measure/agreement.hpp"

namespace hotline::experiment {

/// One measurement and what the simulation says; times in ns, rates per second.
struct ValidationPoint {
  std::string series;
  double x = 0;
  std::uint32_t threads = 0;
  measure::Compared values;
  bool is_calibrated = false;  ///< went into a calibration, so it is no prediction
};

/// Where a curve of throughput collapses: between which two of its x.
struct Collapse {
  std::string series;
  std::optional<std::pair<double, double>> measured;
  std::optional<std::pair<double, double>> simulated;

  [[nodiscard]] bool agrees() const { return measured == simulated; }
};

enum class ValidationVerdict : std::uint8_t {
  kMet,
  kMissed,  ///< beyond the set's target: stays in the table with its suspected mechanism
  kGrown,   ///< beyond what was recorded: something made it worse
};

/// Errors are absolute and relative, over the predicted points; over all if there are none.
struct ErrorSummary {
  std::size_t points = 0;
  double median = 0;
  double ninetieth = 0;
  double worst = 0;
  measure::OrderAgreement order;
};

struct ValidationResult {
  const ValidationSet* set = nullptr;
  std::vector<ValidationPoint> points;  ///< in the order of the data
  std::vector<Collapse> collapses;      ///< of the curves where either side collapses
  ErrorSummary errors;

  [[nodiscard]] std::size_t predicted() const;
  [[nodiscard]] std::size_t collapses_in_place() const;
  [[nodiscard]] ValidationVerdict verdict() const;
};

/// Simulates every point of every set on all host cores. The sets must outlive the results. Throws
/// input::InputError if a workload or a machine does not fit its set.
[[nodiscard]] std::vector<ValidationResult> validate(const std::vector<ValidationSet>& sets,
                                                     const workload::Library& library,
                                                     const Settings& settings,
                                                     const Progress& progress = {});

/// The errors of all predicted points of all sets together.
[[nodiscard]] ErrorSummary summary_of(const std::vector<ValidationResult>& results);

}  // namespace hotline::experiment
