#include <algorithm>
#include <iostream>
#include <memory>

#include "sim/cli/command.hpp"
#include "sim/cli/compare_all.hpp"
#include "sim/cli/crossover.hpp"
#include "sim/cli/inputs.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/sweep_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/experiment/comparison.hpp"
#include "sim/experiment/runner.hpp"
#include "sim/report/breakdown.hpp"
#include "sim/report/compare_report.hpp"
#include "sim/report/profile.hpp"
#include "sim/report/tie_order_report.hpp"

namespace hotline::cli {

namespace {

struct CompareOptions : ScenarioOptions {
  std::vector<std::string> variants;
  std::vector<std::uint32_t> threads;
  std::string all;
  std::optional<double> within;
  std::string crossover;
  std::string store = kUsualStore;

  /// The verdict is to be checked under other orders of simultaneous events.
  [[nodiscard]] bool reorders() const { return tie_order == "shuffle"; }

  bool diff = false;
  bool breakdown = false;
};

/// How many orders `--tie-order shuffle` tries besides the usual one.
constexpr std::uint64_t kOrders = 4;

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

/// The variants asked for, or all but those that are there to hang.
std::vector<std::string> variants_of(const CompareOptions& options,
                                     const workload::Workload& workload) {
  if (!options.variants.empty()) return options.variants;
  std::vector<std::string> names;
  names.reserve(workload.variants().size());
  for (const workload::Variant& variant : workload.variants()) {
    if (!variant.hangs) names.push_back(variant.name);
  }
  return names;
}

/// Pairs up outcomes that come point by point, variant by variant.
std::vector<experiment::ComparedPoint> pair_up(std::vector<experiment::Outcome> outcomes,
                                               std::size_t variants) {
  std::vector<experiment::ComparedPoint> points;
  for (auto at = outcomes.begin(); at != outcomes.end();) {
    const auto end = at + static_cast<std::ptrdiff_t>(variants);
    points.push_back(
        experiment::compare_point({std::make_move_iterator(at), std::make_move_iterator(end)}));
    at = end;
  }
  return points;
}

std::vector<std::string> machines_of(const experiment::Comparison& comparison) {
  std::vector<std::string> machines;
  for (const experiment::ComparedPoint& point : comparison.points) {
    for (const experiment::Outcome& outcome : point.outcomes) machines.push_back(outcome.machine);
  }
  return machines;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

std::string command_of(const CompareOptions& options, const std::vector<std::string>& variants) {
  std::vector<std::string> more{"--variants", joined(variants)};
  if (!options.threads.empty()) {
    std::vector<std::string> points;
    for (const std::uint32_t threads : options.threads) points.push_back(std::to_string(threads));
    more.insert(more.end(), {"--threads", joined(points)});
  }
  return command_line("compare", more, options);
}

std::vector<experiment::ComparedPoint> run_points(const std::vector<experiment::Case>& cases,
                                                  std::size_t variants,
                                                  const experiment::Settings& settings,
                                                  const std::string& what, bool quiet) {
  ProgressLine progress(what, quiet);
  return pair_up(
      experiment::run_cases(
          cases, settings, [&](std::size_t done, std::size_t all) { progress.update(done, all); },
          variants),
      variants);
}

std::vector<report::Reordered> run_reordered(const std::vector<experiment::Case>& cases,
                                             std::size_t variants, experiment::Settings settings,
                                             bool quiet) {
  std::vector<report::Reordered> others;
  settings.window.reset();
  for (std::uint64_t seed = 1; seed <= kOrders; ++seed) {
    const std::string order = "shuffle:" + std::to_string(seed);
    settings.tie_order = {true, seed};
    others.push_back({order, run_points(cases, variants, settings, order, quiet)});
  }
  return others;
}

std::vector<experiment::Case> cases_of(const CompareOptions& options,
                                       const workload::Workload& workload,
                                       const std::vector<std::string>& variants) {
  const workload::Overrides overrides = options.overrides();
  const std::vector<workload::Quantity> figures = experiment::figures_of(workload.published());
  std::vector<experiment::Case> cases;
  for (const workload::Point& point : points_of(options, workload)) {
    for (const std::string& variant : variants) {
      cases.push_back({workload.scenario(variant, point, overrides), point.label, figures});
    }
  }
  return cases;
}

std::string text_of(const experiment::Comparison& comparison, const CompareOptions& options) {
  if (options.diff) return report::profile_diffs_text(comparison);
  if (!options.breakdown) return report::compare_text(comparison, terminal_style());
  std::string text;
  for (const experiment::ComparedPoint& point : comparison.points) {
    text += report::breakdown_text(point.outcomes, terminal_style());
  }
  return text;
}

int compare(const CompareOptions& options) {
  if (!options.all.empty()) return compare_all(options.all, options, options.within);
  if (options.file.empty()) throw UserError("compare needs a workload file, or --all FOLDER");
  options.check_outputs();
  if ((options.diff || options.breakdown) && !options.takes_stdout().empty()) {
    throw UserError(options.takes_stdout() + " - and a table cannot both go to standard output");
  }
  const workload::Workload workload = options.load();
  const std::vector<std::string> variants = variants_of(options, workload);
  if (!options.crossover.empty()) {
    return find_crossover(options, workload, options.crossover, variants, options.store);
  }
  const std::vector<experiment::Case> cases = cases_of(options, workload, variants);
  ScenarioOptions usual = options;
  if (options.reorders()) usual.tie_order = "fifo";
  experiment::Settings settings = usual.settings(cases.front().scenario.measure);
  if (options.wants_data()) settings.window.emplace();
  experiment::Comparison comparison{workload.name(), workload.description(), variants, {}, {}};
  comparison.points =
      run_points(cases, variants.size(), settings, "compare " + workload.name(), options.quiet);
  comparison.checks = experiment::check_published(workload.published(), comparison.points);
  report::Document document = report::compare_document(comparison);
  std::string text = text_of(comparison, options);
  if (options.reorders()) {
    const auto others = run_reordered(cases, variants.size(), settings, options.quiet);
    report::append_tie_orders(document, others);
    text += report::tie_order_text(comparison, others, terminal_style());
  }
  add_inputs(document, options, command_of(options, variants), machines_of(comparison));
  options.write(document);
  if (options.wants_text() || options.diff || options.breakdown) std::cout << text;
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
  command
      ->add_option("--crossover", options->crossover,
                   "find where variants swap places: threads, or PATH=LOW..HIGH")
      ->type_name("RANGE")
      ->excludes(all)
      ->excludes("--threads");
  command->add_option("--store", options->store, "keeps what --crossover runs (hotline.db)")
      ->type_name("FILE")
      ->needs("--crossover");
  command->get_option("--tie-order")
      ->description(
          "order of simultaneous events (fifo); shuffle: does the verdict hold in others?")
      ->type_name("fifo|shuffle[:SEED]");
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
