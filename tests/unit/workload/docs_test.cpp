#include <fstream>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

// Every example of docs/workloads.md is read by the reader it explains.
namespace hotline::tests {
namespace {

struct Block {
  std::string text;
  int line = 0;
};

/// The code blocks of a page that begin with ```yaml.
std::vector<Block> yaml_blocks(const char* file) {
  std::vector<Block> blocks;
  std::ifstream in(file);
  std::string line;
  bool inside = false;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line == "```yaml") {
      inside = true;
      blocks.push_back({"", number + 1});
    } else if (line == "```") {
      inside = false;
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

/// A list of steps as the program of a workload that has what the steps of the page talk about.
std::string around(const std::string& steps) {
  std::string text = R"(machine: skylake-client-4c
measure: {duration: 10us}
variables: {seen: 0, length: 20, critical: 100ns}
objects:
  lock: {model: mcs}
  hits: {model: percpu-counter}
  entries: {count: 32, size: 128B, fields: {next: {}}}
  queue: {count: per_thread, size: 192B, fields: {lock: {at: 0B, model: ticket}, head: {at: 64B}}}
  ns: {size: 256B, fields: {limit: {at: 0B}, flag: {at: 64B}, slots: {at: 128B, count: 8}}}
functions:
  msgsnd: [{compute: 500ns}, {add: hits}]
threads:
  workers:
    program:
)";
  std::istringstream in(steps);
  for (std::string line; std::getline(in, line);) text += "      " + line + "\n";
  return text;
}

}  // namespace

TEST_CASE("the example of the page about fitting is accepted") {
  const std::vector<Block> blocks = yaml_blocks("docs/fit.md");
  REQUIRE(blocks.size() == 1);
  CHECK(workload::Workload::parse(blocks.front().text, "docs.yaml").ranges().size() == 2);
}

TEST_CASE("every example of the page about workloads is accepted") {
  const std::vector<Block> blocks = yaml_blocks("docs/workloads.md");
  CHECK(blocks.size() >= 8);
  for (const Block& block : blocks) {
    INFO("docs/workloads.md:" << block.line);
    const bool steps = block.text.starts_with("- ");
    CHECK_NOTHROW(workload::Workload::parse(steps ? around(block.text) : block.text, "docs.yaml"));
  }
}

}  // namespace hotline::tests
