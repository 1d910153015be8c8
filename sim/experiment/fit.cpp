#include "sim/experiment/fit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <nlopt.hpp>

#include "sim/experiment/runner.hpp"
#include "sim/measure/estimators.hpp"

namespace hotline::experiment {

namespace {

using Vector = std::vector<double>;

/// What a search minimises. Its points are shares of each parameter's range, of its logarithm where
/// the range spans a factor and does not begin at nothing.
class Objective {
 public:
  Objective(const workload::Workload& workload, const std::vector<Parameter>& parameters,
            const FitData& data, const Settings& settings)
      : workload_(workload), parameters_(parameters), data_(data), settings_(settings) {}

  [[nodiscard]] Vector values_at(const Vector& shares) const {
    Vector values;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const Parameter& one = parameters_[i];
      const double share = std::clamp(shares[i], 0.0, 1.0);
      values.push_back(one.least > 0 ? one.least * std::pow(one.most / one.least, share)
                                     : one.at(share));
    }
    return values;
  }

  /// What each row of the data comes to.
  [[nodiscard]] Vector simulate(const Vector& shares) {
    ++evaluations_;
    const workload::Overrides base = overrides_for(workload_, parameters_, values_at(shares));
    std::vector<Case> cases;
    for (const FitRow& row : data_.rows) {
      workload::Overrides overrides = base;
      overrides.threads = row.threads;
      overrides.changes.insert(overrides.changes.end(), row.changes.begin(), row.changes.end());
      cases.push_back({workload_.scenario(row.variant, overrides), "", {data_.quantity}});
    }
    Vector simulated;
    for (const Outcome& outcome : run_cases(cases, settings_)) {
      const Vector& figures = outcome.figures.front();
      simulated.push_back(figures.empty() ? kNothing : measure::mean_interval(figures).mean);
    }
    return simulated;
  }

  /// Logarithms of simulated over measured of the rows fitted to.
  [[nodiscard]] Vector residuals(const Vector& shares) {
    const Vector simulated = simulate(shares);
    Vector residuals;
    for (std::size_t i = 0; i < simulated.size(); ++i) {
      const FitRow& row = data_.rows[i];
      if (!row.is_held_out) {
        residuals.push_back(std::log(std::max(simulated[i], kNothing) / row.measured));
      }
    }
    return residuals;
  }

  [[nodiscard]] double sum_of_squares(const Vector& shares) {
    const Vector all = residuals(shares);
    return std::inner_product(all.begin(), all.end(), all.begin(), 0.0);
  }

  [[nodiscard]] std::size_t evaluations() const { return evaluations_; }

 private:
  static constexpr double kNothing = 1e-12;  // no work done: as bad as can be

  const workload::Workload& workload_;
  const std::vector<Parameter>& parameters_;
  const FitData& data_;
  const Settings& settings_;
  std::size_t evaluations_ = 0;
};

/// Member `index` of the van der Corput sequence, by which starts are spread.
double van_der_corput(std::size_t index, std::size_t base) {
  double result = 0;
  double part = 1;
  for (; index > 0; index /= base) {
    part /= static_cast<double>(base);
    result += part * static_cast<double>(index % base);
  }
  return result;
}

/// The middle, then Halton's points.
Vector start_at(std::size_t number, std::size_t dimensions) {
  constexpr std::size_t kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 19};
  Vector start(dimensions, 0.5);
  for (std::size_t i = 0; number > 0 && i < dimensions; ++i) {
    start[i] = van_der_corput(number + 1, kPrimes[i % std::size(kPrimes)]);
  }
  return start;
}

double call(const Vector& shares, Vector& /*gradient*/, void* objective) {
  return static_cast<Objective*>(objective)->sum_of_squares(shares);
}

struct Found {
  Vector shares;
  double squares = 0;
};

Found search(Objective& objective, Vector start, std::size_t evaluations) {
  const auto dimensions = static_cast<unsigned>(start.size());
  nlopt::opt search(nlopt::LN_SBPLX, dimensions);
  search.set_lower_bounds(0.0);
  search.set_upper_bounds(1.0);
  search.set_min_objective(call, &objective);
  search.set_initial_step(0.2);
  search.set_xtol_abs(5e-4);
  search.set_maxeval(static_cast<int>(evaluations));
  Found found{std::move(start), 0};
  search.optimize(found.shares, found.squares);
  return found;
}

