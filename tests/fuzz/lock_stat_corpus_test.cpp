#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/measure/lock_stat_file.hpp"
#include "tests/catch.hpp"

namespace hotline::measure {
namespace {

TEST_CASE("every damaged lock_stat ends in a message with its line, never in a crash") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/fuzz/corpus/lock_stat")) {
    ++files;
    CAPTURE(entry.path());
    std::ifstream stream(entry.path());
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    input::Diagnostics diagnostics;
    (void)parse_lock_stat(text, entry.path().string(), diagnostics);
    REQUIRE(diagnostics.errors() >= 1);
    const input::Diagnostic first = diagnostics.sorted().front();
    CHECK(first.place.position.line >= 1);
    CHECK(first.place.position.column >= 1);
    CHECK_FALSE(first.message.empty());
  }
  CHECK(files >= 15);
}

}  // namespace
}  // namespace hotline::measure
