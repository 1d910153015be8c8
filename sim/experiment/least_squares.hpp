#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sim/experiment/parameter.hpp"
#include "sim/experiment/schedule.hpp"

namespace hotline::experiment {

/// Figures to be found within their ranges, and the measurements that they are to reproduce.
struct LeastSquares {
  std::vector<Parameter> parameters;
  std::vector<double> measured;
  std::vector<bool> is_held_out;  ///< by measurement: predicted, not fitted to
  /// What each measurement comes to with these values, one a parameter.
  std::function<std::vector<double>(const std::vector<double>& values)> simulate;
  /// The first search begins at the values that the file has, not in the middle of the ranges.
  bool starts_at_file = false;
  /// What it costs to move a figure across its whole range from where the file has it, as an error
  /// of one row: so figures that the data leave open stay where they are.
  double pull = 0;
};

/// How thoroughly to search.
struct Search {
  std::size_t starts = 3;        ///< the first point, and others spread over the ranges
  std::size_t evaluations = 60;  ///< at most, for each start and parameter
  Progress progress = {};        ///< told after each evaluation of how many at most
};

/// A parameter as the fit has found it.
struct FittedParameter {
  Parameter parameter;
  double value = 0;
  double low = 0;  ///< 95 % interval from the slopes of the residuals, within the range
  double high = 0;
  bool is_determined = true;  ///< false: the data say less than the range does
};

struct Solution {
  std::vector<FittedParameter> parameters;
  std::vector<double> simulated;  ///< with their values, by measurement
  std::size_t evaluations = 0;
  double spread_of_starts = 0;  ///< how much worse the worst start ended, in root mean square error
};

/// Finds the values whose simulation comes nearest to the measurements that are not held out: the
/// least sum of squared logarithms of simulated over measured, by bounded subspace searches
/// (NLopt's SBPLX, after Rowan, 1990), which need no derivatives. Deterministic.
[[nodiscard]] Solution solve(const LeastSquares& problem, const Search& search);

}  // namespace hotline::experiment
