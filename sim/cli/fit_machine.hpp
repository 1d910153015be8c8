#pragma once

#include <string>
#include <vector>

#include "sim/cli/command.hpp"
#include "sim/experiment/fit.hpp"

namespace hotline::cli {

/// What `fit` is asked for.
struct FitOptions {
  std::string file;  ///< the workload's
  std::string data;
  std::string machine;  ///< instead of a workload
  std::string matrix;
  std::string rows;
  std::string curve;
  std::vector<std::string> with;
  std::vector<std::string> changes;
  std::string free;
  std::string hold_out;
  std::string output;
  std::string configs;
  std::size_t starts = 3;
  std::size_t evaluations = 60;
  std::uint32_t replications = 1;
  unsigned host_threads = 0;
  std::string json;
  std::string csv;

  /// How to search; tells `progress`.
  [[nodiscard]] experiment::FitOptions how(experiment::Progress progress) const;
};

/// Fits the legs of options.machine and writes what is asked for; returns an exit code.
int fit_machine(const FitOptions& options);

/// Writes --json and --csv, and the text unless standard output is taken.
void print_fit(const FitOptions& options, const experiment::Fit& found);

}  // namespace hotline::cli
