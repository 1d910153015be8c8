#include "sim/cli/fit_machine.hpp"

#include <iostream>

#include "sim/cli/inputs.hpp"
#include "sim/cli/log.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/experiment/machine_fit.hpp"
#include "sim/report/fit_report.hpp"
#include "sim/workload/changes.hpp"

namespace hotline::cli {

namespace {

/// The machine's document with the parameters and the changes that the user gave.
input::Node document_of(const FitOptions& options, const machine::Folders& folders,
                        input::Diagnostics& diagnostics) {
  input::Diagnostics own;  // what is wrong with the file itself, as other commands say it
  const auto given = machine::parse_parameters(options.with, "--with", own);
  static_cast<void>(machine::read_machine(options.machine, given, folders, own));
  own.throw_if_errors();
  input::Node with;
  with.kind = input::Node::Kind::kMap;
  for (const auto& [name, value] : given) with.members.push_back({name, {}, value});
  input::Node asked;
  asked.kind = input::Node::Kind::kMap;
  asked.members = {{"use", {}, input::make_scalar(options.machine, "--machine")},
                   {"with", {}, std::move(with)}};
  input::Node document = machine::filled_document(asked, folders, diagnostics);
  diagnostics.throw_if_errors();
  for (const std::string& change : options.changes) {
    workload::apply(workload::parse_change(change, "--set"), document, diagnostics);
  }
  diagnostics.throw_if_errors();
  return document;
}

/// The command that writes the same file again.
std::string command_of(const FitOptions& options) {
  std::vector<std::string> words{"hotline", "fit", "--machine", options.machine};
  const auto add = [&words](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  for (const std::string& one : options.with) add("--with", one);
  for (const std::string& one : options.changes) add("--set", one);
  add("--matrix", options.matrix);
  add("--rows", options.rows);
  add("--curve", options.curve);
  add("--free", options.free);
  add("--hold-out", options.hold_out);
  add("--configs", options.configs);
  const FitOptions usual;
  if (options.starts != usual.starts) add("--starts", std::to_string(options.starts));
  if (options.evaluations != usual.evaluations) {
    add("--evaluations", std::to_string(options.evaluations));
  }
  return shell_line(words);
}

std::string source_of(const FitOptions& options) {
  std::string text = "fitted with the other figures of this file to ";
  text += options.matrix + (options.matrix.empty() || options.curve.empty() ? "" : " and ");
  return text + options.curve;
}

}  // namespace

int fit_machine(const FitOptions& options) {
  input::Diagnostics diagnostics;
  const machine::Folders folders = machine::machine_folders(options.configs);
  const input::Node document = document_of(options, folders, diagnostics);
  machine::MachineFile file = machine::read_machine(document, {}, folders, diagnostics);
  report_problems(diagnostics);
  for (input::Figure& figure : file.figures) {  // as --set writes them
    constexpr std::string_view kPrefix = "machine.";
    if (figure.place.path.starts_with(kPrefix)) figure.place.path.erase(0, kPrefix.size());
  }
  const machine::Topology topology(file.description);
  experiment::LatencyData data;
  if (!options.matrix.empty()) {
    const std::string& rows = options.rows.empty() ? options.machine : options.rows;
    experiment::add_matrix(options.matrix, rows, topology, data, diagnostics);
  }
  if (!options.curve.empty()) experiment::add_curve(options.curve, topology, data, diagnostics);
  diagnostics.throw_if_errors();
  experiment::hold_out(options.hold_out, data, diagnostics);
  diagnostics.throw_if_errors();
  const auto parameters = options.free.empty()
                              ? experiment::inferred_legs(file.figures)
                              : experiment::parse_figures(options.free, "--free", file.figures);
  if (parameters.empty()) {
    throw UserError("no leg of " + options.machine +
                    " is inferred within a range; name figures with --free NAME=LEAST..MOST");
  }
  experiment::Fit found;
  {
    ProgressLine line("fit " + options.machine);
    found = experiment::fit_machine(
        document, folders, parameters, data,
        options.how([&](std::size_t done, std::size_t all) { line.update(done, all); }));
  }
  if (!options.output.empty()) {
    experiment::FittedMachine fitted{options.machine, document, options.with,
                                     options.changes, {},       source_of(options)};
    fitted.comment = report::fit_comment(found, command_of(options));
    write_output(options.output, experiment::machine_text(fitted, found));
  }
  print_fit(options, found);
  return kDone;
}

void print_fit(const FitOptions& options, const experiment::Fit& found) {
  const report::Document document = report::fit_document(found);
  if (!options.json.empty()) write_output(options.json, report::to_json(document));
  if (!options.csv.empty()) write_output(options.csv, report::to_csv(document));
  const bool is_taken = options.json == "-" || options.csv == "-" || options.output == "-";
  if (!is_taken) std::cout << report::fit_text(found, terminal_style());
}

}  // namespace hotline::cli
