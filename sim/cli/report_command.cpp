#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

#include "sim/cli/command.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/report/page.hpp"
#include "sim/report/whole_file.hpp"

namespace hotline::cli {

namespace {

struct ReportOptions {
  std::string results;
  std::string output;
};

std::string text_of(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UserError("cannot read " + path);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw UserError("cannot read " + path);
  return text;
}

int report(const ReportOptions& options) {
  if (!report::has_page()) throw UserError(report::kNoPage);
  if (options.output != "-") report::check_can_write(options.output);
  const std::string name = options.results == "-" ? "standard input" : options.results;
  write_output(options.output, report::results_page(text_of(options.results), name));
  return kDone;
}

}  // namespace

void add_report(CLI::App& app, Work& work) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report", "Make one HTML page of the results of run or compare");
  command
      ->add_option("results", options->results,
                   "what --json of run or compare wrote; - is standard input")
      ->required()
      ->type_name("RESULTS");
  command->add_option("-o,--output", options->output, "the page; - is standard output")
      ->required()
      ->type_name("FILE");
  command->footer(
      "Example:\n"
      "  hotline compare workloads/micro/locks-and-cpus.yaml --json result.json\n"
      "  hotline report result.json -o report.html");
  command->callback([options, &work] { work = [options] { return report(*options); }; });
}

}  // namespace hotline::cli
