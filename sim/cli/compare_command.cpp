#include <algorithm>
#include <iostream>
#include <memory>

#include "sim/cli/command.hpp"
#include "sim/cli/compare_all.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/experiment/comparison.hpp"
#include "sim/experiment/runner.hpp"
#include "sim/report/breakdown.hpp"
#include "sim/report/compare_report.hpp"
#include "sim/report/profile.hpp"

namespace hotline::cli {

namespace {

struct CompareOptions : ScenarioOptions {
  std::vector<std::string> variants;
  std::vector<std::uint32_t> threads;
  std::string all;
  std::optional<double> within;
  bool diff = false;
  bool breakdown = false;
};

/// The workload's points, or those asked for; a number of threads that the workload has a point for
/// means that point, with its machine.
std::vector<workload::Point> points_of(const CompareOptions& options,
                                       const workload::Workload& workload) {
  if (options.threads.empty()) return workload.points();
  std::vector<workload::Point> points;
  for (const std::uint32_t threads : options.threads) {
    const auto known =
        std::find_if(workload.points().begin(), workload.points().end(),
                     [&](const workload::Point& point) { return point.threads == threads; });
    points.push_back(known != workload.points().end() ? *known : workload::Point{threads, "", {}});
  }
  return points;
}

std::vector<std::string> variants_of(const CompareOptions& options,
                                     const workload::Workload& workload) {
  if (!options.variants.empty()) return options.variants;
  std::vector<std::string> names;
  names.reserve(workload.variants().size());
  for (const workload::Variant& variant : workload.variants()) names.push_back(variant.name);
  return names;
}

/// Pairs up outcomes that come point by point, variant by variant.
experiment::Comparison arrange(const workload::Workload& workload,
                               const std::vector<std::string>& variants,
                               std::vector<experiment::Outcome> outcomes) {
  experiment::Comparison comparison{workload.name(), workload.description(), variants, {}, {}};
  for (auto at = outcomes.begin(); at != outcomes.end();) {
    const auto end = at + static_cast<std::ptrdiff_t>(variants.size());
    comparison.points.push_back(
        experiment::compare_point({std::make_move_iterator(at), std::make_move_iterator(end)}));
    at = end;
  }
  comparison.checks = experiment::check_published(workload.published(), comparison.points);
  return comparison;
}

int compare(const CompareOptions& options) {
  if (!options.all.empty()) return compare_all(options.all, options, options.within);
  if (options.file.empty()) throw UserError("compare needs a workload file, or --all FOLDER");
  options.check_outputs();
  if ((options.diff || options.breakdown) && !options.takes_stdout().empty()) {
    throw UserError(options.takes_stdout() + " - and a table cannot both go to standard output");
  }
  const workload::Workload workload = options.load();
  const workload::Overrides overrides = options.overrides();
  const std::vector<std::string> variants = variants_of(options, workload);
  const std::vector<workload::Quantity> figures = experiment::figures_of(workload.published());
  std::vector<experiment::Case> cases;
  for (const workload::Point& point : points_of(options, workload)) {
    for (const std::string& variant : variants) {
      cases.push_back({workload.scenario(variant, point, overrides), point.label, figures});
    }
  }
  std::vector<experiment::Outcome> outcomes;
  {
    ProgressLine progress("compare " + workload.name(), options.quiet);
    outcomes = experiment::run_cases(
        cases, options.settings(cases.front().scenario.measure),
        [&](std::size_t done, std::size_t all) { progress.update(done, all); });
  }
  const experiment::Comparison comparison = arrange(workload, variants, std::move(outcomes));
  options.write(report::compare_document(comparison));
  if (options.diff) {
    std::cout << report::profile_diffs_text(comparison);
  } else if (options.breakdown) {
    for (const experiment::ComparedPoint& point : comparison.points) {
      std::cout << report::breakdown_text(point.outcomes, terminal_style());
    }
  } else if (options.wants_text()) {
    std::cout << report::compare_text(comparison, terminal_style());
  }
  return comparison.is_stuck() ? kFoundProblem : kDone;
}

}  // namespace

void add_compare(CLI::App& app, Work& work) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      app.add_subcommand("compare", "Compare variants of a workload, and with published figures");
  options->add_to(*command, true);
  command
      ->add_option("--variants", options->variants,
                   "which; the first is the baseline (default: all)")
      ->delimiter(',')
      ->type_name("A,B,...");
  command->add_option("--threads", options->threads, "at which points (default: the workload's)")
      ->delimiter(',')
      ->check(CLI::PositiveNumber)
      ->type_name("N,M,...");
  CLI::Option* all =
      command
          ->add_option("--all", options->all,
                       "all workloads of a folder: one table of published and simulated figures")
          ->type_name("FOLDER")
          ->excludes("workload")
          ->excludes("--variants")
          ->excludes("--threads");
  command
      ->add_option_function<double>(
          "--within", [options](const double& percent) { options->within = percent / 100; },
          "exit with 1 if a prediction lies farther off")
      ->check(CLI::NonNegativeNumber)
      ->type_name("PERCENT")
      ->needs(all);
  command->add_flag("--diff", options->diff, "profiles of the variants as `perf diff` prints them")
      ->excludes(all);
  command
      ->add_flag("--breakdown", options->breakdown,
                 "where the variants' time went, as stacked bars")
      ->excludes(all)
      ->excludes("--diff");
  command->footer(
      "Examples:\n"
      "  hotline compare --all workloads/kernel --within 20\n"
      "  hotline compare workloads/kernel/ipc-msg-percpu.yaml\n"
      "  hotline compare workloads/kernel/ipc-msg-percpu.yaml --variants before,after \\\n"
      "      --threads 1,2,4,8 --replications 3 --csv result.csv");
  command->callback([options, &work] { work = [options] { return compare(*options); }; });
}

}  // namespace hotline::cli
