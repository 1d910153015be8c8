#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/workload/run.hpp"
#include "sim/workload/workload.hpp"
#include "tests/catch.hpp"

namespace hotline::workload {
namespace {

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator("tests/fuzz/corpus/workloads")) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST_CASE("every damaged workload file ends in a message, never in a crash or a workload") {
  const auto files = corpus();
  CHECK(files.size() >= 50);
  for (const std::filesystem::path& file : files) {
    CAPTURE(file);
    try {
      Workload::load(file);
      FAIL("was accepted");
    } catch (const input::InputError& error) {
      CHECK(error.diagnostics().errors() >= 1);
      CHECK_FALSE(error.diagnostics().sorted().front().message.empty());
    }
  }
}

TEST_CASE("a workload file cut off at any place never crashes the reader") {
  std::ifstream stream("workloads/kernel/ipc-msg-percpu.yaml");
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  for (std::size_t cut = 0; cut < text.size(); cut += 97) {
    try {
      Workload::parse(text.substr(0, cut), "cut.yaml");
    } catch (const input::InputError& error) {
      CHECK(error.diagnostics().errors() >= 1);
    }
  }
}

}  // namespace
}  // namespace hotline::workload
