#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/experiment/outcome.hpp"
#include "sim/experiment/parameter.hpp"
#include "sim/experiment/runner.hpp"
#include "sim/measure/interval.hpp"

/// What a result owes to figures that are only known within a range.
namespace hotline::experiment {

/// What is watched: work of a variant a second, or as a ratio to that of another variant.
struct Effect {
  std::string variant;
  std::optional<std::string> baseline;
  std::optional<std::uint32_t> threads;  ///< instead of the workload's

  [[nodiscard]] std::string text() const;
};

/// The effect where parameters have other values than the files say. All points share their random
/// numbers, so that differences between them are the parameters'.
class Study {
 public:
  Study(const workload::Workload& workload, std::vector<Parameter> parameters, Effect effect,
        Settings settings, Progress progress = {})
      : workload_(workload),
        parameters_(std::move(parameters)),
        effect_(std::move(effect)),
        settings_(settings),
        progress_(std::move(progress)) {}

  /// The effect at each point: one value a parameter. Throws input::InputError.
  [[nodiscard]] std::vector<double> at(const std::vector<std::vector<double>>& points) const;

  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  [[nodiscard]] const Effect& effect() const { return effect_; }

 private:
  const workload::Workload& workload_;
  std::vector<Parameter> parameters_;
  Effect effect_;
  Settings settings_;
  Progress progress_;
};

/// A parameter moved by itself to both ends of its range.
struct Swing {
  std::size_t parameter = 0;  ///< in Study::parameters()
  double at_least = 0;        ///< the effect at the least value
  double at_most = 0;
  double width = 0;  ///< from the least to the greatest effect, that of the files' value included
};

struct Tornado {
  double nominal = 0;         ///< the effect with the values of the files
  std::vector<Swing> swings;  ///< the widest first
};
[[nodiscard]] Tornado one_at_a_time(const Study& study);

/// The share of the effect's variance that one parameter explains alone, and with all its
/// interactions.
struct Indices {
  double first = 0;
  double total = 0;
};
struct VarianceShares {
  std::size_t evaluations = 0;
  measure::Interval effect;      ///< over the sampled points, see spread_of
  std::vector<Indices> indices;  ///< by parameter; empty if the effect does not vary
};
/// Saltelli's sampling: two sets of `samples` Sobol points, and for each parameter one that has its
/// values from the second and all others from the first, so samples * (parameters + 2) points.
/// Estimators: Saltelli et al., Computer Physics Communications 181, 2010 (first order), Jansen,
/// Computer Physics Communications 117, 1999 (total).
[[nodiscard]] VarianceShares variance_shares(const Study& study, std::size_t samples);

/// The effect over `samples` points of all ranges together, each range uniformly.
[[nodiscard]] std::vector<double> propagate(const Study& study, std::size_t samples);

/// The median and the middle 95 % of sampled effects.
[[nodiscard]] measure::Interval spread_of(const std::vector<double>& effects);

}  // namespace hotline::experiment
