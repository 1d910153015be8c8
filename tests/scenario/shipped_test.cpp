#include <algorithm>
#include <filesystem>

#include "tests/catch.hpp"
#include "tests/scenario/support.hpp"

// Every workload file that is shipped runs, in every variant, and does so the same way twice.
namespace hotline::tests {
namespace {

/// All but the lessons, which are there to hang: lessons_test.cpp says which do.
std::vector<std::filesystem::path> shipped() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("workloads")) {
    const bool lesson = entry.path().parent_path().filename() == "lessons";
    if (entry.path().extension() == ".yaml" && !lesson) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Passed {
  workload::Ending ending = workload::Ending::kTimeUp;
  std::uint64_t work = 0;
  std::uint64_t fingerprint = 0;
};

Passed pass(const workload::Scenario& scenario, engine::TieOrder ties = {}) {
  workload::RunOptions options;
  options.duration_scale = 0.2;
  options.tie_order = ties;
  workload::Run run(scenario, options);
  Passed passed;
  passed.ending = run.run();
  for (std::uint32_t work = 0; work < run.works().size(); ++work) passed.work += run.work({work});
  passed.fingerprint = run.simulator().fingerprint();
  return passed;
}

}  // namespace

TEST_CASE("every shipped workload gets work done in every variant at every point of its machine") {
  for (const std::filesystem::path& file : shipped()) {
    const auto read = workload::Workload::load(file);
    for (const workload::Variant& variant : read.variants()) {
      if (variant.hangs) continue;  // its own test says how
      for (const workload::Point& point : read.points()) {
        if (!point.changes.empty()) continue;  // hypothetical machines take longer
        CAPTURE(file, variant.name, point.threads);
        const Passed passed = pass(read.scenario(variant.name, point));
        CHECK(passed.ending != workload::Ending::kStuck);
        CHECK(passed.work > 0);
      }
    }
  }
}

TEST_CASE("every shipped workload runs the same way twice, and to an end in another tie order") {
  for (const std::filesystem::path& file : shipped()) {
    const auto read = workload::Workload::load(file);
    const auto scenario = read.scenario(read.variants().front().name);
    CAPTURE(file);
    CHECK(pass(scenario).fingerprint == pass(scenario).fingerprint);
    const Passed shuffled = pass(scenario, {.shuffle = true, .seed = 5});
    CHECK(shuffled.ending != workload::Ending::kStuck);
    CHECK(shuffled.work > 0);
  }
}

TEST_CASE("the hypothetical points of ipc-msg-percpu run with 1,280 workers") {
  const auto read = workload::Workload::load("workloads/kernel/ipc-msg-percpu.yaml");
  const workload::Point& largest = read.points().back();
  CHECK(largest.threads == 1280);
  const auto scenario = read.scenario("before", largest);
  workload::RunOptions options;
  options.duration_scale = 0.05;
  workload::Run run(scenario, options);
  CHECK(run.run() == workload::Ending::kTimeUp);
  CHECK(run.work({0}) > 50);
}

}  // namespace hotline::tests