/// Solves the square system a x = b by elimination; false if it has no single solution.
bool solve(std::vector<Vector> a, Vector b, Vector& x) {
  const std::size_t size = b.size();
  for (std::size_t i = 0; i < size; ++i) {
    std::size_t pivot = i;
    for (std::size_t row = i + 1; row < size; ++row) {
      if (std::abs(a[row][i]) > std::abs(a[pivot][i])) pivot = row;
    }
    if (std::abs(a[pivot][i]) < 1e-12) return false;
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    for (std::size_t row = 0; row < size; ++row) {
      if (row == i) continue;
      const double factor = a[row][i] / a[i][i];
      for (std::size_t column = i; column < size; ++column) a[row][column] -= factor * a[i][column];
      b[row] -= factor * b[i];
    }
  }
  x.resize(size);
  for (std::size_t i = 0; i < size; ++i) x[i] = b[i] / a[i][i];
  return true;
}

/// Standard errors of the shares, by the residuals' derivatives at the solution (Gauss, Newton);
/// infinite where the data do not determine a parameter.
Vector standard_errors(Objective& objective, const Vector& shares) {
  constexpr double kStep = 0.02;  // wide enough for a simulation, which is not smooth
  const std::size_t count = shares.size();
  std::vector<Vector> slopes;
  for (std::size_t i = 0; i < count; ++i) {
    Vector below = shares;
    Vector above = shares;
    below[i] = std::max(0.0, shares[i] - kStep);
    above[i] = std::min(1.0, shares[i] + kStep);
    Vector slope = objective.residuals(above);
    const Vector low = objective.residuals(below);
    for (std::size_t j = 0; j < slope.size(); ++j) {
      slope[j] = (slope[j] - low[j]) / (above[i] - below[i]);
    }
    slopes.push_back(std::move(slope));
  }
  std::vector<Vector> normal(count, Vector(count));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      normal[i][j] = std::inner_product(slopes[i].begin(), slopes[i].end(), slopes[j].begin(), 0.0);
    }
  }
  const std::size_t rows = slopes.front().size();
  const double freedom = rows > count ? static_cast<double>(rows - count) : 0;
  Vector errors(count, std::numeric_limits<double>::infinity());
  if (freedom == 0) return errors;
  const double variance = objective.sum_of_squares(shares) / freedom;
  for (std::size_t i = 0; i < count; ++i) {
    Vector unit(count, 0);
    unit[i] = 1;
    Vector column;
    if (solve(normal, unit, column) && column[i] >= 0) {
      errors[i] = measure::t_quantile(rows - count) * std::sqrt(variance * column[i]);
    }
  }
  return errors;
}

double median_error(const std::vector<Residual>& residuals, bool held_out) {
  Vector errors;
  for (const Residual& one : residuals) {
    if (one.row.is_held_out == held_out) errors.push_back(std::abs(one.error()));
  }
  return errors.empty() ? 0 : measure::quantile(errors, 0.5);
}

}  // namespace

Fit fit(const workload::Workload& workload, const std::vector<Parameter>& parameters,
        const FitData& data, const FitOptions& options) {
  Objective objective(workload, parameters, data, options.settings);
  const std::size_t count = parameters.size();
  std::vector<Found> found;
  for (std::size_t i = 0; i < options.starts; ++i) {
    found.push_back(search(objective, start_at(i, count), options.evaluations * count));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.squares < b.squares; });
  const Vector& best = found.front().shares;
  const Vector errors = standard_errors(objective, best);
  Fit fit;
  const Vector values = objective.values_at(best);
  Vector low = best;
  Vector high = best;
  for (std::size_t i = 0; i < count; ++i) {
    low[i] -= errors[i];
    high[i] += errors[i];
  }
  const Vector lows = objective.values_at(low);
  const Vector highs = objective.values_at(high);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_determined = low[i] > 0 || high[i] < 1;
    fit.parameters.push_back({parameters[i], values[i], lows[i], highs[i], is_determined});
  }
  const Vector simulated = objective.simulate(best);
  for (std::size_t i = 0; i < simulated.size(); ++i) {
    fit.residuals.push_back({data.rows[i], simulated[i]});
    if (data.rows[i].is_held_out) ++fit.held_out;
  }
  fit.fitted_error = median_error(fit.residuals, false);
  fit.held_out_error = median_error(fit.residuals, true);
  fit.evaluations = objective.evaluations();
  const auto rows = static_cast<double>(simulated.size() - fit.held_out);
  fit.spread_of_starts =
      std::sqrt(found.back().squares / rows) - std::sqrt(found.front().squares / rows);
  return fit;
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
