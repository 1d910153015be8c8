#include "sim/experiment/stretch.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "sim/report/narrative.hpp"
#include "sim/workload/workload.hpp"
#include "tests/catch.hpp"

// Stretches of runs, told step by step.
namespace hotline::tests {
namespace {

using engine::Duration;
using engine::SimTime;
using measure::Step;

SimTime us(std::uint64_t time) { return SimTime::from_ps(time * 1'000'000); }

report::Narrative told(const std::string& lesson, std::string_view variant, SimTime from,
                       SimTime to) {
  const auto workload = workload::Workload::load("workloads/lessons/" + lesson + ".yaml");
  const auto watched = experiment::watch(workload.scenario(variant), 1, from, to);
  return report::narrate(*watched.run, watched.steps, from, to, watched.is_cut);
}

const report::ToldStep* first(const report::Narrative& narrative, const std::string& kind) {
  const auto found = std::find_if(narrative.steps.begin(), narrative.steps.end(),
                                  [&](const report::ToldStep& step) { return step.kind == kind; });
  return found == narrative.steps.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("steps are told in the order of time, inside the stretch, and no line has two owners") {
  for (const char* lesson : {"false-sharing", "read-then-write", "store-buffer"}) {
    CAPTURE(lesson);
    const auto workload =
        workload::Workload::load(std::string("workloads/lessons/") + lesson + ".yaml");
    const auto watched =
        experiment::watch(workload.scenario(workload.variants().front().name), 1, us(0), us(3));
    REQUIRE(watched.steps.size() > 50);
    CHECK_FALSE(watched.is_cut);
    SimTime last;
    std::map<std::pair<std::uint32_t, std::uint32_t>, char> states;
    for (const Step& step : watched.steps) {
      CHECK(step.at >= last);
      CHECK(step.at <= us(3));
      last = step.at;
      if (step.kind == Step::Kind::kTakenUp || step.access.op == machine::Op::kFence) continue;
      states[{step.line.value, step.core.value}] = step.after;
      const auto with = [&](const char* wanted) {
        return std::count_if(states.begin(), states.end(), [&](const auto& entry) {
          return entry.first.first == step.line.value &&
                 std::string(wanted).find(entry.second) != std::string::npos;
        });
      };
      CHECK(with("ME") <= 1);
      CHECK((with("ME") == 0 || with("S") == 0));
    }
  }
}

TEST_CASE("the legs of a request add up to its whole time to the picosecond") {
  const auto narrative = told("test-and-set-release", "test-and-set", us(5), us(6));
  std::size_t requests = 0;
  for (const report::ToldStep& step : narrative.steps) {
    if (step.kind != "has it") continue;
    ++requests;
    Duration sum;
    for (const report::ToldLeg& leg : step.legs) sum += leg.length;
    const std::string words = step.text.substr(step.text.find("), ") + 3);
    CHECK(words.starts_with(std::to_string(sum.ps() / 1000)));
    CHECK(step.legs.size() >= 3);
  }
  CHECK(requests > 5);
  const auto waits =
      std::any_of(narrative.steps.begin(), narrative.steps.end(), [](const report::ToldStep& step) {
        return std::any_of(step.legs.begin(), step.legs.end(), [](const report::ToldLeg& leg) {
          return leg.waits && leg.what.find(" behind core ") != std::string::npos;
        });
      });
  CHECK(waits);
}

TEST_CASE("a store is told when it enters the store buffer and when others can see it") {
  const auto narrative = told("store-buffer", "buffered", us(3), us(5));
  const report::ToldStep* const stored = first(narrative, "performs");
  const report::ToldStep* const seen = first(narrative, "store seen");
  REQUIRE(stored != nullptr);
  REQUIRE(seen != nullptr);
  CHECK_THAT(stored->text, contains_text("to board.note, into its store buffer"));
  CHECK(seen->after == 'M');
}

TEST_CASE("who wants a lock is told with who has it") {
  const auto narrative = told("ticket-against-mcs", "mcs", us(5), us(6));
  const report::ToldStep* const wants = first(narrative, "wants");
  REQUIRE(wants != nullptr);
  CHECK_THAT(wants->text, contains_text("wants lock lock, which core "));
  const std::string text = report::narrative_text(narrative, {});
  CHECK_THAT(text, contains_text("ticket-against-mcs, variant mcs, on hps448: from 5000.0 to"));
}

TEST_CASE("watching a run changes none of its times") {
  const auto workload = workload::Workload::load("workloads/lessons/false-sharing.yaml");
  auto scenario = workload.scenario("together");
  scenario.measure.warm_up = {};
  scenario.measure.duration = Duration::from_ps(20'000'000);
  workload::RunOptions options;
  options.batching = false;
  workload::Run unwatched(scenario, options);
  static_cast<void>(unwatched.run());
  const auto watched = experiment::watch(scenario, options.seed, us(1), us(20));
  CHECK(watched.run->simulator().fingerprint() == unwatched.simulator().fingerprint());
}

}  // namespace hotline::tests
