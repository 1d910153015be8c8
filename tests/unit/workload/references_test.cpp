#include <algorithm>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

// Steps on references: what the reader accepts, says, and what happens then.
namespace hotline::tests {
namespace {

using workload::Run;

constexpr std::string_view kObjects = R"(variables: {got: 7, last: 7, used: 7}
objects:
  count: {model: refcount}
  early: {model: percpu-ref, with: {grace_period: 1us}}
  indicator: {model: snzi}
  both: {model: lockref}
  lock: {model: mcs}
)";

std::string with_program(const std::string& steps) {
  return std::string(kObjects) + "threads:\n  w: {program: [" + steps + "]}\n";
}

std::string said(const std::string& steps) { return complaints(with_program(steps)); }

/// What a run that fails says.
std::string failure(const std::string& steps) {
  try {
    Run(scenario(with_program(steps)), {}).run();
    return {};
  } catch (const input::InputError& error) {
    return error.what();
  }
}

/// The work that one thread has counted in the end.
std::uint64_t counted(const std::string& steps) {
  Run run(scenario(with_program(steps)), {});
  run.run();
  return run.work({0});
}

}  // namespace

TEST_CASE("reference steps take every reference, lockref too") {
  for (const char* const name : {"count", "early", "indicator", "both"}) {
    const std::string of = name;
    const std::string steps = "{get: " + of + "}, {get: {reference: " + of +
                              ", unless_zero: true, into: got}}, {query: {reference: " + of +
                              ", into: used}}, {put: {reference: " + of +
                              ", into: last}}, {put: " + of + "}";
    INFO(steps);
    CHECK(said(steps) == "");
    CHECK(failure(steps) == "");
  }
}

TEST_CASE("reference steps on anything else say what they want instead") {
  CHECK(said("{get: lock}") ==
        "test.yaml:18:23: error: threads.w.program[0].get: \"lock\" is a lock (mcs); expected a "
        "reference\n");
  CHECK_THAT(said("{add: count}"), contains_text("is a reference (refcount); expected a counter"));
  CHECK_THAT(said("{put: {reference: count, unless_zero: true}}"), contains_text("unknown key"));
  CHECK_THAT(said("{get: {unless_zero: true}}"), contains_text("key \"reference\" is missing"));
  CHECK_THAT(said("{quary: count}"), contains_text("did you mean \"query\"?"));
}

TEST_CASE("a percpu-ref under an operating system that ticks waits for the kernel's RCU") {
  const std::string objects =
      "os: {hz: 1000}\nobjects: {early: {model: percpu-ref, with: {grace_period: 1us}}, "
      "late: {model: percpu-ref}}\n";
  const auto end_of = [&](const std::string& threads) {
    Run run(scenario(objects + "threads:\n" + threads), {});
    CHECK(run.run() == workload::Ending::kFinished);
    return run.measured_to() - machine::SimTime();
  };
  const std::string kill = "  a: {program: [{kill: early}]}\n";
  const auto one = end_of(kill);
  CHECK(one > machine::Duration::from_ps(3'000'000'000));
  CHECK(end_of(kill + "  b: {program: [{kill: late}]}\n") < one + one / 2);  // they share it
  CHECK(end_of(kill + "  b: {program: [{synchronize_rcu: {}}]}\n") < one + one / 2);
}

TEST_CASE("the kernel's RCU is there once, declared or not") {
  const std::string head = "os: {hz: 1000}\nobjects: {early: {model: percpu-ref}";
  const std::string threads = "threads:\n  a: {program: [{kill: early}, {synchronize_rcu: {}}]}\n";
  for (const char* const more : {"}\n", ", rcu: {model: rcu}}\n", ", mine: {model: rcu}}\n"}) {
    const auto read = scenario(head + more + threads);
    CHECK(std::count_if(read.objects.begin(), read.objects.end(), [](const auto& object) {
            return object.model && object.model->name == "rcu";
          }) == 1);
  }
}

TEST_CASE("into says what came of it") {
  CHECK(counted("{get: count}, {put: {reference: count, into: last}}, "
                "{kill: {reference: count, into: got}}, {query: {reference: count, into: used}}, "
                "{count: {work: sums, amount: 100 + 10 * last + got + used}}") == 101);
  CHECK(counted("{kill: {reference: early, into: last}}, "
                "{get: {reference: early, unless_zero: true, into: got}}, "
                "{count: {work: sums, amount: 10 * last + got}}") == 10);
  CHECK(counted("{get: indicator}, {query: {reference: indicator, into: used}}, {put: indicator}, "
                "{query: {reference: indicator, into: got}}, "
                "{count: {work: sums, amount: 10 * used + got}}") == 10);
}

TEST_CASE("giving back what nobody has ends the run") {
  CHECK_THAT(failure("{put: indicator}"),
             contains_text("gives back a use of a reference that has no users"));
  CHECK_THAT(failure("{kill: count}, {put: count}"), contains_text("has no users"));
}

TEST_CASE("a kill waits for its grace period, and books it as other time") {
  Run run(scenario(with_program("{kill: early}")), {});
  run.run();
  CHECK(run.simulator().now().ps() > 1'000'000);
  CHECK(run.simulator().now().ps() < 3'000'000);
}

}  // namespace hotline::tests
