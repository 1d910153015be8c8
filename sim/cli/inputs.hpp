#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/cli/scenario_options.hpp"
#include "sim/report/document.hpp"

namespace hotline::cli {

/// The words of a command line, quoted for a shell.
[[nodiscard]] std::string shell_line(const std::vector<std::string>& words);

/// The command line that gives the same result again: `verb` ("run"), the options of `more` and
/// those of `options` that change a result, quoted for a shell.
[[nodiscard]] std::string command_line(std::string_view verb, const std::vector<std::string>& more,
                                       const ScenarioOptions& options);

/// Adds to a document what reproduces it: version, command, and the text of the workload, of the
/// machines it ran on, and of the machines that those build on.
void add_inputs(report::Document& document, const ScenarioOptions& options,
                const std::string& command, const std::vector<std::string>& machines);

}  // namespace hotline::cli
