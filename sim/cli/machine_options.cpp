#include "sim/cli/machine_options.hpp"

#include "sim/cli/log.hpp"

namespace hotline::cli {

void MachineOptions::add_parameters_to(CLI::App& command) {
  command.add_option("--with", parameters, "parameter of the machine")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  command.add_option("--configs", configs, "folder in which machines are looked for first")
      ->type_name("FOLDER");
}

machine::MachineFile MachineOptions::read() const {
  input::Diagnostics diagnostics;
  const auto given = machine::parse_parameters(parameters, "--with", diagnostics);
  machine::MachineFile file =
      machine::read_machine(name, given, machine::machine_folders(configs), diagnostics);
  report_problems(diagnostics);
  return file;
}

}  // namespace hotline::cli
