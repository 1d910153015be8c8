#include "sim/experiment/parameter.hpp"

#include "tests/catch.hpp"
#include "tests/unit/fit/support.hpp"

namespace hotline::experiment {
namespace {

using tests::turns;

std::string problem(const std::string& free) {
  try {
    static_cast<void>(parse_parameters(free, "--free", turns()));
  } catch (const input::InputError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("parameters are named with their ranges, or have those of the workload") {
  const auto workload = turns("ranges: {hold: [50ns, 1us]}\n");
  const auto parameters = parse_parameters("hold, path=0.5us..2us", "--free", workload);
  REQUIRE(parameters.size() == 2);
  CHECK(parameters[0].value == 250);
  CHECK(parameters[0].least == 50);
  CHECK(parameters[0].most == 1000);
  CHECK(parameters[1].least == 500);
  CHECK(parameters[1].text(1234.5678) == "1234.568ns");
  CHECK(parameters[0].position == input::Position{5, 9});
}

TEST_CASE("what cannot be varied is said with its nearest spelling or form") {
  CHECK(problem("hodl=1ns..2ns") ==
        "--free: error: there is no figure \"hodl\"; did you mean \"hold\"?\n");
  CHECK(problem("hold") ==
        "--free: error: \"hold\" has no range: write hold=LEAST..MOST, or state it under key "
        "\"ranges\" of the workload\n");
  CHECK(problem("hold=1ns") == "--free: error: \"1ns\" is no range; write it as 50ns..2us\n");
  CHECK(problem("hold=3..4") == "--free: error: \"3..4\" is no range for hold, which is 250ns\n");
  CHECK(problem("hold=3ns..2ns") ==
        "--free: error: \"3ns..2ns\" is no range for hold, which is 250ns\n");
}

TEST_CASE("a range of a workload leads to what exists, and its ends may stand there") {
  CHECK_THROWS_WITH(turns("ranges: {hodl: [1ns, 2ns]}\n"), Catch::Contains("hodl"));
  CHECK_THROWS_WITH(turns("ranges: {hold: [1ns]}\n"), Catch::Contains("has 1 item"));
  CHECK_THROWS_WITH(turns("ranges: {measure.threads: [-1, 3]}\n"), Catch::Contains("-1"));
}

TEST_CASE("a machine's inferred figures are parameters with their own ranges, aliases together") {
  const auto workload = workload::Workload::load("workloads/kernel/cna-open1.yaml");
  const auto all = inferred_parameters(workload);
  const auto find = [&](const std::string& name) {
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const Parameter& one) { return one.name == name; });
    REQUIRE(at != all.end());
    return *at;
  };
  const Parameter fill = find("machine.core.fill");
  CHECK(fill.value == 8.5);
  CHECK(fill.least == 5);
  CHECK(fill.most == 12);
  CHECK(find("machine.interconnect.links[0].there").places.size() == 6);
  const Parameter hop = find("machine.socket_agent.hop.nearest");  // and its farthest, 8 to 17 ns
  REQUIRE(hop.places.size() == 2);
  CHECK(hop.places[1].factor == 17.0 / 8.0);
  const Parameter share = find("machine.socket_agent.look_up");  // 11 ns within 50 %
  CHECK(share.least == 5.5);
  CHECK(share.most == 16.5);
}

TEST_CASE("a figure of the machine is changed where it stands, for all its aliases") {
  const auto workload = workload::Workload::load("workloads/kernel/cna-open1.yaml");
  const auto all = inferred_parameters(workload);
  for (const Parameter& one : all) {
    const std::vector<Parameter> alone{one};
    for (const double end : {one.least, one.most}) {
      CAPTURE(one.name, end);
      CHECK_NOTHROW(workload.scenario("before", overrides_for(workload, alone, std::vector{end})));
    }
  }
}

}  // namespace
}  // namespace hotline::experiment
