#include <iostream>
#include <memory>

#include "sim/cli/command.hpp"
#include "sim/cli/log.hpp"
#include "sim/cli/machine_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/report/machine_report.hpp"
#include "sim/report/whole_file.hpp"

namespace hotline::cli {

namespace {

struct MachinesOptions {
  MachineOptions machine;
  std::string heat_map;
  bool sources = false;
};

int list(const std::string& configs) {
  input::Diagnostics diagnostics;
  const auto machines = machine::list_machines(machine::machine_folders(configs), diagnostics);
  std::cout << report::machines_text(machines, terminal_style());
  report_problems(diagnostics);
  return kDone;
}

int show(const MachinesOptions& options) {
  if (!options.heat_map.empty()) report::check_can_write(options.heat_map);
  const machine::MachineFile file = options.machine.read();
  std::cout << report::machine_text(file, options.sources, terminal_style());
  if (options.heat_map.empty()) return kDone;
  const machine::Topology topology(file.description);
  report::write_whole(options.heat_map, report::heat_map_svg(report::transfer_matrix(topology)));
  return kDone;
}

}  // namespace

void add_machines(CLI::App& app, Work& work) {
  auto options = std::make_shared<MachinesOptions>();
  CLI::App* command = app.add_subcommand("machines", "List machines, or show one with its matrix");
  command->require_subcommand(0, 1);
  command->add_option("--configs", options->machine.configs, "folder to look in first")
      ->type_name("FOLDER");
  command->footer("Example: hotline machines show hps448 --heatmap hps448.svg");
  command->callback([options, &work] {
    if (!work) work = [options] { return list(options->machine.configs); };
  });
  command->add_subcommand("list", "List all machines (the default)")
      ->footer("Example: hotline machines list")
      ->callback([options, &work] { work = [options] { return list(options->machine.configs); }; });
  CLI::App* one = command->add_subcommand("show", "Show topology, transfer costs and figures");
  one->add_option("name", options->machine.name, "machine by name or file")
      ->required()
      ->type_name("NAME");
  options->machine.add_parameters_to(*one);
  one->add_option("--heatmap", options->heat_map, "draw the core-to-core matrix")
      ->type_name("FILE.svg");
  one->add_flag("--sources", options->sources, "say where each figure comes from");
  one->footer(
      "Examples:\n"
      "  hotline machines show xeon8380-2s --heatmap matrix.svg\n"
      "  hotline machines show generic-8socket --with sockets=16 --sources");
  one->callback([options, &work] { work = [options] { return show(*options); }; });
}

}  // namespace hotline::cli
