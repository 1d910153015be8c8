#include <sstream>
#include <string>

#include <boost/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/process.hpp"

using hotline::tests::contains_text;
using hotline::tests::Finished;
using hotline::tests::read_text;
using hotline::tests::run_hotline;
using hotline::tests::run_hotline_on_terminal;
using hotline::tests::TemporaryFolder;

namespace {

std::string fingerprint_of(const std::string& text) {
  const std::size_t at = text.find("fingerprint ");
  return at == std::string::npos ? "" : text.substr(at, 28);
}

}  // namespace

TEST_CASE("files get everything and the text still goes to standard output") {
  const TemporaryFolder folder;
  const Finished finished =
      run_hotline({"run", "tests/cli/tiny.yaml", "--json", (folder / "r.json").string(), "--csv",
                   (folder / "r.csv").string()});
  CHECK(finished.exit_code == 0);
  CHECK_THAT(finished.out, contains_text("fingerprint"));
  CHECK(read_text(folder / "r.json") == read_text("tests/cli/golden/run.json"));
  CHECK(read_text(folder / "r.csv") == read_text("tests/cli/golden/run.csv"));
  CHECK(folder.entries() == 2);
}

TEST_CASE("the written accounts of every thread add up to the measured time exactly") {
  const auto root =
      boost::json::parse(run_hotline({"run", "tests/cli/tiny.yaml", "--json", "-"}).out);
  const auto& tables = root.at("tables").as_object();
  const auto in_ps = [](const boost::json::value& row, const char* field) {
    return std::llround(row.at(field).to_number<double>() * 1000);
  };
  const auto measured = in_ps(tables.at("summary").at("rows").at(0), "measured");
  CHECK(measured == 60'000'000);
  for (const auto& row : tables.at("threads").at("rows").as_array()) {
    CHECK(in_ps(row, "work") + in_ps(row, "lock_wait") + in_ps(row, "line_stall") +
              in_ps(row, "other") ==
          measured);
    CHECK(in_ps(row, "other") == 0);
  }
}

TEST_CASE("another seed and another tie order are another run, the same ones the same") {
  const auto run = [](std::vector<std::string> options) {
    std::vector<std::string> arguments{"run", "tests/cli/tiny.yaml"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return fingerprint_of(run_hotline(arguments).out);
  };
  const std::string plain = run({});
  CHECK_FALSE(plain.empty());
  CHECK(run({"--seed", "5"}) == plain);
  CHECK(run({"--seed", "6"}) != plain);
}

TEST_CASE("serving waiters one by one gives the same result") {
  const Finished batched = run_hotline({"run", "tests/cli/tiny.yaml", "--csv", "-"});
  const Finished single =
      run_hotline({"run", "tests/cli/tiny.yaml", "--csv", "-", "--no-batching"});
  // Events and fingerprint differ, and so may requests under way where the warm-up ends; no time
  // and no work does.
  const auto table = [](const std::string& text, const std::string& name) {
    const std::size_t begin = text.find("# " + name + ":");
    return text.substr(begin, text.find("\n\n\n", begin) - begin);
  };
  for (const char* name : {"accounts", "locks", "functions", "threads"}) {
    CHECK(table(batched.out, name) == table(single.out, name));
  }
}

TEST_CASE("options change what is simulated") {
  const Finished finished =
      run_hotline({"run", "tests/cli/tiny.yaml", "--threads", "2", "--replications", "1",
                   "--variant", "after", "--set", "measure.duration=5us"});
  CHECK(finished.exit_code == 0);
  CHECK_THAT(finished.out, contains_text("tiny, variant after: 2 threads"));
  CHECK_THAT(finished.out, contains_text("1 replication of 5.0us"));
}

TEST_CASE("another machine with parameters can be asked for") {
  const Finished finished =
      run_hotline({"run", "tests/cli/tiny.yaml", "--machine", "gem5-ruby-crossbar", "--with",
                   "cores=3", "--threads", "3", "--replications", "1"});
  CHECK(finished.exit_code == 0);
  CHECK_THAT(finished.out, contains_text("3 threads on gem5-ruby-crossbar"));
}

TEST_CASE("points of a comparison can be chosen") {
  const Finished finished =
      run_hotline({"compare", "tests/cli/tiny.yaml", "--variants", "after,before", "--threads",
                   "2,3", "--replications", "2"});
  CHECK(finished.exit_code == 0);
  CHECK_THAT(finished.out, contains_text("before / after"));
  CHECK_THAT(finished.out, contains_text("\n      3 "));
}

TEST_CASE("models, machines and workloads are listed") {
  CHECK_THAT(run_hotline({"models"}).out, contains_text("qspinlock"));
  CHECK_THAT(run_hotline({"models", "percpu-counter"}).out, contains_text("batch"));
  CHECK_THAT(run_hotline({"models", "qrwlock"}).out,
             contains_text("qrwlock: rw lock, readers and writers wait for those before them"));
  CHECK_THAT(run_hotline({"machines"}).out, contains_text("hps448"));
  const Finished workloads = run_hotline({"workloads"});
  CHECK(workloads.exit_code == 0);
  CHECK_THAT(workloads.out, contains_text("workloads/micro/hammer.yaml"));
}

TEST_CASE("a good workload is called good, and the schema is JSON") {
  const Finished check = run_hotline({"workloads", "check", "tests/cli/tiny.yaml"});
  CHECK(check.exit_code == 0);
  CHECK(check.out == "tests/cli/tiny.yaml: good, 2 variants, 2 points\n");
  const auto schema = boost::json::parse(run_hotline({"workloads", "schema"}).out);
  CHECK(schema.is_object());
}

TEST_CASE("a machine is shown with its transfers by distance, and drawn") {
  const TemporaryFolder folder;
  const std::string picture = (folder / "m.svg").string();
  const Finished finished =
      run_hotline({"machines", "show", "skylake-client-4c", "--sources", "--heatmap", picture});
  CHECK(finished.exit_code == 0);
  CHECK_THAT(finished.out, contains_text("smt sibling"));
  CHECK_THAT(finished.out, contains_text("same socket"));
  CHECK_THAT(finished.out, contains_text("inferred"));
  CHECK_THAT(read_text(picture), contains_text("<svg"));
}

TEST_CASE("a transfer is explained as the sum of its legs") {
  const Finished finished = run_hotline(
      {"explain", "transfer", "--machine", "hps448", "--from", "3", "--to", "41", "--home", "0"});
  CHECK(finished.exit_code == 0);
  CHECK_THAT(finished.out, contains_text("total"));
  double sum = 0;
  double last = 0;
  std::istringstream lines(finished.out.substr(finished.out.find("leg\n") + 4));
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    std::istringstream numbers(line);
    double leg = 0;
    numbers >> leg >> last;
    sum += leg;
  }
  CHECK(sum == hotline::tests::Approx(last).margin(0.5));
}

TEST_CASE("output that is no terminal has no colours, and no progress line") {
  const Finished finished = run_hotline({"run", "tests/cli/tiny.yaml"});
  CHECK(finished.out.find('\x1b') == std::string::npos);
  CHECK(finished.err.empty());
}

TEST_CASE("a short run shows no progress line on a terminal either") {
  const Finished finished = run_hotline_on_terminal({"run", "tests/cli/tiny.yaml"});
  CHECK(finished.exit_code == 0);
  CHECK(finished.err.find("simulations") == std::string::npos);
}
