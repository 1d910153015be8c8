#include "sim/machine/reader.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "sim/input/document.hpp"
#include "sim/input/suggest.hpp"
#include "sim/input/types.hpp"
#include "sim/machine/description_reader.hpp"
#include "sim/machine/parameters.hpp"

namespace hotline::machine {
namespace {

using input::Diagnostics;
using input::MapReader;
using input::Node;

/// Finds machine files and puts those together that build on one another.
class Library {
 public:
  Library(const Folders& folders, Diagnostics& diagnostics)
      : folders_(folders), diagnostics_(diagnostics) {}

  /// The file that a name stands for; a name with a slash or `.yaml` is a path. Empty, and reported
  /// at `asked`, if there is none.
  std::filesystem::path find(std::string_view name, const input::Value& asked) const {
    const bool is_path = name.find('/') != std::string_view::npos || name.ends_with(".yaml");
    if (is_path) return {name};
    for (const std::filesystem::path& folder : folders_) {
      std::filesystem::path file = folder / (std::string(name) + ".yaml");
      std::error_code error;
      if (std::filesystem::is_regular_file(file, error)) return file;
    }
    asked.error("no machine is called \"" + std::string(name) + "\"; " +
                input::suggestion(name, machine_names(folders_)));
    return {};
  }

  /// The file's document, with everything that it builds on; null if there is nothing to use.
  Node load(std::string_view name, const input::Value& asked) {
    const std::filesystem::path file = find(name, asked);
    if (file.empty()) return {};
    if (std::find(open_.begin(), open_.end(), file) != open_.end()) {
      asked.error("\"" + std::string(name) + "\" builds on itself");
      return {};
    }
    open_.push_back(file);
    Node document = complete(input::load_file(file, diagnostics_));
    open_.pop_back();
    return document;
  }

  /// Follows `extends`: what the document says itself goes before what it builds on.
  Node complete(Node document) {
    if (!document.is_map()) return document;
    const auto at =
        std::find_if(document.members.begin(), document.members.end(),
                     [](const input::Member& member) { return member.key == "extends"; });
    if (at == document.members.end()) return document;
    const Node extends = std::move(at->value);
    document.members.erase(at);
    input::Reading reading{diagnostics_};
    const input::Value asked(reading, extends, "extends");
    const auto name = asked.as(input::text());
    if (!name) return {};
    Node base = load(*name, asked);
    return base.is_map() ? input::merge(std::move(base), document) : Node{};
  }

