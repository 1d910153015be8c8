#include "sim/cli/compare_all.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

#include "sim/cli/command.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/experiment/comparison.hpp"
#include "sim/experiment/runner.hpp"
#include "sim/report/published_report.hpp"

namespace hotline::cli {

namespace {

std::vector<std::string> files_of(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  std::filesystem::recursive_directory_iterator entries(folder, error);
  if (error) throw UserError("--all: cannot read folder " + folder + ": " + error.message());
  for (const auto& entry : entries) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Runs one workload at the points and with the variants that its figures need.
experiment::Comparison compare_needed(const workload::Workload& workload,
                                      const ScenarioOptions& options) {
  const workload::Overrides overrides = options.overrides();
  const auto figures = experiment::figures_of(workload.published());
  const auto needed = experiment::needed_for(workload.published(), workload.points());
  std::vector<experiment::Case> cases;
  for (const experiment::Needed& one : needed) {
    for (const std::string& variant : one.variants) {
      cases.push_back(
          {workload.scenario(variant, *one.point, overrides), one.point->label, figures});
    }
  }
  experiment::Comparison comparison{workload.name(), workload.description(), {}, {}, {}};
  if (cases.empty()) return comparison;
  ProgressLine progress("compare " + workload.name());
  std::vector<experiment::Outcome> outcomes =
      experiment::run_cases(cases, options.settings(cases.front().scenario.measure),
                            [&](std::size_t done, std::size_t all) { progress.update(done, all); });
  auto next = outcomes.begin();
  for (const experiment::Needed& one : needed) {
    const auto end = next + static_cast<std::ptrdiff_t>(one.variants.size());
    comparison.points.push_back(
        experiment::compare_point({std::make_move_iterator(next), std::make_move_iterator(end)}));
    next = end;
  }
  comparison.checks = experiment::check_published(workload.published(), comparison.points);
  return comparison;
}

}  // namespace

int compare_all(const std::string& folder, const ScenarioOptions& options,
                std::optional<double> within) {
  options.check_outputs();
  std::vector<workload::Workload> workloads;
  for (const std::string& file : files_of(folder)) {
    workload::Workload workload = options.load(file);
    if (!workload.published().empty()) workloads.push_back(std::move(workload));
  }
  if (workloads.empty()) {
    throw UserError("--all: no workload in " + folder + " has published figures");
  }
  std::vector<experiment::Comparison> comparisons;
  comparisons.reserve(workloads.size());
  for (const workload::Workload& workload : workloads) {
    comparisons.push_back(compare_needed(workload, options));
  }
  options.write(report::survey_document(comparisons));
  if (options.wants_text()) {
    std::cout << report::survey_text(comparisons, within, terminal_style());
  }
  const bool is_stuck = std::any_of(comparisons.begin(), comparisons.end(),
                                    [](const auto& one) { return one.is_stuck(); });
  const bool is_off = within && report::beyond(comparisons, *within) > 0;
  return is_stuck || is_off ? kFoundProblem : kDone;
}

}  // namespace hotline::cli
