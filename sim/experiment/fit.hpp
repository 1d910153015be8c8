#pragma once

#include <string>
#include <vector>

#include "sim/experiment/fit_data.hpp"
#include "sim/experiment/least_squares.hpp"
#include "sim/experiment/outcome.hpp"

namespace hotline::experiment {

/// How a fit searches and simulates.
struct FitOptions {
  Search search;
  Settings settings;
};

/// A measurement and what the fitted figures give.
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

/// Solves `problem`, to which the rows give what is measured, and judges the solution.
[[nodiscard]] Fit fit_rows(LeastSquares problem, const std::vector<FitRow>& rows,
                           const Search& search);

/// Finds the values within the ranges with which the workload comes nearest to the rows that are
/// not held out. Throws input::InputError.
[[nodiscard]] Fit fit(const workload::Workload& workload, const std::vector<Parameter>& parameters,
                      const FitData& data, const FitOptions& options);

/// `text` (of the file the parameters' positions are in) with each fitted value in its place, below
/// a comment that says where the values come from.
[[nodiscard]] std::string fitted_text(const std::string& text, const Fit& fit,
                                      const std::string& comment);

}  // namespace hotline::experiment
