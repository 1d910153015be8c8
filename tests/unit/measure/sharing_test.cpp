#include "sim/measure/sharing.hpp"

#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

using hotline::measure::SharedLine;
using hotline::measure::SharingCounts;
using hotline::measure::SharingRecorder;

namespace {

/// Two threads on two cores, each with its own step, a thousand times.
std::vector<SharedLine> shared_by(const std::string& first, const std::string& second) {
  const auto scenario = hotline::tests::scenario(R"(objects:
  pair:
    fields: {left: {at: 0B}, right: {at: 8B}}
threads:
  one: {program: [{loop: {times: 1000, do: [)" + first +
                                                 R"(]}}]}
  other: {program: [{loop: {times: 1000, do: [)" +
                                                 second + R"(]}}]}
)");
  SharingRecorder recorder;
  hotline::workload::Run run(scenario, {.probe = &recorder});
  recorder.attend(run);
  run.run();
  return recorder.lines();
}

}  // namespace

TEST_CASE("different words of one line, written by different CPUs, are shared falsely") {
  const auto lines = shared_by("{fetch_add: pair.left}, {compute: 50ns}",
                               "{fetch_add: pair.right}, {compute: 70ns}");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].object == "pair");
  CHECK(lines[0].fields() == std::vector<std::string>{"left", "right"});
  CHECK(lines[0].is_shared_by_fields());
  const SharingCounts all = lines[0].total();
  CHECK(all.misses() > 100);
  CHECK(all.hitm() > all.misses() * 9 / 10);
  CHECK(all.falsely + 2 >= all.misses());  // all but the first of each
  CHECK(all.cpus.size() == 2);
}

TEST_CASE("one word that different CPUs write is shared truly") {
  const auto lines = shared_by("{fetch_add: pair.left}, {compute: 50ns}",
                               "{fetch_add: pair.left}, {compute: 70ns}");
  REQUIRE(lines.size() == 1);
  CHECK_FALSE(lines[0].is_shared_by_fields());
  CHECK(lines[0].total().misses() > 100);
  CHECK(lines[0].total().falsely == 0);
}

TEST_CASE("stores that nothing waits for count as writes of their field") {
  const auto lines = shared_by("{store: {word: pair.left, value: 1}}, {compute: 50ns}",
                               "{load: pair.right}, {compute: 70ns}");
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].is_shared_by_fields());
  CHECK(lines[0].total().buffered > 100);
  CHECK(lines[0].total().falsely > 100);
}

TEST_CASE("sharing of two runs adds up by line and place") {
  auto sum = shared_by("{fetch_add: pair.left}", "{fetch_add: pair.right}");
  const std::uint64_t once = sum[0].total().misses();
  hotline::measure::add_sharing(sum, std::vector<SharedLine>(sum));
  REQUIRE(sum.size() == 1);
  CHECK(sum[0].total().misses() == 2 * once);
  CHECK(sum[0].total().cpus.size() == 2);
}
