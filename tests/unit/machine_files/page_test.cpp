#include <fstream>
#include <iterator>

#include "sim/machine/topology.hpp"
#include "tests/catch.hpp"
#include "tests/unit/machine_files/small_machine.hpp"

namespace hotline::machine::tests {
namespace {

/// The blocks of a page that are marked as YAML.
std::vector<std::string> yaml_blocks(const std::string& file) {
  std::ifstream stream(file);
  std::vector<std::string> blocks;
  bool is_inside = false;
  for (std::string line; std::getline(stream, line);) {
    if (line == "```yaml") {
      blocks.emplace_back();
      is_inside = true;
    } else if (line == "```") {
      is_inside = false;
    } else if (is_inside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

/// The block as a whole machine: itself if it is one, else laid upon the small machine.
input::Node as_machine(const std::string& block, input::Diagnostics& diagnostics) {
  input::Node node = input::load_text(block, "docs/machines.md", diagnostics);
  for (const char* key : {"extends", "use", "title"}) {
    if (node.find(key) != nullptr) return node;
  }
  input::Node base = input::load_text(kSmallMachine, "small", diagnostics);
  // A block that joins nodes does so instead of the small machine's links.
  if (node.find("interconnect") != nullptr) base.find("interconnect")->members.clear();
  return input::merge(std::move(base), node);
}

TEST_CASE("every YAML block of docs/machines.md is a machine or fits into one") {
  const std::vector<std::string> blocks = yaml_blocks("docs/machines.md");
  CHECK(blocks.size() >= 9);
  for (const std::string& block : blocks) {
    CAPTURE(block);
    input::Diagnostics diagnostics;
    const input::Node node = as_machine(block, diagnostics);
    const MachineFile file = read_machine(node, {}, {"configs"}, diagnostics);
    CHECK(diagnostics.text() == "");
    CHECK_NOTHROW(Topology(file.description));
  }
}

TEST_CASE("docs/machines.md has a line for every machine") {
  std::ifstream stream("docs/machines.md");
  const std::string page(std::istreambuf_iterator<char>(stream), {});
  for (const std::string& name : machine_names({"configs"})) {
    CAPTURE(name);
    const bool is_generic = name.starts_with("generic-");
    CHECK(page.find(is_generic ? "generic-Nsocket" : "| " + name) != std::string::npos);
  }
}

}  // namespace
}  // namespace hotline::machine::tests
