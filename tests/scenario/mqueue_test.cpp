#include <cmath>

#include "sim/experiment/runner.hpp"
#include "sim/measure/rows.hpp"
#include "tests/catch.hpp"
#include "tests/scenario/figures.hpp"
#include "tests/scenario/support.hpp"

// workloads/kernel/mqueue-sb-lock.yaml: sget() that walks a growing list under sb_lock, and not.
namespace hotline::tests {
namespace {

const char* const kFile = "kernel/mqueue-sb-lock.yaml";

double clones(std::string_view variant, std::vector<std::string_view> changes = {}) {
  return run({kFile, variant, 97, 1.0, std::move(changes)}).work_per_us;
}

/// Values of one series in the 16 parts of a run.
std::vector<measure::SeriesRow> over_time(std::string_view variant, std::string_view name) {
  const auto read = workload::Workload::load("workloads/" + std::string(kFile));
  experiment::Settings settings;
  settings.replications = 1;
  const auto outcomes =
      experiment::run_cases({{read.scenario(variant, read.points().front()), "", {}}}, settings);
  auto rows = measure::series_rows(outcomes.front().total);
  std::erase_if(rows, [&](const measure::SeriesRow& row) { return row.name != name; });
  return rows;
}

}  // namespace

TEST_CASE(
    "the clone stressor does as much as was published before the patch, and 1.5 times after") {
  const Figures figures(kFile, 97, 2);
  CHECK(std::abs(figures.error("before", "clones a second")) < 0.05);  // calibrated
  CHECK(std::abs(figures.error("after", "clones with the patch")) < 0.15);
}

TEST_CASE("before the patch the list grows to thousands and clones become fewer") {
  const auto length = over_time("before", "list_length");
  REQUIRE(length.size() == 16);
  CHECK(*length.front().value < 1'500);
  CHECK(*length.back().value > 8'000);
  const auto rate = over_time("before", "clones");
  CHECK(*rate.back().rate < 0.7 * *rate.front().rate);
}

TEST_CASE("after the patch the list grows as well, but nobody minds") {
  CHECK(*over_time("after", "list_length").back().value > 10'000);
  const auto rate = over_time("after", "clones");
  CHECK(*rate.back().rate == Approx(*rate.front().rate).epsilon(0.05));
}

TEST_CASE("what the patch gains hangs on the entry's cost times the share that creates") {
  CHECK(clones("before", {"entry=17ns"}) > 0.98 * clones("after"));
  CHECK(clones("before", {"entry=57ns"}) == Approx(clones("before", {"creators=52"})).epsilon(0.1));
  CHECK(clones("before", {"creators=130"}) < 0.9 * clones("before"));
}

TEST_CASE("what is waited for is no longer beside a busy sibling, what is computed is") {
  const auto each = [](const std::string& step) {
    const auto read = workload::Workload::parse(
        "machine: skylake-client-4c\nmeasure: {duration: 100us}\nthreads:\n  siblings:\n    cpus: "
        "[0, 4]\n    count: 2\n    program: [{repeat: [{" +
            step + ": 1us}, {count: steps}]}]\n",
        "test.yaml");
    workload::Run run(read.scenario("base"), {});
    run.run();
    return 2 * 100.0 / static_cast<double>(run.work({0}));
  };
  CHECK(each("stall") == Approx(1.0).epsilon(0.02));
  CHECK(each("compute") == Approx(1.6).epsilon(0.02));
}

}  // namespace hotline::tests
