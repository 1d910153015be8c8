#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/process.hpp"

using hotline::tests::contains_text;
using hotline::tests::Finished;
using hotline::tests::read_text;
using hotline::tests::run_hotline;
using hotline::tests::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// tiny.yaml with one text replaced by another.
std::string damaged(const std::string& what, const std::string& by) {
  std::string text = read_text("tests/cli/tiny.yaml");
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

std::vector<fs::path> damaged_files(const char* folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

TEST_CASE("a missing workload file is named") {
  const Finished finished = run_hotline({"run", "no/such/file.yaml"});
  CHECK(finished.exit_code == 2);
  CHECK(finished.out.empty());
  CHECK_THAT(finished.err, contains_text("no/such/file.yaml"));
}

TEST_CASE("an unknown key is told with file, line, column and the nearest spelling") {
  const TemporaryFolder folder;
  const std::string file = folder.file("w.yaml", damaged("warm_up", "warmup"));
  const Finished finished = run_hotline({"run", file});
  CHECK(finished.exit_code == 2);
  CHECK(finished.out.empty());
  CHECK_THAT(finished.err, contains_text(file + ":"));
  CHECK_THAT(finished.err, contains_text("error: measure.warmup"));
  CHECK_THAT(finished.err, contains_text("did you mean \"warm_up\"?"));
}

TEST_CASE("all that is wrong with a file is told at once") {
  const TemporaryFolder folder;
  std::string text = damaged("warm_up", "warmup");
  text.replace(text.find("model: ticket"), 13, "model: tickte");
  const Finished finished = run_hotline({"compare", folder.file("w.yaml", text)});
  CHECK(finished.exit_code == 2);
  CHECK_THAT(finished.err, contains_text("did you mean \"warm_up\"?"));
  CHECK_THAT(finished.err, contains_text("did you mean \"ticket\"?"));
}

TEST_CASE("an unknown variant gets the nearest spelling") {
  const Finished run = run_hotline({"run", "tests/cli/tiny.yaml", "--variant", "befroe"});
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.err, contains_text("did you mean \"before\"?"));
  const Finished compare =
      run_hotline({"compare", "tests/cli/tiny.yaml", "--variants", "before,aftre"});
  CHECK(compare.exit_code == 2);
  CHECK_THAT(compare.err, contains_text("did you mean \"after\"?"));
}

TEST_CASE("a change to what does not exist gets the nearest spelling") {
  const Finished finished =
      run_hotline({"run", "tests/cli/tiny.yaml", "--set", "objects.gat.model=mcs"});
  CHECK(finished.exit_code == 2);
  CHECK_THAT(finished.err, contains_text("did you mean"));
  CHECK_THAT(finished.err, contains_text("gate"));
}

TEST_CASE("a machine, a model and a tie order that do not exist are named") {
  const Finished machine = run_hotline({"machines", "show", "hps44"});
  CHECK(machine.exit_code == 2);
  CHECK_THAT(machine.err, contains_text("did you mean \"hps448\"?"));
  const Finished model = run_hotline({"models", "qspinlok"});
  CHECK(model.exit_code == 2);
  CHECK_THAT(model.err, contains_text("did you mean \"qspinlock\"?"));
  const Finished order = run_hotline({"run", "tests/cli/tiny.yaml", "--tie-order", "shuffle:x"});
  CHECK(order.exit_code == 2);
  CHECK_THAT(order.err, contains_text("write fifo or shuffle:SEED"));
}

TEST_CASE("a library of models that cannot be loaded is named") {
  const Finished finished = run_hotline({"models", "--models", "./no-such-library.so"});
  CHECK(finished.exit_code == 2);
  CHECK_THAT(finished.err, contains_text("no-such-library.so"));
}

TEST_CASE("a CPU that the machine does not have is named with its bounds") {
  const Finished finished = run_hotline(
      {"explain", "transfer", "--machine", "skylake-client-4c", "--from", "0", "--to", "99"});
  CHECK(finished.exit_code == 2);
  CHECK_THAT(finished.err, contains_text("--to 99: the machine's CPUs are numbered 0 to 7"));
}

TEST_CASE("an output that cannot be written stops before the run, and nothing is left") {
  const TemporaryFolder folder;
  const std::string path = (folder / "missing").string() + "/out.json";
  const Finished finished = run_hotline({"run", "tests/cli/tiny.yaml", "--json", path});
  CHECK(finished.exit_code == 2);
  CHECK(finished.out.empty());
  CHECK_THAT(finished.err, contains_text("cannot write " + path + ": No such file or directory"));
  CHECK(folder.entries() == 0);
}

TEST_CASE("wrong input leaves an earlier result untouched") {
  const TemporaryFolder folder;
  const std::string out = folder.file("out.csv", "earlier\n");
  const Finished finished = run_hotline({"run", "no/such/file.yaml", "--csv", out});
  CHECK(finished.exit_code == 2);
  CHECK(read_text(out) == "earlier\n");
  CHECK(folder.entries() == 1);
}

TEST_CASE("standard output that cannot be written ends in exit code 2") {
  if (!fs::exists("/dev/full")) return;
  const Finished finished = run_hotline({"run", "tests/cli/tiny.yaml", "--csv", "/dev/full"});
  CHECK(finished.exit_code == 2);
  CHECK_THAT(finished.err, contains_text("No space left on device"));
}

TEST_CASE("each damaged workload file gives a message and exit code 2") {
  const auto files = damaged_files("tests/fuzz/corpus/workloads");
  CHECK(files.size() >= 50);
  for (const fs::path& file : files) {
    CAPTURE(file);
    const Finished finished = run_hotline({"run", file.string()});
    CHECK(finished.exit_code == 2);
    CHECK(finished.out.empty());
    CHECK_THAT(finished.err, contains_text("error"));
  }
}

TEST_CASE("each damaged machine file gives a message and exit code 2") {
  const auto files = damaged_files("tests/fuzz/corpus/machines");
  CHECK(files.size() >= 50);
  for (const fs::path& file : files) {
    CAPTURE(file);
    const Finished finished = run_hotline({"machines", "show", file.string()});
    CHECK(finished.exit_code == 2);
    CHECK(finished.out.empty());
    CHECK_THAT(finished.err, contains_text("error"));
  }
}

TEST_CASE("results that are none are refused, and no page is left behind") {
  const TemporaryFolder folder;
  const std::string page = (folder / "r.html").string();
  for (const char* results : {"tests/cli/tiny.yaml", "no/such/result.json"}) {
    const Finished finished = run_hotline({"report", results, "-o", page});
    CHECK(finished.exit_code == 2);
    CHECK_FALSE(fs::exists(page));
    // A build without node says so, whatever the file.
    if (finished.err.find("node and npm") == std::string::npos) {
      CHECK_THAT(finished.err, contains_text(results));
    }
  }
}

TEST_CASE("a stretch needs its times, the right way round") {
  const std::string file = "tests/cli/tiny.yaml";
  const auto refusal = [](std::vector<std::string> more) {
    more.insert(more.begin(), "explain");
    const Finished finished = run_hotline(more);
    CHECK(finished.exit_code == 2);
    CHECK(finished.out.empty());
    return finished.err;
  };
  CHECK_THAT(refusal({}), contains_text("needs a workload file, transfer or grace-period"));
  CHECK_THAT(refusal({file}), contains_text("needs --from and --to"));
  CHECK_THAT(refusal({file, "--from", "2us", "--to", "1us"}), contains_text("must be later"));
  CHECK_THAT(refusal({file, "--from", "2", "--to", "3us"}),
             contains_text("--from: \"2\" has no unit"));
}

TEST_CASE("a lesson that there is none of is answered with the nearest name") {
  const Finished finished = run_hotline({"learn", "fals-sharing"});
  CHECK(finished.exit_code == 2);
  CHECK_THAT(finished.err, contains_text("did you mean \"false-sharing\"?"));
}
