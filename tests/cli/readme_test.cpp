#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/process.hpp"

using hotline::tests::Finished;
using hotline::tests::read_text;
using hotline::tests::run_hotline;

namespace {

/// The README's block of code that begins so is what the command prints from there to before `end`
/// (if any); tests/approve writes it anew.
void check_readme(const std::string& begin, const std::string& end,
                  const std::vector<std::string>& arguments) {
  const Finished finished = run_hotline(arguments);
  REQUIRE(finished.exit_code == 0);
  const std::size_t from = finished.out.find(begin);
  REQUIRE(from != std::string::npos);
  const std::size_t to = end.empty() ? finished.out.size() : finished.out.find(end, from);
  REQUIRE(to != std::string::npos);
  const std::string printed = finished.out.substr(from, to - from);
  std::string readme = read_text("README.md");
  const std::string fence = "```\n";
  const std::size_t block = readme.find(fence + begin);
  REQUIRE(block != std::string::npos);
  const std::size_t shown = block + fence.size();
  const std::size_t length = readme.find(fence, shown) - shown;
  if (std::getenv("HOTLINE_APPROVE") != nullptr) {
    readme.replace(shown, length, printed);
    std::ofstream("README.md", std::ios::binary) << readme;
    return;
  }
  CHECK(readme.substr(shown, length) == printed);
}

}  // namespace

TEST_CASE("the README shows a transfer as it is printed") {
  check_readme("xeon8380-2s: CPU 41", "",
               {"explain", "transfer", "--machine", "xeon8380-2s", "--from", "3", "--to", "41"});
}

TEST_CASE("the README shows a comparison as it is printed", "[slow]") {
  check_readme("threads  ", "\nWhere the time goes",
               {"compare", "workloads/kernel/ipc-msg-percpu.yaml"});
}
