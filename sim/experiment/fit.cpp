#include "sim/experiment/fit.hpp"

#include <algorithm>

#include "sim/experiment/runner.hpp"
#include "sim/measure/estimators.hpp"

namespace hotline::experiment {

namespace {

constexpr double kNothing = 1e-12;  // no work done

/// What each row of the data comes to with these values.
std::vector<double> simulate(const workload::Workload& workload,
                             const std::vector<Parameter>& parameters, const FitData& data,
                             const std::vector<double>& values, const Settings& settings) {
  const workload::Overrides base = overrides_for(workload, parameters, values);
  std::vector<Case> cases;
  for (const FitRow& row : data.rows) {
    workload::Overrides overrides = base;
    overrides.threads = row.threads;
    overrides.changes.insert(overrides.changes.end(), row.changes.begin(), row.changes.end());
    cases.push_back({workload.scenario(row.series, overrides), "", {data.quantity}});
  }
  std::vector<double> simulated;
  for (const Outcome& outcome : run_cases(cases, settings)) {
    const std::vector<double>& figures = outcome.figures.front();
    simulated.push_back(figures.empty() ? kNothing : measure::mean_interval(figures).mean);
  }
  return simulated;
}

double median_error(const std::vector<Residual>& residuals, bool held_out) {
  std::vector<double> errors;
  for (const Residual& one : residuals) {
    if (one.row.is_held_out == held_out) errors.push_back(std::abs(one.error()));
  }
  return errors.empty() ? 0 : measure::quantile(errors, 0.5);
}

}  // namespace

Fit fit_rows(LeastSquares problem, const std::vector<FitRow>& rows, const Search& search) {
  for (const FitRow& row : rows) {
    problem.measured.push_back(row.measured);
    problem.is_held_out.push_back(row.is_held_out);
  }
  Solution solution = solve(problem, search);
  Fit fit;
  fit.parameters = std::move(solution.parameters);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    fit.residuals.push_back({rows[i], solution.simulated[i]});
    if (rows[i].is_held_out) ++fit.held_out;
  }
  fit.fitted_error = median_error(fit.residuals, false);
  fit.held_out_error = median_error(fit.residuals, true);
  fit.evaluations = solution.evaluations;
  fit.spread_of_starts = solution.spread_of_starts;
  return fit;
}

Fit fit(const workload::Workload& workload, const std::vector<Parameter>& parameters,
        const FitData& data, const FitOptions& options) {
  LeastSquares problem;
  problem.parameters = parameters;
  problem.simulate = [&](const std::vector<double>& values) {
    return simulate(workload, parameters, data, values, options.settings);
  };
  return fit_rows(std::move(problem), data.rows, options.search);
}

std::string fitted_text(const std::string& text, const Fit& fit, const std::string& comment) {
  std::vector<const FittedParameter*> backwards;
  for (const FittedParameter& one : fit.parameters) backwards.push_back(&one);
  std::sort(backwards.begin(), backwards.end(), [](const auto* a, const auto* b) {
    return a->parameter.position > b->parameter.position;
  });
  std::string result = text;
  for (const FittedParameter* one : backwards) {
    std::size_t at = 0;
    for (std::uint32_t line = 1; line < one->parameter.position.line; ++line) {
      at = result.find('\n', at) + 1;
    }
    at += one->parameter.position.column - 1;
    const std::size_t end = std::min(result.find_first_of(",}] \r\n#", at), result.size());
    result.replace(at, end - at, one->parameter.text(one->value));
  }
  return comment + result;
}

}  // namespace hotline::experiment
