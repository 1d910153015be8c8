#include <string>

#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

// Steps on condition variables: what the reader accepts, says, and what happens then.
namespace hotline::tests {
namespace {

using workload::Run;

constexpr std::string_view kObjects = R"(variables: {length: 0}
objects:
  mutex: {model: futex-mutex}
  spinlock: {model: qspinlock}
  changed: {model: condition-variable}
  queue: {fields: {length: {}, ready: {model: condition-variable}}}
)";

std::string with_program(const std::string& steps) {
  return std::string(kObjects) + "threads:\n  w: {program: [" + steps + "]}\n";
}

std::string said(const std::string& steps) { return complaints(with_program(steps)); }

std::string failure(const std::string& text) {
  try {
    Run(scenario(text), {}).run();
    return {};
  } catch (const input::InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("condition steps take condition variables, in structs too") {
  for (const std::string of : {"changed", "queue.ready"}) {
    const std::string steps = "{acquire: mutex}, {cond_signal: " + of +
                              "}, {cond_broadcast: " + of + "}, {release: mutex}";
    CHECK(said(steps) == "");
    CHECK(failure(with_program(steps)) == "");
    CHECK(said("{cond_wait: {condition: " + of + ", mutex: mutex}}") == "");
  }
}

TEST_CASE("condition steps on anything else say what they want instead") {
  CHECK(said("{cond_signal: mutex}") ==
        "test.yaml:17:31: error: threads.w.program[0].cond_signal: \"mutex\" is a lock "
        "(futex-mutex); expected a condition variable\n");
  CHECK_THAT(said("{cond_signal: chnged}"), contains_text("did you mean \"changed\"?"));
  CHECK_THAT(said("{cond_signl: changed}"), contains_text("did you mean \"cond_signal\"?"));
  CHECK_THAT(said("{cond_wait: {condition: changed}}"), contains_text("key \"mutex\" is missing"));
  CHECK_THAT(said("{cond_wait: {condition: changed, mutx: mutex}}"),
             contains_text("unknown key; did you mean \"mutex\"?"));
  CHECK_THAT(said("{cond_wait: {condition: changed, mutex: changed}}"),
             contains_text("is a condition variable (condition-variable); expected a lock"));
  CHECK_THAT(said("{acquire: changed}"), contains_text("expected a lock"));
}

TEST_CASE("who waits must hold the mutex, and no spinlock of the kernel") {
  CHECK_THAT(failure(with_program("{cond_wait: {condition: changed, mutex: mutex}}")),
             contains_text("releases mutex, which it does not hold"));
  CHECK_THAT(failure(std::string(kObjects) +
                     "os: {hz: 0}\nthreads:\n  w: {mode: kernel, program: [{acquire: spinlock}, "
                     "{acquire: mutex}, {cond_wait: {condition: changed, mutex: mutex}}]}\n"),
             contains_text("holds a spinlock in the kernel"));
}

TEST_CASE("a wait gives the mutex up and has it again when it is signalled") {
  const std::string text = std::string(kObjects) + R"(threads:
  waiter:
    program:
      - acquire: mutex
      - loop:
          until: length == 1
          do:
            - cond_wait: {condition: changed, mutex: mutex}
            - load: {word: queue.length, into: length}
      - release: mutex
      - count: waits
  signaller:
    program:
      - compute: 10us
      - acquire: mutex
      - store: {word: queue.length, value: 1}
      - cond_signal: changed
      - release: mutex
)";
  Run run(scenario(text), {});
  CHECK(run.run() == workload::Ending::kFinished);
  CHECK(run.work({0}) == 1);
}

TEST_CASE("a wait that nobody ends is a lost wake-up, of the condition by its name") {
  const std::string text = std::string(kObjects) + R"(threads:
  early: {program: [{cond_signal: queue.ready}]}
  late:
    program:
      - compute: 10us
      - acquire: mutex
      - cond_wait: {condition: queue.ready, mutex: mutex}
      - release: mutex
)";
  Run run(scenario(text), {});
  REQUIRE(run.run() == workload::Ending::kStuck);
  CHECK(run.stuck().front() == "lost wake-up: late[0] waits for a signal of queue.ready");
}

}  // namespace hotline::tests
