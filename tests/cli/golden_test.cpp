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

/// The same for commands that have no replications to spread over host threads.
void check_golden_once(const std::string& name, const std::vector<std::string>& arguments) {
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

TEST_CASE("the timelines of grace periods are their golden files") {
  const auto explain = [](std::vector<std::string> more) {
    std::vector<std::string> all{"explain", "grace-period", "--machine", "skylake-client-4c"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  check_golden_once("grace-period.txt", explain({"--hz", "1000", "--busy", "2"}));
  check_golden_once("grace-period-expedited.txt",
                    explain({"--expedited", "--preemption", "full", "--busy", "2", "--callers", "2",
                             "--details"}));
  check_golden_once("grace-period-rt.txt",
                    explain({"--expedited", "--preemption", "rt", "--busy", "3"}));
}

TEST_CASE("a grace period that cannot end is a problem found") {
  const Finished finished = run_hotline(
      {"explain", "grace-period", "--machine", "skylake-client-4c", "--busy", "1", "--kernel"});
  CHECK(finished.exit_code == 1);
  CHECK(finished.out.find("not over after ten seconds") != std::string::npos);
}

TEST_CASE("a stretch of a run is its golden file") {
  const std::vector<std::string> explain{"explain", "tests/cli/tiny.yaml", "--from", "2us", "--to",
                                         "2300ns"};
  check_golden_once("explain.txt", explain);
  std::vector<std::string> csv = explain;
  csv.insert(csv.end(), {"--csv", "-"});
  check_golden_once("explain.csv", csv);
}
