#include "sim/experiment/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <nlopt.hpp>

#include "sim/measure/interval.hpp"

namespace hotline::experiment {

namespace {

using Vector = std::vector<double>;

/// What a search minimises. Its points are shares of each parameter's range, of its logarithm where
/// the range spans a factor and does not begin at nothing.
class Objective {
 public:
  Objective(const LeastSquares& problem, const Search& search)
      : problem_(problem), search_(search) {
    for (const Parameter& one : problem.parameters) home_.push_back(share_of(one));
  }

  [[nodiscard]] std::size_t dimensions() const { return home_.size(); }
  /// The values that the file has.
  [[nodiscard]] const Vector& home() const { return home_; }

  [[nodiscard]] Vector values_at(const Vector& shares) const {
    Vector values;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const Parameter& one = problem_.parameters[i];
      const double share = std::clamp(shares[i], 0.0, 1.0);
      values.push_back(one.least > 0 ? one.least * std::pow(one.most / one.least, share)
                                     : one.at(share));
    }
    return values;
  }

  [[nodiscard]] Vector simulate(const Vector& shares) {
    std::vector<double> simulated = problem_.simulate(values_at(shares));
    ++evaluations_;
    const std::size_t most = search_.starts * search_.evaluations * dimensions();
    if (search_.progress) search_.progress(std::min(evaluations_, most), most);
    return simulated;
  }

  /// Logarithms of simulated over measured of the rows fitted to.
  [[nodiscard]] Vector residuals(const Vector& shares) {
    constexpr double kNothing = 1e-12;  // no work done: as bad as can be
    const Vector simulated = simulate(shares);
    Vector residuals;
    for (std::size_t i = 0; i < simulated.size(); ++i) {
      if (problem_.is_held_out[i]) continue;
      residuals.push_back(std::log(std::max(simulated[i], kNothing) / problem_.measured[i]));
    }
    return residuals;
  }

  [[nodiscard]] double sum_of_squares(const Vector& shares) {
    const Vector all = residuals(shares);
    return std::inner_product(all.begin(), all.end(), all.begin(), 0.0);
  }

  [[nodiscard]] double cost(const Vector& shares) {
    double cost = sum_of_squares(shares);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double away = problem_.pull * (shares[i] - home_[i]);
      cost += away * away;
    }
    return cost;
  }

  [[nodiscard]] std::size_t evaluations() const { return evaluations_; }

 private:
  static double share_of(const Parameter& one) {
    const double value = std::clamp(one.value, one.least, one.most);
    if (one.least > 0) return std::log(value / one.least) / std::log(one.most / one.least);
    return (value - one.least) / (one.most - one.least);
  }

