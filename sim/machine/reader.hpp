#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/input/diagnostics.hpp"
#include "sim/input/figure.hpp"
#include "sim/input/node.hpp"
#include "sim/input/schema.hpp"
#include "sim/machine/description.hpp"

/// From machine files (docs/machines.md) to Descriptions.
namespace hotline::machine {

/// Values that the user gives for a machine's parameters, as scalars: `--with sockets=64`.
using ParameterValues = std::map<std::string, input::Node, std::less<>>;

/// A parameter that a machine file declares.
struct Parameter {
  std::string name;
  std::string fallback;  ///< the default as the file spells it
  std::string description;
};

/// Everything that a machine file says.
struct MachineFile {
  Description description;
  std::filesystem::path path;  ///< empty for a machine inside a workload
  std::string about;           ///< what there is to know about its figures
  std::vector<Parameter> parameters;
  input::Figures figures;  ///< every figure with its origin, in the order of the file
};

/// Where machine files are looked for, the first hit counting.
using Folders = std::vector<std::filesystem::path>;

/// The folder the user named (if any), ./configs, the source tree this program was built from, and
/// the folder it would be installed to; those that exist.
Folders machine_folders(const std::filesystem::path& first = {});

/// Reads a machine by its name (`hps448`) or by the path of its file. What is wrong with it goes to
/// `diagnostics`; with errors there, the result is not to be used.
MachineFile read_machine(std::string_view name_or_path, const ParameterValues& given,
                         const Folders& folders, input::Diagnostics& diagnostics);

/// Reads a machine as a workload states it: a name, `{use: NAME, with: {...}}`, or a whole machine
/// (which may build on another by `extends`). `given` goes before what the node says.
MachineFile read_machine(const input::Node& node, const ParameterValues& given,
                         const Folders& folders, input::Diagnostics& diagnostics);

/// The document of a machine as read_machine would read it for this node: with everything that it
/// builds on, parameters put in. Changes to it can reach every figure.
input::Node filled_document(const input::Node& node, const Folders& folders,
                            input::Diagnostics& diagnostics);
/// Everything that read_machine would read for this node, unread: the machine's document with all
/// it builds on, beside what the node says about it. Two nodes of one document mean one machine.
input::Node machine_document(const input::Node& node, const Folders& folders,
                             input::Diagnostics& diagnostics);

/// The parameter values of `name=value` texts; malformed ones are reported under `option`.
ParameterValues parse_parameters(const std::vector<std::string>& texts, std::string_view option,
                                 input::Diagnostics& diagnostics);

/// The names of all machine files, sorted; a name found twice counts once, the first folder's.
std::vector<std::string> machine_names(const Folders& folders);

/// A line of `hotline machines`.
struct MachineInfo {
  std::string name;
  std::string title;
  std::filesystem::path path;
  std::uint32_t cpus = 0;
  std::vector<Parameter> parameters;
};

/// All machines with their titles; files that cannot be read go to `diagnostics` and are left out.
std::vector<MachineInfo> list_machines(const Folders& folders, input::Diagnostics& diagnostics);

/// The JSON Schema of machine files.
input::Schema machine_schema();

}  // namespace hotline::machine
