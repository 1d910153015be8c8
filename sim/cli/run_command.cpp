#include <iostream>
#include <memory>

#include "sim/cli/command.hpp"
#include "sim/cli/inputs.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/views.hpp"
#include "sim/experiment/parting.hpp"
#include "sim/experiment/runner.hpp"
#include "sim/report/run_report.hpp"

namespace hotline::cli {

namespace {

struct RunOptions : ScenarioOptions {
  std::string variant;
  std::optional<std::uint32_t> threads;
  Views views;
};

std::string command_of(const RunOptions& options, const std::string& variant) {
  std::vector<std::string> more{"--variant", variant};
  if (options.threads) more.insert(more.end(), {"--threads", std::to_string(*options.threads)});
  return command_line("run", more, options);
}

int run(const RunOptions& options) {
  options.check_outputs();
  options.views.check_outputs(options.takes_stdout());
  const workload::Workload workload = options.load();
  workload::Overrides overrides = options.overrides();
  overrides.threads = options.threads;
  const std::string& variant =
      options.variant.empty() ? workload.variants().front().name : options.variant;
  const experiment::Case one{workload.scenario(variant, overrides), ""};
  experiment::Settings settings = options.settings(one.scenario.measure);
  settings.sharing = options.views.c2c;
  if (options.wants_data() || !options.views.trace.empty()) {
    settings.window = options.views.window();
  }
  std::vector<experiment::Outcome> outcomes;
  std::vector<experiment::Parting> partings;
  {
    ProgressLine progress("run " + workload.name(), options.quiet);
    outcomes = experiment::run_cases(
        {one}, settings, [&](std::size_t done, std::size_t all) { progress.update(done, all); });
    partings = experiment::part_shared_lines(one, outcomes.front(), settings);
  }
  const experiment::Outcome& outcome = outcomes.front();
  report::Document document = report::run_document(outcome);
  document.facts.emplace_back("description", workload.description());
  add_inputs(document, options, command_of(options, variant), {outcome.machine});
  options.write(document);
  options.views.write(outcome, partings);
  if (options.wants_text() && !options.views.any()) {
    std::cout << report::run_text(outcome, terminal_style());
  }
  return outcome.stuck.empty() ? kDone : kFoundProblem;
}

}  // namespace

void add_run(CLI::App& app, Work& work) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run one variant of a workload");
  options->add_to(*command);
  command->add_option("--variant", options->variant, "which (default: the first)")
      ->type_name("NAME");
  command->add_option("--threads", options->threads, "simulated threads (default: the workload's)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  options->views.add_to(*command);
  command->footer(
      "Examples:\n"
      "  hotline run workloads/micro/hammer.yaml --threads 8\n"
      "  hotline run workloads/micro/hammer.yaml --machine generic-8socket --with sockets=16 \\\n"
      "      --set measure.duration=50us --json result.json\n"
      "  hotline run workloads/kernel/bulkstat-inode-list.yaml --profile --lock-stat");
  command->callback([options, &work] { work = [options] { return run(*options); }; });
}

}  // namespace hotline::cli
