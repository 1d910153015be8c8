#include <iostream>
#include <memory>

#include <spdlog/spdlog.h>

#include "sim/cli/command.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/experiment/fit.hpp"
#include "sim/input/document.hpp"
#include "sim/report/fit_report.hpp"
#include "sim/report/whole_file.hpp"

namespace hotline::cli {

namespace {

struct FitCommandOptions {
  std::string file;
  std::string data;
  std::string free;
  std::string hold_out;
  std::string output;
  std::string configs;
  std::size_t starts = 3;
  std::size_t evaluations = 60;
  std::uint32_t replications = 1;
  unsigned host_threads = 0;
  std::string json;
  std::string csv;
};

int fit(const FitCommandOptions& options) {
  for (const std::string* path : {&options.json, &options.csv, &options.output}) {
    if (!path->empty() && *path != "-") report::check_can_write(*path);
  }
  const auto workload = workload::Workload::load(options.file, make_library({}, options.configs));
  for (const std::string& warning : workload.warnings()) spdlog::warn("{}", warning);
  input::Diagnostics diagnostics;
  const input::DataTable table = input::load_csv(options.data, diagnostics);
  diagnostics.throw_if_errors();
  const experiment::FitData data = experiment::read_fit_data(table, options.hold_out, workload);
  const auto parameters = experiment::parse_parameters(options.free, "--free", workload);
  experiment::FitOptions how;
  how.starts = options.starts;
  how.evaluations = options.evaluations;
  how.settings.replications = options.replications;
  how.settings.host_threads = options.host_threads;
  const experiment::Fit found = experiment::fit(workload, parameters, data, how);
  if (!options.output.empty()) {
    const std::string origin = options.file + " to " + options.data +
                               (options.hold_out.empty() ? "" : " without " + options.hold_out);
    const std::string text = input::load_bytes(options.file, diagnostics);
    diagnostics.throw_if_errors();
    write_output(options.output,
                 experiment::fitted_text(text, found, report::fit_comment(found, origin)));
  }
  const report::Document document = report::fit_document(found);
  if (!options.json.empty()) write_output(options.json, report::to_json(document));
  if (!options.csv.empty()) write_output(options.csv, report::to_csv(document));
  const bool is_taken = options.json == "-" || options.csv == "-" || options.output == "-";
  if (!is_taken) std::cout << report::fit_text(found, terminal_style());
  return kDone;
}

}  // namespace

void add_fit(CLI::App& app, Work& work) {
  auto options = std::make_shared<FitCommandOptions>();
  CLI::App* command =
      app.add_subcommand("fit", "Find the figures of a workload that reproduce measurements");
  command->add_option("workload", options->file, "workload file")->required()->type_name("FILE");
  command->add_option("--data", options->data, "measurements: comma-separated, docs/fit.md")
      ->required()
      ->type_name("FILE.csv");
  command
      ->add_option("--free", options->free,
                   "figures to find, with ranges unless the workload states them")
      ->required()
      ->type_name("A,B=50ns..2us");
  command->add_option("--hold-out", options->hold_out, "rows to predict, not to fit to")
      ->type_name("threads>=32");
  command->add_option("--output", options->output, "write the workload with the values found")
      ->type_name("FILE.yaml");
  command->add_option("--starts", options->starts, "searches from different points (default: 3)")
      ->check(CLI::Range(1, 100));
  command
      ->add_option("--evaluations", options->evaluations,
                   "at most, for each start and figure (default: 60)")
      ->check(CLI::Range(5, 100'000));
  command->add_option("--replications", options->replications, "simulations a row (default: 1)")
      ->check(CLI::Range(1, 1000));
  command
      ->add_option("--configs", options->configs, "folder in which machines are looked for first")
      ->type_name("FOLDER");
  command->add_option("--host-threads", options->host_threads,
                      "simulations at a time (default: all cores)");
  command->add_option("--json", options->json, "write everything as JSON; - is standard output")
      ->type_name("FILE");
  command->add_option("--csv", options->csv, "write everything as CSV; - is standard output")
      ->type_name("FILE");
  command->footer(
      "Example: hotline fit W.yaml --data measured.csv --free 'path, hold=50ns..2us' \\\n"
      "             --hold-out 'threads>=32' --output fitted.yaml");
  command->callback([options, &work] { work = [options] { return fit(*options); }; });
}

}  // namespace hotline::cli
