#include "sim/experiment/validation_set.hpp"

#include <algorithm>

#include "sim/experiment/validation.hpp"
#include "tests/catch.hpp"

namespace hotline::experiment {
namespace {

constexpr const char* kSet = R"(
title: one reference count
data:
  file: refscale_refcnt_hps448.csv
  source: perfbook
  rows: {nreaders: [1, "16"]}
  threads: nreaders
  series: [primitive]
  measured: ns_per_read_section_per_thread_median
workload: ../workloads/readers.yaml
machine: hps448
variant: refcnt
quantity: {time: sections, per_thread: true}
calibration: none
calibrated: {nreaders: "1"}
)";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kSet;
  text.replace(text.find(from), from.size(), to);
  return text;
}

std::string problem(const std::string& text) {
  input::Diagnostics diagnostics;
  static_cast<void>(parse_validation_set(text, "set.yaml", "tests/validation/data", diagnostics));
  return diagnostics.text();
}

TEST_CASE("a set's points have what was measured and what is simulated") {
  input::Diagnostics diagnostics;
  const std::vector<ValidationSet> sets{
      parse_validation_set(kSet, "set.yaml", "tests/validation/data", diagnostics)};
  CHECK(diagnostics.text().empty());
  const auto results = validate(sets, workload::standard_library(), {});
  REQUIRE(results.size() == 1);
  REQUIRE(results[0].points.size() == 2);
  CHECK(results[0].points[0].is_calibrated);
  CHECK(results[0].points[0].values.measured == 9.477);
  CHECK(results[0].points[1].threads == 16);
  CHECK(results[0].points[1].values.error() == tests::Approx(0).margin(0.25));
  CHECK(results[0].errors.points == 1);
  CHECK(results[0].predicted() == 1);
}

TEST_CASE("an error beyond what was recorded has grown; one beyond the target is missed") {
  const auto verdict = [](const std::string& more) {
    input::Diagnostics diagnostics;
    const std::vector<ValidationSet> sets{
        parse_validation_set(kSet + more, "set.yaml", "tests/validation/data", diagnostics)};
    diagnostics.throw_if_errors();
    return validate(sets, workload::standard_library(), {})[0].verdict();
  };
  CHECK(verdict("target: {median: 0.1%}\n") == ValidationVerdict::kMissed);
  CHECK(verdict("target: {median: 40%}\n") == ValidationVerdict::kMet);
  CHECK(verdict("recorded: {median: 0.1%, ninetieth: 50%}\n") == ValidationVerdict::kGrown);
}

TEST_CASE("what is wrong with a set is said with its place and the nearest spelling") {
  CHECK(problem(changed("measured: ns_per_read_section_per_thread_median", "measured: median"))
            .find("set.yaml:9:13: error: data.measured: the data has no column \"median\"") == 0);
  CHECK(problem(changed("machine: hps448", "machin: hps448"))
            .find("set.yaml:11:1: error: machin: unknown key; did you mean \"machine\"?") == 0);
  CHECK(problem(changed("rows: {nreaders: [1, \"16\"]}", "rows: {nreaders: [7777]}")) ==
        "set.yaml:6:3: error: data.rows: leave no row of the data\n");
  CHECK(problem(changed("workload: ../workloads/readers.yaml\n", "")) ==
        "set.yaml:2:1: error: must have one of workload and ping_pong\n");
}

TEST_CASE("cells of a row fill a text") {
  const input::DataTable data{"x", {"cpu", "other"}, {{1, {"7", "8"}}}};
  CHECK(filled("[{cpu}, {other}, {none}]", data, data.rows[0]) == "[7, 8, {none}]");
}

TEST_CASE("every shipped set can be read") {
  const auto sets = read_validation_sets("tests/validation/sets");
  CHECK(sets.size() >= 20);
  for (const ValidationSet& set : sets) {
    CAPTURE(set.name);
    CHECK(set.recorded.has_value());
  }
}

TEST_CASE("every damaged set ends in a message") {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator("tests/fuzz/corpus/validation")) {
    files.push_back(entry.path());
  }
  CHECK(files.size() >= 8);
  for (const auto& file : files) {
    CAPTURE(file);
    input::Diagnostics diagnostics;
    static_cast<void>(read_validation_set(file, diagnostics));
    CHECK(diagnostics.has_errors());
  }
}

}  // namespace
}  // namespace hotline::experiment
