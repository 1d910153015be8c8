#include <algorithm>
#include <iostream>
#include <memory>

#include "sim/cli/command.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/experiment/sensitivity.hpp"
#include "sim/report/sensitivity_report.hpp"
#include "sim/report/whole_file.hpp"

namespace hotline::cli {

namespace {

/// What both commands have in common.
struct StudyOptions {
  std::string file;
  std::vector<std::string> variants;
  std::optional<std::uint32_t> threads;
  std::string free;
  bool workload_only = false;
  std::size_t samples = 0;
  std::uint32_t replications = 1;
  unsigned host_threads = 0;
  std::string configs;
  std::string json;
  std::string csv;
  std::string plot;

  void add_to(CLI::App& command);
  void check() const;
  [[nodiscard]] workload::Workload load() const {
    return workload::Workload::load(file, make_library({}, configs));
  }
  [[nodiscard]] experiment::Study study(const workload::Workload& workload,
                                        experiment::Progress progress) const;
  void write(const report::Document& document) const;
};

void StudyOptions::add_to(CLI::App& command) {
  command.add_option("workload", file, "workload file")->required()->type_name("FILE");
  command
      .add_option("--variants", variants,
                  "A: its work a second; A,B: that of B over A (default: the file's first two)")
      ->delimiter(',')
      ->expected(1, 2)
      ->type_name("A[,B]");
  command.add_option("--threads", threads, "number of threads (default: the workload's)")
      ->check(CLI::PositiveNumber);
  command.add_option("--free", free, "these figures only, with ranges unless the file states them")
      ->type_name("A,B=50ns..2us");
  command.add_flag("--workload-only", workload_only, "not the machine's inferred figures");
  command.add_option("--replications", replications, "simulations a point (default: 1)")
      ->check(CLI::Range(1, 1000));
  command.add_option("--host-threads", host_threads, "simulations at a time (default: all cores)");
  command.add_option("--configs", configs, "folder in which machines are looked for first")
      ->type_name("FOLDER");
  command.add_option("--json", json, "write everything as JSON; - is standard output")
      ->type_name("FILE");
  command.add_option("--csv", csv, "write everything as CSV; - is standard output")
      ->type_name("FILE");
}

void StudyOptions::check() const {
  for (const std::string* path : {&json, &csv, &plot}) {
    if (!path->empty() && *path != "-") report::check_can_write(*path);
  }
}

experiment::Study StudyOptions::study(const workload::Workload& workload,
                                      experiment::Progress progress) const {
  auto parameters = free.empty() ? experiment::inferred_parameters(workload, !workload_only)
                                 : experiment::parse_parameters(free, "--free", workload);
  if (parameters.empty()) {
    throw UserError(file + ": nothing has a range: state some under key \"ranges\", or --free");
  }
  experiment::Effect effect;
  std::vector<std::string> names = variants;
  for (std::size_t i = 0;
       variants.empty() && i < std::min<std::size_t>(workload.variants().size(), 2); ++i) {
    names.push_back(workload.variants()[i].name);
  }
  effect.variant = names.back();
  if (names.size() == 2) effect.baseline = names.front();
  effect.threads = threads;
  experiment::Settings settings;
  settings.replications = replications;
  settings.host_threads = host_threads;
  return {workload, std::move(parameters), std::move(effect), settings, std::move(progress)};
}

void StudyOptions::write(const report::Document& document) const {
  if (!json.empty()) write_output(json, report::to_json(document));
  if (!csv.empty()) write_output(csv, report::to_csv(document));
}

int sensitivity(const StudyOptions& options) {
  options.check();
  const workload::Workload workload = options.load();
  report::SensitivityResult result;
  {
    ProgressLine progress("sensitivity " + workload.name());
    const experiment::Study study = options.study(
        workload, [&](std::size_t done, std::size_t all) { progress.update(done, all); });
    result.effect = study.effect().text();
    result.parameters = study.parameters();
    result.tornado = experiment::one_at_a_time(study);
    if (options.samples > 0) result.shares = experiment::variance_shares(study, options.samples);
  }
  options.write(report::sensitivity_document(result));
  if (!options.plot.empty()) write_output(options.plot, report::tornado_svg(result));
  if (options.json != "-" && options.csv != "-" && options.plot != "-") {
    std::cout << report::sensitivity_text(result, terminal_style());
  }
  return kDone;
}

int uncertainty(const StudyOptions& options) {
  options.check();
  const workload::Workload workload = options.load();
  ProgressLine progress("uncertainty " + workload.name());
  const experiment::Study study = options.study(
      workload, [&](std::size_t done, std::size_t all) { progress.update(done, all); });
  std::vector<double> nominal;
  for (const auto& parameter : study.parameters()) nominal.push_back(parameter.value);
  const double at_nominal = study.at({nominal}).front();
  const std::vector<double> effects = experiment::propagate(study, options.samples);
  const std::string effect = study.effect().text();
  options.write(report::uncertainty_document(effect, at_nominal, effects));
  if (options.json != "-" && options.csv != "-") {
    std::cout << report::uncertainty_text(effect, at_nominal, effects, study.parameters().size());
  }
  return kDone;
}

}  // namespace

void add_sensitivity(CLI::App& app, Work& work) {
  auto options = std::make_shared<StudyOptions>();
  CLI::App* command = app.add_subcommand(
      "sensitivity", "Which inferred figures a result depends on, each over its range");
  options->add_to(*command);
  command
      ->add_option("--samples", options->samples,
                   "also shares of the variance, by this many times figures + 2 points")
      ->check(CLI::Range(8, 100'000));
  command->add_option("--plot", options->plot, "draw the tornado")->type_name("FILE.svg");
  command->footer(
      "Example: hotline sensitivity workloads/kernel/cna-open1.yaml --threads 72 --plot open1.svg");
  command->callback([options, &work] { work = [options] { return sensitivity(*options); }; });
}

void add_uncertainty(CLI::App& app, Work& work) {
  auto options = std::make_shared<StudyOptions>();
  options->samples = 64;
  CLI::App* command = app.add_subcommand(
      "uncertainty", "The interval of a predicted effect over the ranges of all inferred figures");
  options->add_to(*command);
  command->add_option("--samples", options->samples, "points (default: 64)")
      ->check(CLI::Range(8, 100'000));
  command->footer("Example: hotline uncertainty workloads/kernel/cna-open1.yaml --threads 72");
  command->callback([options, &work] { work = [options] { return uncertainty(*options); }; });
}

}  // namespace hotline::cli
