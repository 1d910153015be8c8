#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include <spdlog/spdlog.h>

#include "sim/cli/command.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/experiment/validation.hpp"
#include "sim/input/suggest.hpp"
#include "sim/report/validation_report.hpp"
#include "sim/report/whole_file.hpp"

namespace hotline::cli {

namespace {

struct ValidateOptions {
  std::string folder;
  std::vector<std::string> sets;
  bool list = false;
  std::string page;
  std::string configs;
  unsigned host_threads = 0;
  std::string json;
  std::string csv;
};

/// Where the sets are: the folder named, or that of the source tree.
std::filesystem::path folder_of(const ValidateOptions& options) {
  if (!options.folder.empty()) return options.folder;
  std::filesystem::path here = "tests/validation/sets";
  std::error_code error;
  if (std::filesystem::is_directory(here, error)) return here;
  return std::filesystem::path(HOTLINE_SOURCE_DIR) / here;
}

void choose(std::vector<experiment::ValidationSet>& sets, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::vector<std::string> known;
  known.reserve(sets.size());
  for (const auto& set : sets) known.push_back(set.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw UserError("--set: there is no data set \"" + name + "\"; " +
                    input::suggestion(name, known));
  }
  std::erase_if(sets, [&](const auto& set) {
    return std::find(names.begin(), names.end(), set.name) == names.end();
  });
}

void list(const std::vector<experiment::ValidationSet>& sets) {
  report::TextTable table;
  table.column("data set", report::Align::kLeft);
  table.column("what", report::Align::kLeft);
  for (const auto& set : sets) table.row({set.name, set.title});
  std::cout << table.text(terminal_style());
}

void write_page(const std::string& path, const std::vector<experiment::ValidationResult>& results) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path() / "img/validation";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const report::ValidationPage page = report::validation_page(results, "img/validation");
  for (const auto& [name, picture] : page.pictures) report::write_whole(folder / name, picture);
  report::write_whole(path, page.text);
}

int validate(const ValidateOptions& options) {
  for (const std::string* path : {&options.json, &options.csv, &options.page}) {
    if (!path->empty() && *path != "-") report::check_can_write(*path);
  }
  std::vector<experiment::ValidationSet> sets =
      experiment::read_validation_sets(folder_of(options));
  choose(sets, options.sets);
  if (sets.empty()) throw UserError("no data set in " + folder_of(options).string());
  if (options.list) {
    list(sets);
    return kDone;
  }
  experiment::Settings settings;
  settings.host_threads = options.host_threads;
  std::vector<experiment::ValidationResult> results;
  {
    ProgressLine progress("validate");
    results = experiment::validate(
        sets, make_library({}, options.configs), settings,
        [&](std::size_t done, std::size_t all) { progress.update(done, all); });
  }
  const report::Document document = report::validation_document(results);
  if (!options.json.empty()) write_output(options.json, report::to_json(document));
  if (!options.csv.empty()) write_output(options.csv, report::to_csv(document));
  if (!options.page.empty()) write_page(options.page, results);
  if (options.json != "-" && options.csv != "-") {
    if (!options.sets.empty()) {
      for (const auto& result : results) std::cout << report::validation_details(result);
    }
    std::cout << report::validation_text(results, terminal_style());
  }
  const bool has_grown = std::any_of(results.begin(), results.end(), [](const auto& result) {
    return result.verdict() == experiment::ValidationVerdict::kGrown;
  });
  return has_grown ? kFoundProblem : kDone;
}

}  // namespace

void add_validate(CLI::App& app, Work& work) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* command =
      app.add_subcommand("validate", "Simulate again what was measured on hardware, and compare");
  command->add_option("--set", options->sets, "this data set only, with every point")
      ->type_name("NAME")
      ->expected(1)
      ->take_all();
  command->add_flag("--list", options->list, "name the data sets, simulate nothing");
  command->add_option("--folder", options->folder, "of data sets (default: tests/validation/sets)")
      ->type_name("FOLDER");
  command->add_option("--page", options->page, "write a page with pictures beside it")
      ->type_name("FILE.md");
  command
      ->add_option("--configs", options->configs, "folder in which machines are looked for first")
      ->type_name("FOLDER");
  command
      ->add_option("--host-threads", options->host_threads,
                   "simulations at a time (default: all cores)")
      ->type_name("N");
  command
      ->add_option("--json", options->json, "write sets and points as JSON; - is standard output")
      ->type_name("FILE");
  command->add_option("--csv", options->csv, "write sets and points as CSV; - is standard output")
      ->type_name("FILE");
  command->footer(
      "Exit code 1: an error grew past what is recorded in its data set.\n"
      "Example: hotline validate --set hps448-refcount");
  command->callback([options, &work] { work = [options] { return validate(*options); }; });
}

}  // namespace hotline::cli
