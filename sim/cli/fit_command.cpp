#include <iostream>
#include <memory>

#include <spdlog/spdlog.h>

#include "sim/cli/command.hpp"
#include "sim/cli/fit_machine.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/input/document.hpp"
#include "sim/report/fit_report.hpp"
#include "sim/report/whole_file.hpp"

namespace hotline::cli {

namespace {

int fit_workload(const FitOptions& options) {
  const auto workload = workload::Workload::load(options.file, make_library({}, options.configs));
  for (const std::string& warning : workload.warnings()) spdlog::warn("{}", warning);
  input::Diagnostics diagnostics;
  const input::DataTable table = input::load_csv(options.data, diagnostics);
  diagnostics.throw_if_errors();
  const experiment::FitData data = experiment::read_fit_data(table, options.hold_out, workload);
  const auto parameters = experiment::parse_parameters(options.free, "--free", workload);
  experiment::Fit found;
  {
    ProgressLine line("fit " + workload.name());
    found = experiment::fit(
        workload, parameters, data,
        options.how([&](std::size_t done, std::size_t all) { line.update(done, all); }));
  }
  if (!options.output.empty()) {
    const std::string origin = options.file + " to " + options.data +
                               (options.hold_out.empty() ? "" : " without " + options.hold_out);
    const std::string text = input::load_bytes(options.file, diagnostics);
    diagnostics.throw_if_errors();
    write_output(options.output,
                 experiment::fitted_text(text, found, report::fit_comment(found, origin)));
  }
  print_fit(options, found);
  return kDone;
}

/// Options that mean nothing for what is fitted, and those that it cannot do without.
void check(const FitOptions& options) {
  const bool is_machine = !options.machine.empty();
  if (is_machine == !options.file.empty()) {
    throw UserError(is_machine ? "fit a workload file or --machine, not both at once"
                               : "fit what: a workload file, or --machine NAME?");
  }
  const auto only_for = [](const char* option, bool is_given, const char* what) {
    if (is_given) throw UserError(std::string(option) + " is for " + what);
  };
  const auto needed = [](const char* option, bool is_given) {
    if (!is_given) throw UserError(std::string(option) + " is required");
  };
  if (is_machine) {
    only_for("--data", !options.data.empty(), "workloads; a machine has --matrix and --curve");
    only_for("--replications", options.replications != 1,
             "workloads; what a machine is fitted to has no chance in it");
    needed("--matrix or --curve", !options.matrix.empty() || !options.curve.empty());
    return;
  }
  constexpr const char* kMachines = "machines (--machine NAME)";
  only_for("--matrix", !options.matrix.empty(), kMachines);
  only_for("--curve", !options.curve.empty(), kMachines);
  only_for("--rows", !options.rows.empty(), kMachines);
  only_for("--with", !options.with.empty(), kMachines);
  only_for("--set", !options.changes.empty(), kMachines);
  needed("--data", !options.data.empty());
  needed("--free", !options.free.empty());
}

int fit(const FitOptions& options) {
  check(options);
  for (const std::string* path : {&options.json, &options.csv, &options.output}) {
    if (!path->empty() && *path != "-") report::check_can_write(*path);
  }
  return options.machine.empty() ? fit_workload(options) : fit_machine(options);
}

void add_machine_options(CLI::App& command, FitOptions& options) {
  command.add_option("--machine", options.machine, "fit this machine's legs instead of a workload")
      ->type_name("NAME");
  command
      .add_option("--matrix", options.matrix,
                  "core-to-core ping-pongs: as core-to-core-latency writes them, or by class")
      ->type_name("FILE.csv");
  command
      .add_option("--rows", options.rows,
                  "which machine's rows of --matrix (default: those of --machine)")
      ->type_name("NAME");
  command.add_option("--curve", options.curve, "contended operations on one word: threads, ns")
      ->type_name("FILE.csv");
  command.add_option("--with", options.with, "parameter of the machine")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  command
      .add_option("--set", options.changes, "another value in the machine's file, before the fit")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->take_all();
}

}  // namespace

experiment::FitOptions FitOptions::how(experiment::Progress progress) const {
  experiment::FitOptions how;
  how.search.progress = std::move(progress);
  how.search.starts = starts;
  how.search.evaluations = evaluations;
  how.settings.replications = replications;
  how.settings.host_threads = host_threads;
  return how;
}

void add_fit(CLI::App& app, Work& work) {
  auto options = std::make_shared<FitOptions>();
  CLI::App* command = app.add_subcommand(
      "fit", "Find the figures of a workload or a machine that reproduce measurements");
  command->add_option("workload", options->file, "workload file")->type_name("FILE");
  command->add_option("--data", options->data, "measurements: comma-separated, docs/fit.md")
      ->type_name("FILE.csv");
  command
      ->add_option("--free", options->free,
                   "figures to find, with ranges unless the file states them "
                   "(default for a machine: its inferred legs)")
      ->type_name("A,B=50ns..2us");
  command->add_option("--hold-out", options->hold_out, "rows to predict, not to fit to")
      ->type_name("threads>=32");
  command->add_option("--output", options->output, "write the file with the values found")
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
  add_machine_options(*command, *options);
  command->footer(
      "Example: hotline fit W.yaml --data measured.csv --free 'path, hold=50ns..2us' \\\n"
      "             --hold-out 'threads>=32' --output fitted.yaml\n"
      "         hotline fit --machine graviton2 --matrix c2c.csv --curve adds.csv \\\n"
      "             --hold-out 'threads>=8' --output mine.yaml");
  command->callback([options, &work] { work = [options] { return fit(*options); }; });
}

}  // namespace hotline::cli
