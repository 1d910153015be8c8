#pragma once

#include <string>
#include <vector>

#include "sim/cli/command.hpp"
#include "sim/machine/reader.hpp"

namespace hotline::cli {

/// A machine as a command line names it.
struct MachineOptions {
  std::string name;
  std::vector<std::string> parameters;
  std::string configs;

  /// --with and --configs.
  void add_parameters_to(CLI::App& command);
  /// Throws input::InputError with everything that is wrong; logs warnings.
  [[nodiscard]] machine::MachineFile read() const;
};

}  // namespace hotline::cli
