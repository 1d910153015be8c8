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

TEST_CASE("tables in the forms of other tools are their golden files") {
  check_golden("lock-stat.txt", {"run", "tests/cli/tiny.yaml", "--lock-stat"});
  check_golden("lockmeter.txt", {"run", "tests/cli/tiny.yaml", "--lockmeter"});
  check_golden("lock-contention.txt", {"run", "tests/cli/tiny.yaml", "--lock-contention"});
  check_golden("lock-contention-task.txt",
               {"run", "tests/cli/tiny.yaml", "--lock-contention=task"});
  check_golden("lock-contention-lock.txt",
               {"run", "tests/cli/tiny.yaml", "--lock-contention=lock"});
  check_golden("profile.txt", {"run", "tests/cli/tiny.yaml", "--profile"});
  check_golden("folded.txt", {"run", "tests/cli/tiny.yaml", "--folded", "-"});
  check_golden("breakdown.txt", {"run", "tests/cli/tiny.yaml", "--breakdown"});
  check_golden("c2c.txt", {"run", "tests/cli/tiny.yaml", "--c2c"});
  check_golden("trace.json", {"run", "tests/cli/tiny.yaml", "--trace", "-", "--trace-window",
                              "3us..5us", "--trace-sample", "2"});
  check_golden("breakdown-variants.txt", {"compare", "tests/cli/tiny.yaml", "--breakdown"});
  check_golden("profile-diff.txt", {"compare", "tests/cli/tiny.yaml", "--diff"});
}

TEST_CASE("bulkstat's profile has the functions of the published one in their order") {
  const Finished finished =
      run_hotline({"run", "workloads/kernel/bulkstat-inode-list.yaml", "--profile"});
  REQUIRE(finished.exit_code == 0);
  std::size_t at = 0;
  for (const char* line : {"%  bstat    _raw_spin_lock\n", "---_raw_spin_lock\n", "%--evict\n",
                           "%--inode_sb_list_add\n", "%--inode_wait_for_writeback\n",
                           "%--__remove_inode_hash\n", "%  bstat    do_raw_spin_unlock\n"}) {
    CAPTURE(line, finished.out);
    at = finished.out.find(line, at);
    REQUIRE(at != std::string::npos);
  }
}

TEST_CASE(
    "c2c names the counters of message queues that share a line, and what parting them does") {
  const Finished finished = run_hotline(
      {"run", "workloads/kernel/ipc-msg-percpu.yaml", "--threads", "16", "--c2c", "--replications",
       "2", "--set", "measure.warm_up=200us", "--set", "measure.duration=300us"});
  CAPTURE(finished.out);
  REQUIRE(finished.exit_code == 0);
  CHECK(finished.out.find("the fields msg_bytes and msg_hdrs of ns") != std::string::npos);
  CHECK(finished.out.find("with msg_hdrs on a line of its own:") != std::string::npos);
}

TEST_CASE("a window of a trace that is none is refused") {
  const Finished finished =
      run_hotline({"run", "tests/cli/tiny.yaml", "--trace", "-", "--trace-window", "5us..3us"});
  CHECK(finished.exit_code == 2);
  CHECK(finished.err ==
        "hotline: error: --trace-window: \"5us..3us\" is no window of simulated "
        "time; write 100us..150us\n");
}

TEST_CASE("a quiet run prints what was asked for and nothing else") {
  CHECK(run_hotline({"run", "tests/cli/tiny.yaml", "--quiet"}).out.empty());
  const Finished json = run_hotline({"run", "tests/cli/tiny.yaml", "--quiet", "--json", "-"});
  CHECK(json.out == read_text("tests/cli/golden/run.json"));
  const Finished both = run_hotline({"run", "tests/cli/tiny.yaml", "--lock-stat", "--json", "-"});
  CHECK(both.exit_code == 2);
  CHECK(both.err == "hotline: error: --json - and a table cannot both go to standard output\n");
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