 private:
  const Folders& folders_;
  Diagnostics& diagnostics_;
  std::vector<std::filesystem::path> open_;
};

void read_machine_map(MapReader& map, MachineFile& machine) {
  machine.about = map.get("about", input::text(), "", "what there is to know about the figures");
  if (map.is_dry()) {
    read_parameters(map);
    map.find("extends", input::text(), "the machine that this one builds on");
    map.value("with", "values for its parameters", [](const input::Value& with) {
      with.entries([](std::string_view, const input::Value& value) { value.as(input::text()); });
    });
  }
  read_description(map, machine.description);
}

/// `path`: of the document inside another, for messages.
MachineFile read_document(Node document, const ParameterValues& given, std::string path,
                          Diagnostics& diagnostics) {
  MachineFile machine;
  if (document.is_null()) {
    // Nothing could be loaded, which has been said; or the document is empty.
    if (!diagnostics.has_errors()) {
      diagnostics.error({document.file ? *document.file : std::string(), document.position, path},
                        "is empty; expected a machine");
    }
    return machine;
  }
  document = substitute_parameters(std::move(document), given, machine.parameters, diagnostics);
  input::Reading reading{diagnostics, &machine.figures};
  input::Value(reading, document, std::move(path)).map([&machine](MapReader& map) {
    read_machine_map(map, machine);
  });
  return machine;
}

MachineFile read_named(std::string_view name, const input::Value& asked,
                       const ParameterValues& given, const Folders& folders,
                       Diagnostics& diagnostics) {
  Library library(folders, diagnostics);
  const std::filesystem::path path = library.find(name, asked);
  if (path.empty()) return {};
  MachineFile machine = read_document(library.load(name, asked), given, {}, diagnostics);
  machine.description.name = path.stem().string();
  machine.path = path;
  return machine;
}

/// `{use: NAME, with: {...}}`.
MachineFile read_use(const input::Value& node, ParameterValues given, const Folders& folders,
                     Diagnostics& diagnostics) {
  MachineFile machine;
  node.map([&](MapReader& map) {
    map.value("with", "values for the machine's parameters", [&given](const input::Value& with) {
      with.entries([&given](std::string_view name, const input::Value& value) {
        given.emplace(name, *value.node());
      });
    });
    map.require_value("use", "a machine's name", [&](const input::Value& use) {
      const auto name = use.as(input::text());
      if (name) machine = read_named(*name, use, given, folders, diagnostics);
    });
  });
  return machine;
}

}  // namespace

MachineFile read_machine(std::string_view name_or_path, const ParameterValues& given,
                         const Folders& folders, Diagnostics& diagnostics) {
  const Node name = input::make_scalar(std::string(name_or_path), {});
  input::Reading reading{diagnostics};
  return read_named(name_or_path, input::Value(reading, name, {}), given, folders, diagnostics);
}

MachineFile read_machine(const Node& node, const ParameterValues& given, const Folders& folders,
                         Diagnostics& diagnostics) {
  input::Reading reading{diagnostics};
  const input::Value value(reading, node, "machine");
  if (node.is_scalar()) {
    const auto name = value.as(input::text());
    return name ? read_named(*name, value, given, folders, diagnostics) : MachineFile{};
  }
  if (node.find("use") != nullptr) return read_use(value, given, folders, diagnostics);
  if (!node.is_map()) {
    value.error(node.found() + " stands here; expected a machine's name or a map");
    return {};
  }
  Library library(folders, diagnostics);
  MachineFile machine = read_document(library.complete(node), given, "machine", diagnostics);
  machine.description.name = "inline";
  return machine;
}

Node filled_document(const Node& node, const Folders& folders, Diagnostics& diagnostics) {
  input::Reading reading{diagnostics};
  Library library(folders, diagnostics);
  ParameterValues given;
  const Node* name = node.is_scalar() ? &node : node.find("use");
  Node document = name == nullptr
                      ? library.complete(node)
                      : library.load(name->text, input::Value(reading, *name, "machine"));
  if (const Node* with = node.find("with")) {
    for (const input::Member& member : with->members) given.emplace(member.key, member.value);
  }
  std::vector<Parameter> parameters;
  return substitute_parameters(std::move(document), given, parameters, diagnostics);
}

Node machine_document(const Node& node, const Folders& folders, Diagnostics& diagnostics) {
  input::Reading reading{diagnostics};
  Library library(folders, diagnostics);
  const Node* name = node.is_scalar() ? &node : node.find("use");
  if (name == nullptr) return library.complete(node);
  Node whole = node;
  const input::Value asked(reading, *name, "machine");
  if (!whole.is_map()) whole.kind = Node::Kind::kMap;
  whole.members.push_back({"document", node.position, library.load(name->text, asked)});
  return whole;
}

ParameterValues parse_parameters(const std::vector<std::string>& texts, std::string_view option,
                                 Diagnostics& diagnostics) {
  ParameterValues values;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      diagnostics.error({std::string(option), {}, {}},
                        "\"" + text + "\" is not a parameter; expected name=value");
      continue;
    }
    values.insert_or_assign(text.substr(0, equals),
                            input::make_scalar(text.substr(equals + 1), option));
  }
  return values;
}

std::vector<MachineInfo> list_machines(const Folders& folders, Diagnostics& diagnostics) {
  std::vector<MachineInfo> machines;
  for (const std::string& name : machine_names(folders)) {
    Diagnostics problems;
    MachineFile file = read_machine(name, {}, folders, problems);
    for (const input::Diagnostic& problem : problems.sorted()) {
      if (problem.severity == input::Severity::kError) {
        diagnostics.error(problem.place, problem.message);
      }
    }
    if (problems.has_errors()) continue;
    const Description& machine = file.description;
    machines.push_back({name, machine.title, file.path,
                        machine.sockets * machine.clusters_per_socket * machine.cores_per_cluster *
                            machine.threads_per_core,
                        std::move(file.parameters)});
  }
  return machines;
}

input::Schema machine_schema() {
  MachineFile unused;
  return input::schema_of(
      "a machine file of hotline", [&unused](MapReader& map) { read_machine_map(map, unused); },
      input::Sources::kAllowed);
}

}  // namespace hotline::machine
