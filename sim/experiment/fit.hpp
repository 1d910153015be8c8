#pragma once

#include <string>
#include <vector>

#include "sim/experiment/fit_data.hpp"
#include "sim/experiment/outcome.hpp"
#include "sim/experiment/parameter.hpp"

namespace hotline::experiment {

/// How a fit searches.
struct FitOptions {
  std::size_t starts = 3;        ///< the middle of all ranges, and others spread over them
  std::size_t evaluations = 60;  ///< at most, for each start and parameter
  Settings settings;
};

/// A parameter as the fit has found it.
struct FittedParameter {
  Parameter parameter;
  double value = 0;
  double low = 0;  ///< 95 % interval from the curvature of the residuals, within the range
  double high = 0;
  bool is_determined = true;  ///< false: the data say less than the range does
};

/// A measurement and what the fitted workload gives.
struct Residual {
  FitRow row;
  double simulated = 0;

  [[nodiscard]] double error() const { return simulated / row.measured - 1; }
};

struct Fit {
  std::vector<FittedParameter> parameters;
  std::vector<Residual> residuals;
  double fitted_error = 0;    ///< median of the absolute errors of the rows fitted to
  double held_out_error = 0;  ///< of the others
  std::size_t held_out = 0;
  std::size_t evaluations = 0;
  double spread_of_starts = 0;  ///< how much worse the worst start ended, in root mean square error
};

/// Finds the values within the ranges whose simulation comes nearest to the rows that are not held
/// out: the least sum of squared logarithms of simulated over measured, by bounded subspace
/// searches (NLopt's SBPLX, after Rowan, 1990), which need no derivatives. Deterministic. Throws
/// input::InputError.
[[nodiscard]] Fit fit(const workload::Workload& workload, const std::vector<Parameter>& parameters,
                      const FitData& data, const FitOptions& options);

/// `text` (of the file the parameters' positions are in) with each fitted value in its place, below
/// a comment that says where the values come from.
[[nodiscard]] std::string fitted_text(const std::string& text, const Fit& fit,
                                      const std::string& comment);

}  // namespace hotline::experiment
