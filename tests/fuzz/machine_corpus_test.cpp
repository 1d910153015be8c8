#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/input/document.hpp"
#include "sim/machine/reader.hpp"
#include "tests/catch.hpp"

namespace hotline::machine {
namespace {

std::vector<std::filesystem::path> corpus() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator("tests/fuzz/corpus/machines")) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST_CASE("every damaged machine file ends in a message, never in a crash or a machine") {
  const auto files = corpus();
  CHECK(files.size() >= 50);
  for (const std::filesystem::path& file : files) {
    CAPTURE(file);
    input::Diagnostics diagnostics;
    read_machine(file.string(), {}, {"configs"}, diagnostics);
    CHECK(diagnostics.errors() >= 1);
    CHECK_THROWS_AS(diagnostics.throw_if_errors(), input::InputError);
    const input::Diagnostic first = diagnostics.sorted().front();
    CHECK_FALSE(first.message.empty());
    CHECK_THAT(first.place.file, tests::contains_text("tests/fuzz/corpus/machines/"));
  }
}

TEST_CASE("a machine file cut off at any place never crashes the reader") {
  for (const char* name : {"configs/generic-8socket.yaml", "configs/epyc7742-2s.yaml"}) {
    std::ifstream stream(name);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    for (std::size_t cut = 0; cut < text.size(); cut += 29) {
      input::Diagnostics diagnostics;
      const input::Node node = input::load_text(text.substr(0, cut), name, diagnostics);
      if (diagnostics.has_errors()) continue;
      CHECK_NOTHROW(read_machine(node, {}, {"configs"}, diagnostics));
    }
  }
}

}  // namespace
}  // namespace hotline::machine
