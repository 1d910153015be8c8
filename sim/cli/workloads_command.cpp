#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "sim/cli/command.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/workload_files.hpp"
#include "sim/workload/workload.hpp"

namespace hotline::cli {

namespace {

namespace fs = std::filesystem;

/// The first sentence, or all of it.
std::string first_sentence(const std::string& text) {
  const std::size_t end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

int list_workloads() {
  report::TextTable table;
  table.column("WORKLOAD", report::Align::kLeft);
  table.column("VARIANTS", report::Align::kLeft);
  table.column("WHAT IT SHOWS", report::Align::kLeft);
  int exit_code = kDone;
  for (const fs::path& file : workload_files(workload_folder())) {
    try {
      const workload::Workload workload = workload::Workload::load(file);
      const auto& variants = workload.variants();
      table.row({file.string(),
                 variants.size() > 3 ? fmt::format("{} variants", variants.size())
                                     : fmt::format("{}", variants.size()),
                 first_sentence(workload.description())});
    } catch (const input::InputError& error) {
      std::cerr << error.what();
      exit_code = kWrongInput;
    }
  }
  std::cout << table.text(terminal_style());
  return exit_code;
}

int check_workloads(const std::vector<std::string>& files) {
  int exit_code = kDone;
  for (const std::string& file : files) {
    try {
      const workload::Workload workload = workload::Workload::load(file);
      for (const std::string& warning : workload.warnings()) spdlog::warn("{}", warning);
      std::cout << fmt::format("{}: good, {} variant{}, {} point{}\n", file,
                               workload.variants().size(),
                               workload.variants().size() == 1 ? "" : "s", workload.points().size(),
                               workload.points().size() == 1 ? "" : "s");
    } catch (const input::InputError& error) {
      std::cerr << error.what();
      exit_code = kWrongInput;
    }
  }
  return exit_code;
}

}  // namespace

void add_workloads(CLI::App& app, Work& work) {
  CLI::App* command =
      app.add_subcommand("workloads", "List workloads, check files, print their JSON Schema");
  command->require_subcommand(0, 1);
  command->footer("Example: hotline workloads check workloads/micro/hammer.yaml");
  command->callback([&work] {
    if (!work) work = list_workloads;
  });
  command->add_subcommand("list", "List the workloads that come with the program (the default)")
      ->footer("Example: hotline workloads list")
      ->callback([&work] { work = list_workloads; });
  command->add_subcommand("schema", "Print the JSON Schema of workload files, for editors")
      ->footer("Example: hotline workloads schema > workload.schema.json")
      ->callback([&work] {
        work = [] {
          std::cout << workload::schema() << "\n";
          return kDone;
        };
      });
  auto files = std::make_shared<std::vector<std::string>>();
  CLI::App* check = command->add_subcommand("check", "Check workload files without running them");
  check->add_option("files", *files, "workload files")->required()->type_name("FILE...");
  check->footer("Example: hotline workloads check mine.yaml yours.yaml");
  check->callback([files, &work] { work = [files] { return check_workloads(*files); }; });
}

}  // namespace hotline::cli
