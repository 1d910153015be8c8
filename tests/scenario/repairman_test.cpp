#include <cmath>

#include "sim/experiment/runner.hpp"
#include "sim/experiment/warm_up.hpp"
#include "sim/workload/workload.hpp"
#include "tests/catch.hpp"

/// A workload with a known answer: the machine repairman. Each of N threads is away for an
/// exponential time, takes a lock that serves in the order of arrival, and holds it for another.
/// The lock and its lines cost 0.1 us where a repair takes 20.
namespace hotline::tests {
namespace {

constexpr const char* kRepairman = R"(
machine: skylake-client-4c
measure: {threads: 4, duration: 200ms, warm_up: auto, replications: 10}
variables: {away: 40us, repair: 20us}
objects:
  lock: {model: ticket}
threads:
  machines:
    count: threads
    program:
      - repeat:
          - compute: {exponential: away}
          - with: {lock: lock, do: [{compute: {exponential: repair}}]}
          - count: repairs
)";

/// Repairs a second: the repairman's rate times the share of time in which there is work
/// (Kleinrock, Queueing Systems 1, 1975, section 3.8).
double repairs(int machines, double away, double repair) {
  double sum = 1;
  double term = 1;
  for (int broken = 1; broken <= machines; ++broken) {
    term *= (machines - broken + 1) * repair / away;
    sum += term;
  }
  return (1 - 1 / sum) / repair;
}

experiment::Outcome outcome(const std::string& text) {
  const auto workload = workload::Workload::parse(text, "repairman.yaml");
  experiment::Settings settings;
  settings.replications = 10;
  return experiment::run_cases({{workload.scenario("base"), ""}}, settings).front();
}

TEST_CASE("the machine repairman does as many repairs as theory says, within 1 %") {
  const measure::Interval rate = outcome(kRepairman).rate();
  const double answer = repairs(4, 40e-6, 20e-6);
  CAPTURE(rate.mean, rate.low, rate.high, answer);
  CHECK(rate.mean == Approx(answer).epsilon(0.01));
  CHECK(rate.half_width() < 0.02 * answer);
}

TEST_CASE("warm_up: auto leaves out a transient that can be seen, and little where none is") {
  const auto with = [](const std::string& steps) {
    std::string text = kRepairman;
    text.insert(text.find("      - repeat:"), steps);
    return outcome(text);
  };
  const double steady = outcome(kRepairman).rate().mean;
  const experiment::Outcome late = with("      - compute: 30ms\n");
  CHECK(late.warm_up >= engine::Duration::from_ps(30'000'000'000));
  CHECK(late.warm_up < engine::Duration::from_ps(60'000'000'000));
  CHECK(late.rate().mean == Approx(steady).epsilon(0.02));
}

}  // namespace
}  // namespace hotline::tests
