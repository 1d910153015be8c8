#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/experiment/comparison.hpp"
#include "sim/experiment/runner.hpp"
#include "tests/catch.hpp"

namespace hotline::tests {

/// What a shipped workload says to its published figures: run once, asked by name and variant.
class Figures {
 public:
  Figures(const std::string& file, std::uint32_t threads, std::uint32_t replications,
          const std::vector<std::string_view>& changes = {}) {
    const auto read = workload::Workload::load("workloads/" + file);
    const auto figures = experiment::figures_of(read.published());
    workload::Overrides overrides;
    for (const std::string_view change : changes) {
      overrides.changes.push_back(workload::parse_change(change, "test"));
    }
    std::vector<experiment::Case> cases;
    for (const auto& needed : experiment::needed_for(read.published(), read.points())) {
      if (needed.point->threads != threads) continue;
      for (const std::string& variant : needed.variants) {
        cases.push_back({read.scenario(variant, *needed.point, overrides), "", figures});
      }
    }
    experiment::Settings settings;
    settings.replications = replications;
    const std::vector points{experiment::compare_point(run_cases(cases, settings))};
    checks_ = check_published(read.published(), points);
  }

  /// The figure whose name begins so.
  [[nodiscard]] const experiment::Check& of(std::string_view variant, std::string_view name) const {
    for (const experiment::Check& check : checks_) {
      if (check.published.variant == variant && check.published.name.starts_with(name) &&
          check.predicted) {
        return check;
      }
    }
    FAIL("no figure \"" << name << "\" of " << variant);
    throw 0;
  }
  [[nodiscard]] double simulated(std::string_view variant, std::string_view name) const {
    return of(variant, name).predicted->mean;
  }
  /// Simulated over published, less one.
  [[nodiscard]] double error(std::string_view variant, std::string_view name) const {
    return *of(variant, name).error();
  }
  /// Simulated less published: for shares, in points.
  [[nodiscard]] double difference(std::string_view variant, std::string_view name) const {
    return simulated(variant, name) - of(variant, name).published.value;
  }

 private:
  std::vector<experiment::Check> checks_;
};

}  // namespace hotline::tests
