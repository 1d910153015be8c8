#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

#include "tests/catch.hpp"
#include "tests/cli/process.hpp"

using hotline::tests::contains_text;
using hotline::tests::Finished;
using hotline::tests::hotline_with;
using hotline::tests::read_text;
using hotline::tests::run_hotline;
using hotline::tests::run_hotline_with_short_files;
using hotline::tests::Running;
using hotline::tests::TemporaryFolder;
namespace fs = std::filesystem;
using Words = std::vector<std::string>;

namespace {

/// A sweep of six points, two variants each.
Words sweep(const std::string& store, const Words& more = {}) {
  Words words{"sweep", "tests/cli/tiny.yaml",           "--set",   "threads=1..4:log",
              "--set", "objects.gate.model=ticket,mcs", "--store", store};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// The same with simulations that take long enough to be interrupted.
Words long_sweep(const std::string& store) {
  return sweep(store, {"--set", "measure.duration=3ms", "--csv", "-"});
}

void check_golden(const std::string& name, const Words& more) {
  const std::string path = "tests/cli/golden/" + name;
  for (const char* host_threads : {"1", "2"}) {
    const TemporaryFolder folder;
    Words words = sweep(folder / "s.db", more);
    words.insert(words.end(), {"--host-threads", host_threads});
    const Finished fresh = run_hotline(words);
    CHECK(fresh.err.empty());
    REQUIRE(fresh.exit_code == 0);
    if (std::getenv("HOTLINE_APPROVE") != nullptr) {
      std::ofstream(path, std::ios::binary) << fresh.out;
      continue;
    }
    CHECK(fresh.out == read_text(path));
    CHECK(run_hotline(words).out == fresh.out);  // from the store
  }
}

/// Has every attempt to put a sample into the store leave a row, also one that comes too late.
void count_puts_in(const std::string& store) {
  REQUIRE(run_hotline(sweep(store, {"--shard", "6/6"})).exit_code == 0);
  SQLite::Database database(store, SQLite::OPEN_READWRITE);
  database.exec("DELETE FROM samples");
  database.exec("CREATE TABLE puts (seed INTEGER)");
  database.exec(
      "CREATE TRIGGER count_puts BEFORE INSERT ON samples"
      " BEGIN INSERT INTO puts VALUES (NEW.seed); END");
}

/// Rows of a table; the store may be in use.
int count(const std::string& store, const std::string& table) {
  constexpr int kPatienceMilliseconds = 10'000;
  const SQLite::Database database(store, SQLite::OPEN_READONLY, kPatienceMilliseconds);
  SQLite::Statement rows(database, "SELECT count(*) FROM " + table);
  rows.executeStep();
  return rows.getColumn(0).getInt();
}

std::string problem(const Words& words) {
  const Finished finished = run_hotline(words);
  CHECK(finished.exit_code == 2);
  CHECK(finished.out.empty());
  return finished.err;
}

}  // namespace

TEST_CASE("a sweep's text is its golden file, fresh or stored, with any number of host threads") {
  check_golden("sweep.txt", {});
}

TEST_CASE("a sweep's CSV is its golden file, fresh or stored, with any number of host threads") {
  check_golden("sweep.csv", {"--csv", "-"});
}

TEST_CASE("a sweep with a precision is its golden file with any number of host threads") {
  check_golden("sweep-precision.txt", {"--precision", "5%", "--max-replications", "40"});
}

TEST_CASE("a sweep that is killed at any moment goes on where it was") {
  const TemporaryFolder folder;
  const Finished whole = run_hotline(long_sweep(folder / "whole.db"));
  REQUIRE(whole.exit_code == 0);
  const std::string store = folder / "killed.db";
  // Each time the store has grown by some kilobytes, so that the end comes at different moments.
  for (std::uintmax_t grown = 4096; grown < 60'000; grown += 12'000) {
    Running running(hotline_with(long_sweep(store)));
    std::error_code error;
    while (!running.has_ended()) {
      const auto log = fs::file_size(store + "-wal", error);
      if (!error && log >= grown) break;
    }
    running.kill();
    running.wait();
  }
  const Finished resumed = run_hotline(long_sweep(store));
  CHECK(resumed.err.empty());
  CHECK(resumed.out == whole.out);
}

TEST_CASE("two processes share one store at the same time") {
  const TemporaryFolder folder;
  const std::string store = folder / "s.db";
  Running first(hotline_with(sweep(store)));
  Running second(hotline_with(sweep(store)));
  CHECK(first.wait() == 0);
  CHECK(second.wait() == 0);
  CHECK(run_hotline(sweep(store)).out == read_text("tests/cli/golden/sweep.txt"));
}

TEST_CASE("each point is simulated once by whichever process claims it first") {
  const TemporaryFolder folder;
  const std::string store = folder / "s.db";
  count_puts_in(store);
  {
    Running first(hotline_with(long_sweep(store)));
    Running second(hotline_with(long_sweep(store)));
    CHECK(first.wait() == 0);
    CHECK(second.wait() == 0);
  }
  CHECK(count(store, "puts") == 36);  // one a sample: nobody has simulated what the other had
  CHECK(count(store, "samples") == 36);
  CHECK(count(store, "claims") == 0);
  CHECK(run_hotline(long_sweep(store)).out == run_hotline(long_sweep(folder / "2.db")).out);
}

TEST_CASE("what a killed process had claimed is simulated by another, which waits for no one") {
  const TemporaryFolder folder;
  const std::string store = folder / "s.db";
  const Words words{"sweep",          "tests/cli/tiny.yaml",
                    "--set",          "threads=4",
                    "--variant",      "before",
                    "--set",          "measure.duration=30ms",
                    "--replications", "1",
                    "--store",        store,
                    "--csv",          "-"};
  count_puts_in(store);
  Running killed(hotline_with(words));
  while (count(store, "claims") == 0 && !killed.has_ended()) {
  }
  Running waiting(hotline_with(words));  // for the first, until that one is gone
  killed.kill();
  killed.wait();
  CHECK(waiting.wait() == 0);
  CHECK(count(store, "samples") == 1);
  CHECK(count(store, "puts") == 1);
  CHECK(count(store, "claims") == 0);
}

TEST_CASE("a full disk is told, and what was finished is kept") {
  const TemporaryFolder folder;
  const std::string store = folder / "s.db";
  const Words words = sweep(store, {"--host-threads", "1"});
  const Finished full = run_hotline_with_short_files(words, 40'000);
  CHECK(full.exit_code == 2);
  CHECK(full.out.empty());
  CHECK_THAT(full.err, contains_text("cannot write to store " + store));
  CHECK_THAT(full.err, contains_text("make room and repeat"));
  const Finished kept = run_hotline({"merge", store, "-o", folder / "kept.db"});
  REQUIRE(kept.exit_code == 0);
  CHECK_FALSE(kept.out.starts_with("0 "));
  CHECK(run_hotline(words).out == read_text("tests/cli/golden/sweep.txt"));
}

TEST_CASE("a folder that cannot be written is told before anything is run") {
  CHECK_THAT(problem(sweep("/proc/s.db")), contains_text("cannot open store /proc/s.db"));
  CHECK_THAT(problem(sweep("no/such/folder/s.db")), contains_text("no/such/folder/s.db"));
}

TEST_CASE("a damaged store is told and left as it is") {
  const TemporaryFolder folder;
  const std::string store = folder.file("s.db", std::string(10'000, 'x'));
  CHECK_THAT(problem(sweep(store)), contains_text("damaged"));
  CHECK(read_text(store) == std::string(10'000, 'x'));
}

TEST_CASE("shards put together are the whole, byte for byte") {
  const TemporaryFolder folder;
  Words merge{"merge"};
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const std::string store = folder / (std::string("part") + shard[0] + ".db");
    REQUIRE(run_hotline(sweep(store, {"--shard", shard})).exit_code == 0);
    merge.push_back(store);
  }
  const std::string all = folder / "all.db";
  merge.insert(merge.end(), {"-o", all});
  const Finished merged = run_hotline(merge);
  CHECK(merged.exit_code == 0);
  CHECK_THAT(merged.out, contains_text("36 samples in " + all));
  CHECK(run_hotline(sweep(all, {"--csv", "-"})).out == read_text("tests/cli/golden/sweep.csv"));
}

TEST_CASE("merging what is no store is told and makes nothing of it") {
  const TemporaryFolder folder;
  CHECK_THAT(problem({"merge", "no.db", "-o", folder / "all.db"}),
             contains_text("there is no store no.db"));
}

TEST_CASE("a plot is an SVG or PNG file by its name") {
  const TemporaryFolder folder;
  const std::string store = folder / "s.db";
  REQUIRE(run_hotline(sweep(store, {"--plot", folder / "p.svg"})).exit_code == 0);
  REQUIRE(run_hotline(sweep(store, {"--plot", folder / "p.png"})).exit_code == 0);
  CHECK(read_text(folder / "p.svg").starts_with("<?xml"));
  CHECK(read_text(folder / "p.png").starts_with("\x89PNG"));
  CHECK_THAT(problem(sweep(store, {"--plot", "p.jpg"})), contains_text("neither in .svg nor"));
  CHECK_THAT(problem({"sweep", "tests/cli/tiny.yaml", "--set", "objects.gate.model=mcs,ticket",
                      "--store", store, "--plot", folder / "q.svg"}),
             contains_text("needs an axis of several numbers"));
}

TEST_CASE("wrong values of a sweep get the nearest spelling") {
  const TemporaryFolder folder;
  const std::string store = folder / "s.db";
  const auto with = [&](const Words& more) { return problem(sweep(store, more)); };
  CHECK_THAT(with({"--set", "objects.gat.model=mcs,clh"}), contains_text("did you mean \"gate\"?"));
  CHECK_THAT(with({"--set", "objects.gate.model=mcs,tickte"}),
             contains_text("did you mean \"ticket\"?"));
  CHECK_THAT(with({"--variant", "before,aftre"}), contains_text("did you mean \"after\"?"));
  CHECK_THAT(with({"--set", "threads=1..4:lgo"}), contains_text("write log"));
  CHECK_THAT(with({"--set", "measure.duration=1us..9us"}), contains_text("needs a step"));
  CHECK_THAT(with({"--set", "objects.gate.model=mcs..clh"}),
             contains_text("write whole numbers or durations"));
  CHECK_THAT(with({"--replications", "aut"}), contains_text("did you mean \"auto\"?"));
  CHECK_THAT(with({"--precision", "1"}), contains_text("write one such as 1%"));
  CHECK_THAT(with({"--shard", "4/3"}), contains_text("write I/N"));
}

TEST_CASE("more threads than the machine has CPUs are told for every point at once") {
  const TemporaryFolder folder;
  const std::string told = problem(
      {"sweep", "tests/cli/tiny.yaml", "--set", "threads=4,5,6", "--store", folder / "s.db"});
  CHECK_FALSE(told.empty());
}
