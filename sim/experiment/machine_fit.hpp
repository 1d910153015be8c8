#pragma once

#include <string>
#include <vector>

#include "sim/experiment/fit.hpp"
#include "sim/experiment/latency_data.hpp"
#include "sim/machine/reader.hpp"

namespace hotline::experiment {

/// Finds the values of a machine's figures with which its simulated ping-pongs and contended
/// operations come nearest to those measured. A sum of legs would not do: in a ping-pong the
/// request of the waiting side overlaps the other's tenure. `document` is the machine's
/// (machine::filled_document). Figures that the data leave open stay near what the file says.
/// Throws input::InputError.
[[nodiscard]] Fit fit_machine(const input::Node& document, const machine::Folders& folders,
                              const std::vector<Parameter>& parameters, const LatencyData& data,
                              const FitOptions& options);

/// A machine file that builds on another and replaces figures.
struct FittedMachine {
  std::string extends;               ///< the machine's name or path
  input::Node document;              ///< what it says with everything that it builds on
  std::vector<std::string> with;     ///< NAME=VALUE of its parameters
  std::vector<std::string> changes;  ///< PATH=VALUE that were made before the fit
  std::string comment;               ///< at its head
  std::string source;                ///< of each fitted figure
};

/// Its text: each fitted figure inferred, with its interval as range, or the range searched where
/// the data do not determine it.
[[nodiscard]] std::string machine_text(const FittedMachine& machine, const Fit& fit);

}  // namespace hotline::experiment
