#pragma once

#include <string>
#include <vector>

#include "sim/experiment/comparison.hpp"
#include "sim/experiment/runner.hpp"

namespace hotline::experiment {

/// What it brings to give the fields that share a line a line each: not a guess, but the same
/// scenario simulated again with another layout and the same seeds.
struct Parting {
  std::string line;
  std::string object;
  std::vector<std::string> fields;  ///< the first stays where it is, the others move
  double before = 0;                ///< work a second
  double after = 0;
  Contrast contrast;
};

/// The scenario with all `fields` of `object` but the first on lines of their own behind the
/// others.
[[nodiscard]] workload::Scenario part_fields(const workload::Scenario& scenario,
                                             const std::string& object,
                                             const std::vector<std::string>& fields);

/// Simulates the parting of each line that fields share and that took at least a hundredth of all
/// time stalled on lines; at most three of them. `outcome` is that of `one` with Settings::sharing.
[[nodiscard]] std::vector<Parting> part_shared_lines(const Case& one, const Outcome& outcome,
                                                     const Settings& settings);

}  // namespace hotline::experiment
