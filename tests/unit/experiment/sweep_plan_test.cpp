#include <fstream>

#include "sim/experiment/sweep.hpp"
#include "tests/catch.hpp"
#include "tests/cli/process.hpp"

using namespace hotline;
using experiment::parse_axis;
using experiment::plan_sweep;
using experiment::SweepPlan;
using experiment::SweepRequest;
using tests::contains_text;

namespace {

workload::Workload tiny() { return workload::Workload::load("tests/cli/tiny.yaml"); }

SweepRequest request(const std::vector<std::string>& axes) {
  SweepRequest result;
  for (const std::string& axis : axes) result.axes.push_back(parse_axis(axis, "--set"));
  result.variants = {"before"};
  return result;
}

std::string inputs(const workload::Workload& workload, const std::vector<std::string>& axes) {
  const SweepPlan plan = plan_sweep(workload, request(axes));
  REQUIRE(plan.items.size() == 1);
  return plan.items.front().inputs;
}

}  // namespace

TEST_CASE("a plan has the product of all axes, the last one fastest, and all variants of each") {
  SweepRequest both = request({"threads=1,2", "hold=10ns,20ns,30ns"});
  both.variants = {"before", "after"};
  const SweepPlan plan = plan_sweep(tiny(), both);
  CHECK(plan.points.size() == 6);
  CHECK(plan.points[1] == std::vector<std::size_t>{0, 1});
  CHECK(plan.items.size() == 12);
  CHECK(plan.items[3].point == 1);
  CHECK(plan.items[3].variant == "after");
  CHECK(plan.items[3].labels.changes == "threads=1 hold=20ns");
  CHECK(plan.replications == 3);
  CHECK(plan.items[0].seed == 5);
}

TEST_CASE("shards are disjoint and together the whole") {
  std::vector<std::vector<std::size_t>> points;
  for (std::uint32_t shard = 1; shard <= 3; ++shard) {
    SweepRequest part = request({"threads=1..7"});
    part.shard = shard;
    part.shards = 3;
    const SweepPlan plan = plan_sweep(tiny(), part);
    CHECK(plan.items.size() == plan.points.size());
    points.insert(points.end(), plan.points.begin(), plan.points.end());
  }
  std::sort(points.begin(), points.end());
  CHECK(points == plan_sweep(tiny(), request({"threads=1..7"})).points);
}

TEST_CASE("inputs are what results depend on: values, machine and seed, not how often they run") {
  const workload::Workload workload = tiny();
  const std::string plain = inputs(workload, {"threads=2"});
  CHECK(inputs(workload, {"threads=2"}) == plain);
  CHECK(inputs(workload, {"threads=2", "measure.replications=9"}) == plain);
  CHECK(inputs(workload, {"threads=2", "measure.seed=9"}) == plain);
  CHECK(inputs(workload, {"threads=3"}) != plain);
  CHECK(inputs(workload, {"threads=2", "objects.gate.model=mcs"}) != plain);
  CHECK(inputs(workload, {"threads=2", "machine.title=another"}) != plain);
  CHECK(inputs(workload, {"threads=2", "machine=generic"}) != plain);
  CHECK(inputs(workload, {"machine=generic", "machine.with.sockets=2"}) !=
        inputs(workload, {"machine=generic", "machine.with.sockets=4"}));
  SweepRequest seeded = request({"threads=2"});
  seeded.seed = 77;
  CHECK(plan_sweep(workload, seeded).items.front().seed == 77);
  seeded.plugins = "another";
  CHECK(plan_sweep(workload, seeded).items.front().inputs != plain);
}

TEST_CASE("a machine's file counts with its content and with what it builds on") {
  const tests::TemporaryFolder folder;
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  write("base.yaml", "title: one\n");
  const std::string file = write("m.yaml", "extends: " + (folder / "base.yaml").string() + "\n");
  const std::string axis = "machine=" + file;
  const std::string one = inputs(tiny(), {axis});
  CHECK(inputs(tiny(), {axis}) == one);
  write("base.yaml", "title: two\n");
  CHECK(inputs(tiny(), {axis}) != one);
}

TEST_CASE("a machine among the axes comes before what is said about its parameters") {
  SweepRequest both = request({"machine=generic"});
  both.fixed = {workload::parse_change("machine.with.sockets=4", "--with")};
  const SweepPlan plan = plan_sweep(tiny(), both);
  CHECK(plan.items.front().overrides.changes.front().path == "machine");
}

TEST_CASE("everything that is wrong with the points is told at once") {
  SweepRequest wrong = request({"machine=generik,hps44"});
  std::string told;
  try {
    (void)plan_sweep(tiny(), wrong);
  } catch (const input::InputError& error) {
    told = error.what();
  }
  CHECK_THAT(told, contains_text("did you mean \"generic\"?"));
  CHECK_THAT(told, contains_text("did you mean \"hps448\"?"));
}
