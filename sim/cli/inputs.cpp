#include "sim/cli/inputs.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/input/document.hpp"
#include "sim/machine/reader.hpp"

namespace hotline::cli {

namespace {

namespace fs = std::filesystem;
using Inputs = std::vector<std::pair<std::string, std::string>>;

bool is_plain(char letter) {
  constexpr std::string_view kPlain = "_-./,:=+@%*[]";
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
         kPlain.find(letter) != std::string_view::npos;
}

std::string quoted(const std::string& word) {
  constexpr std::string_view kPatterns = "*[]";  // a shell would look for files
  const bool plain = std::all_of(word.begin(), word.end(), is_plain) && !word.empty() &&
                     word.find_first_of(kPatterns) == std::string::npos;
  if (plain) return word;
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? "'\\''" : std::string(1, letter);
  return text + "'";
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The file of a machine that a file or command line names, or an empty path.
fs::path machine_file(const std::string& name, const machine::Folders& folders) {
  if (name.find('/') != std::string::npos || name.ends_with(".yaml")) return name;
  for (const fs::path& folder : folders) {
    if (fs::is_regular_file(folder / (name + ".yaml"))) return folder / (name + ".yaml");
  }
  return {};
}

/// A machine and what it extends, unless they are known.
void add_machine(Inputs& inputs, std::string name, const machine::Folders& folders) {
  for (;;) {
    const fs::path file = machine_file(name, folders);
    if (file.empty() || !fs::is_regular_file(file)) return;
    const std::string shown = file.filename().string();
    const bool known = std::any_of(inputs.begin(), inputs.end(),
                                   [&](const auto& input) { return input.first == shown; });
    if (known) return;
    inputs.emplace_back(shown, text_of(file));
    input::Diagnostics unused;
    const input::Node document = input::load_text(inputs.back().second, shown, unused);
    const input::Node* base = document.find("extends");
    if (base == nullptr || !base->is_scalar()) return;
    name = base->text;
  }
}

}  // namespace

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + quoted(word);
  return line;
}

std::string command_line(std::string_view verb, const std::vector<std::string>& more,
                         const ScenarioOptions& options) {
  std::vector<std::string> words{"hotline", std::string(verb), options.file};
  const auto add = [&words](const char* option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  words.insert(words.end(), more.begin(), more.end());
  if (options.machine) add("--machine", *options.machine);
  for (const std::string& parameter : options.parameters) add("--with", parameter);
  for (const std::string& change : options.changes) add("--set", change);
  if (!options.configs.empty()) add("--configs", options.configs);
  for (const std::string& library : options.libraries) add("--models", library);
  if (options.seed) add("--seed", std::to_string(*options.seed));
  if (options.replications) add("--replications", *options.replications);
  if (options.precision) {
    add("--precision", *options.precision);
    add("--max-replications", std::to_string(options.max_replications));
  }
  if (options.tie_order != "fifo") add("--tie-order", options.tie_order);
  return shell_line(words);
}

void add_inputs(report::Document& document, const ScenarioOptions& options,
                const std::string& command, const std::vector<std::string>& machines) {
  document.facts.emplace_back("version", std::string(HOTLINE_VERSION));
  document.facts.emplace_back("command", command);
  document.inputs.emplace_back(fs::path(options.file).filename().string(), text_of(options.file));
  const machine::Folders folders = machine::machine_folders(options.configs);
  if (options.machine) add_machine(document.inputs, *options.machine, folders);
  for (const std::string& machine : machines) add_machine(document.inputs, machine, folders);
}

}  // namespace hotline::cli