  const LeastSquares& problem_;
  const Search& search_;
  Vector home_;
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

/// The first point, then Halton's.
Vector start_at(std::size_t number, const Vector& first) {
  constexpr std::size_t kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
  Vector start = first;
  for (std::size_t i = 0; number > 0 && i < start.size(); ++i) {
    start[i] = van_der_corput(number + 1, kPrimes[i % std::size(kPrimes)]);
  }
  return start;
}

double call(const Vector& shares, Vector& /*gradient*/, void* objective) {
  return static_cast<Objective*>(objective)->cost(shares);
}

struct Found {
  Vector shares;
  double cost = 0;
};

Found search_from(Objective& objective, Vector start, std::size_t evaluations) {
  nlopt::opt search(nlopt::LN_SBPLX, static_cast<unsigned>(start.size()));
  search.set_lower_bounds(0.0);
  search.set_upper_bounds(1.0);
  search.set_min_objective(call, &objective);
  search.set_initial_step(0.2);
  search.set_xtol_abs(5e-4);
  search.set_maxeval(static_cast<int>(evaluations));
  Found found{std::move(start), 0};
  search.optimize(found.shares, found.cost);
  return found;
}

/// Inverts a symmetric positive definite matrix by elimination.
std::vector<Vector> inverse(std::vector<Vector> a) {
  const std::size_t size = a.size();
  std::vector<Vector> result(size, Vector(size, 0));
  for (std::size_t i = 0; i < size; ++i) result[i][i] = 1;
  for (std::size_t i = 0; i < size; ++i) {
    const double pivot = a[i][i];
    for (std::size_t column = 0; column < size; ++column) {
      a[i][column] /= pivot;
      result[i][column] /= pivot;
    }
    for (std::size_t row = 0; row < size; ++row) {
      if (row == i) continue;
      const double factor = a[row][i];
      for (std::size_t column = 0; column < size; ++column) {
        a[row][column] -= factor * a[i][column];
        result[row][column] -= factor * result[i][column];
      }
    }
  }
  return result;
}

/// How the residuals change from one end of each parameter's range to the other, at a point.
std::vector<Vector> slopes_at(Objective& objective, const Vector& shares) {
  constexpr double kStep = 0.02;  // wide enough for a simulation, which is not smooth
  std::vector<Vector> slopes;
  for (std::size_t i = 0; i < shares.size(); ++i) {
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
  return slopes;
}

/// Half widths of the shares' 95 % intervals, by the residuals' slopes at the solution (Gauss,
/// Newton); beyond the range where the data do not determine a parameter.
Vector half_widths(Objective& objective, const Vector& shares) {
  // Keeps directions that the data say nothing about apart from those that they settle.
  constexpr double kRidge = 1e-8;
  constexpr double kLeastError = 1e-3;  // what a simulation's steps hide
  const std::size_t count = shares.size();
  const std::vector<Vector> slopes = slopes_at(objective, shares);
  std::vector<Vector> normal(count, Vector(count));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < count; ++j) {
      normal[i][j] = std::inner_product(slopes[i].begin(), slopes[i].end(), slopes[j].begin(), 0.0);
    }
    normal[i][i] += kRidge;
  }
  const std::vector<Vector> covariance = inverse(std::move(normal));
  double determined = static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) determined -= kRidge * covariance[i][i];
  const std::size_t rows = slopes.front().size();
  const auto used = static_cast<std::size_t>(std::llround(std::max(determined, 0.0)));
  Vector widths(count, std::numeric_limits<double>::infinity());
  if (rows <= used) return widths;
  const double error = std::max(
      kLeastError, std::sqrt(objective.sum_of_squares(shares) / static_cast<double>(rows - used)));
  for (std::size_t i = 0; i < count; ++i) {
    widths[i] = measure::t_quantile(rows - used) * error * std::sqrt(covariance[i][i]);
  }
  return widths;
}

}  // namespace

Solution solve(const LeastSquares& problem, const Search& search) {
  Objective objective(problem, search);
  const std::size_t count = objective.dimensions();
  const Vector first = problem.starts_at_file ? objective.home() : Vector(count, 0.5);
  std::vector<Found> found;
  for (std::size_t i = 0; i < search.starts; ++i) {
    found.push_back(search_from(objective, start_at(i, first), search.evaluations * count));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.cost < b.cost; });
  const Vector& best = found.front().shares;
  const Vector widths = half_widths(objective, best);
  Vector low = best;
  Vector high = best;
  for (std::size_t i = 0; i < count; ++i) {
    low[i] -= widths[i];
    high[i] += widths[i];
  }
  const Vector values = objective.values_at(best);
  const Vector lows = objective.values_at(low);
  const Vector highs = objective.values_at(high);
  Solution solution;
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_determined = low[i] > 0 || high[i] < 1;
    solution.parameters.push_back(
        {problem.parameters[i], values[i], lows[i], highs[i], is_determined});
  }
  solution.simulated = objective.simulate(best);
  solution.evaluations = objective.evaluations();
  const auto rows = static_cast<double>(
      std::count(problem.is_held_out.begin(), problem.is_held_out.end(), false));
  solution.spread_of_starts =
      std::sqrt(found.back().cost / rows) - std::sqrt(found.front().cost / rows);
  return solution;
}

}  // namespace hotline::experiment
