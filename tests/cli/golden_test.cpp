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

/// What the program prints must be the golden file byte for byte; tests/approve writes it anew.
void check_golden(const std::string& name, std::vector<std::string> arguments) {
  const Finished finished = run_hotline(arguments);
  CAPTURE(arguments);
  CHECK(finished.err.empty());
  REQUIRE(finished.exit_code == 0);
  const std::string path = "tests/cli/golden/" + name;
  if (std::getenv("HOTLINE_APPROVE") != nullptr) {
    std::ofstream(path, std::ios::binary) << finished.out;
    return;
  }
  CHECK(finished.out == read_text(path));
  arguments.insert(arguments.end(), {"--host-threads", "1"});
  CHECK(run_hotline(arguments).out == finished.out);
  arguments.back() = std::string("2");  // g++ 12 warns wrongly about assigning the literal
  CHECK(run_hotline(arguments).out == finished.out);
}

}  // namespace

TEST_CASE("a run's text is its golden file, whatever the number of host threads") {
  check_golden("run.txt", {"run", "tests/cli/tiny.yaml"});
}

TEST_CASE("a run's CSV is its golden file, whatever the number of host threads") {
  check_golden("run.csv", {"run", "tests/cli/tiny.yaml", "--csv", "-"});
}

TEST_CASE("a run's JSON is its golden file, whatever the number of host threads") {
  check_golden("run.json", {"run", "tests/cli/tiny.yaml", "--json", "-"});
}

TEST_CASE("a comparison's text is its golden file, whatever the number of host threads") {
  check_golden("compare.txt", {"compare", "tests/cli/tiny.yaml"});
}

TEST_CASE("a comparison's CSV is its golden file, whatever the number of host threads") {
  check_golden("compare.csv", {"compare", "tests/cli/tiny.yaml", "--csv", "-"});
}
