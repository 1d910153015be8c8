#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "sim/cli/command.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/experiment/stretch.hpp"
#include "sim/input/quantity.hpp"
#include "sim/report/narrative.hpp"

namespace hotline::cli {

namespace {

struct StretchOptions : ScenarioOptions {
  std::string variant;
  std::optional<std::uint32_t> threads;
  std::string from;
  std::string to;
};

engine::SimTime time_of(const char* option, const std::string& text) {
  const input::Parsed<engine::Duration> parsed = input::parse_duration(text);
  if (parsed.value) return engine::SimTime() + *parsed.value;
  throw UserError(std::string(option) + ": \"" + text + "\" " + parsed.problem);
}

int explain_stretch(const StretchOptions& options) {
  if (options.file.empty())
    throw UserError("explain needs a workload file, transfer or grace-period");
  if (options.from.empty() || options.to.empty()) {
    throw UserError("explain " + options.file +
                    " needs --from and --to, such as --from 2us --to 2.5us");
  }
  options.check_outputs();
  const engine::SimTime from = time_of("--from", options.from);
  const engine::SimTime to = time_of("--to", options.to);
  if (to <= from) throw UserError("--to must be later than --from");
  const workload::Workload workload = options.load();
  workload::Overrides overrides = options.overrides();
  overrides.threads = options.threads;
  const std::string& variant =
      options.variant.empty() ? workload.variants().front().name : options.variant;
  const workload::Scenario scenario = workload.scenario(variant, overrides);
  const experiment::WatchedRun watched =
      experiment::watch(scenario, options.settings(scenario.measure).seed, from, to);
  const report::Narrative narrative =
      report::narrate(*watched.run, watched.steps, from, to, watched.is_cut);
  options.write(report::narrative_document(narrative));
  if (options.wants_text()) std::cout << report::narrative_text(narrative, terminal_style());
  return kDone;
}

}  // namespace

void add_explain_stretch(CLI::App& command, Work& work) {
  auto options = std::make_shared<StretchOptions>();
  options->add_to(command, true);
  command.add_option("--variant", options->variant, "which (default: the first)")
      ->type_name("NAME");
  command.add_option("--threads", options->threads, "simulated threads (default: the workload's)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command.add_option("--from", options->from, "simulated time at which to begin")
      ->type_name("TIME");
  command.add_option("--to", options->to, "simulated time at which to end")->type_name("TIME");
  command.callback([options, &command, &work] {
    if (command.get_subcommands().empty()) {
      work = [options] { return explain_stretch(*options); };
    }
  });
}

}  // namespace hotline::cli
