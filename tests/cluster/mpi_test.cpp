#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/process.hpp"

using hotline::tests::contains_text;
using hotline::tests::Finished;
using hotline::tests::hotline_with;
using hotline::tests::read_text;
using hotline::tests::run_hotline;
using hotline::tests::run_program;
using hotline::tests::Running;
using hotline::tests::TemporaryFolder;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

/// As root in CI, and with more processes than the machine has cores.
Words under_mpi(int ranks, const Words& arguments) {
  Words words{MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", std::to_string(ranks)};
  const Words hotline = hotline_with(arguments);
  words.insert(words.end(), hotline.begin(), hotline.end());
  return words;
}

/// The sweep of tests/cli/golden/sweep.csv, and the same with simulations that take longer.
Words sweep(const std::string& store, const Words& more = {}) {
  Words words{"sweep",   "tests/cli/tiny.yaml",
              "--set",   "threads=1..4:log",
              "--set",   "objects.gate.model=ticket,mcs",
              "--store", store,
              "--csv",   "-"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Words long_sweep(const std::string& store) {
  return sweep(store, {"--set", "measure.duration=3ms"});
}

std::vector<int> children_of(int process) {
  const std::string id = std::to_string(process);
  std::ifstream file("/proc/" + id + "/task/" + id + "/children");
  std::vector<int> children;
  for (int child = 0; file >> child;) children.push_back(child);
  return children;
}

}  // namespace

TEST_CASE("a sweep under mpirun prints the same bytes with any number of ranks, fresh or stored") {
  for (const int ranks : {1, 2, 3, 4}) {
    const TemporaryFolder folder;
    const std::string store = folder / "s.db";
    const Finished fresh = run_program(under_mpi(ranks, sweep(store)));
    CAPTURE(ranks, fresh.err);
    CHECK(fresh.exit_code == 0);
    CHECK(fresh.out == read_text("tests/cli/golden/sweep.csv"));
    CHECK(run_program(under_mpi(ranks, sweep(store))).out == fresh.out);
    CHECK(run_hotline(sweep(store)).out == fresh.out);
  }
}

TEST_CASE("a precision gives the same replications under mpirun as without") {
  const TemporaryFolder folder;
  const Words more{"--precision", "5%", "--max-replications", "40"};
  const Finished ranks = run_program(under_mpi(3, sweep(folder / "ranks.db", more)));
  CHECK(ranks.exit_code == 0);
  CHECK(ranks.out == run_hotline(sweep(folder / "one.db", more)).out);
}

TEST_CASE("a rank that dies costs nothing that was finished; the store goes on") {
  const TemporaryFolder folder;
  const std::string whole = run_hotline(long_sweep(folder / "whole.db")).out;
  const std::string store = folder / "s.db";
  Running running(under_mpi(3, long_sweep(store)));
  std::error_code error;
  while (!running.has_ended()) {
    const auto log = fs::file_size(store + "-wal", error);
    if (!error && log > 16'000) break;
  }
  const std::vector<int> ranks = children_of(running.process());
  if (!ranks.empty()) ::kill(ranks.back(), SIGKILL);
  running.wait();
  CHECK(run_program(under_mpi(2, long_sweep(store))).out == whole);
}

TEST_CASE("what is wrong is told once, and all ranks end") {
  const TemporaryFolder folder;
  const auto told = [&](const Words& more, const std::string& store) {
    const Finished finished = run_program(under_mpi(3, sweep(store, more)));
    CHECK(finished.exit_code == 2);
    CHECK(finished.out.empty());
    const std::string mark = "error: ";
    CHECK(finished.err.find(mark) == finished.err.rfind(mark));
    return finished.err;
  };
  CHECK_THAT(told({"--set", "objects.gat.model=mcs"}, folder / "s.db"),
             contains_text("did you mean \"gate\"?"));
  CHECK_THAT(told({}, "/sys/s.db"), contains_text("cannot open store /sys/s.db"));
}
