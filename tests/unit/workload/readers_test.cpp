#include <algorithm>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

// Steps on locks that readers share: what the reader accepts, says, and what happens then.
namespace hotline::tests {
namespace {

using workload::Ending;
using workload::Run;

constexpr std::string_view kObjects = R"(variables: {seen: 0, other: 0, torn: 0}
objects:
  spin: {model: mcs}
  rw: {model: qrwlock}
  seq: {model: seqlock}
  hits: {model: atomic}
  pair: {fields: {a: {}, b: {at: 64B}}}
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

/// The work counted by a run to its end.
struct Done {
  Ending ending = Ending::kTimeUp;
  std::vector<std::uint64_t> work;
};

Done run(const std::string& groups, workload::Observer* observer = nullptr) {
  Run run(scenario(std::string(kObjects) + "threads:\n" + groups), {.observer = observer});
  Done done;
  done.ending = run.run();
  for (std::uint32_t i = 0; i < run.works().size(); ++i) done.work.push_back(run.work({i}));
  return done;
}

/// Counts what it is told of readers.
class Listener : public workload::Observer {
 public:
  void acquired(os::ThreadId, workload::LockId, workload::CallSiteId, bool has_waited,
                engine::SimTime) override {
    most_inside = std::max(most_inside, ++inside);
    waited += has_waited ? 1 : 0;
  }
  void read_repeated(os::ThreadId, workload::LockId, engine::SimTime) override { ++repeated; }
  void release_began(os::ThreadId, workload::LockId, engine::SimTime) override { --inside; }

  int inside = 0;
  int most_inside = 0;
  int waited = 0;
  int repeated = 0;
};

}  // namespace

TEST_CASE("reading and writing steps take the locks that have such sides") {
  for (const char* const step : {
           "{read_lock: {lock: rw, do: [{compute: 1ns}]}}",
           "{read_lock: {lock: seq, do: [{load: pair.a}]}}",
           "{write_lock: {lock: rw, do: [{compute: 1ns}]}}",
           "{write_lock: {lock: seq, do: [{store: {word: pair.a, value: 1}}]}}",
           "{with: {lock: rw, do: [{compute: 1ns}]}}",
           "{with: {lock: seq, do: [{compute: 1ns}]}}",
           "{acquire: rw}, {release: rw}",
           "{acquire_read: rw}, {release_read: rw}",
       }) {
    INFO(step);
    CHECK(said(step) == "");
    CHECK(failure(step) == "");
  }
}

TEST_CASE("a reading step on anything else says what it wants instead") {
  CHECK(said("{read_lock: {lock: spin, do: [{compute: 1ns}]}}") ==
        "test.yaml:18:36: error: threads.w.program[0].read_lock.lock: \"spin\" is a lock (mcs); "
        "expected a reader-writer lock or a sequence lock (with is for all locks)\n");
  CHECK_THAT(said("{write_lock: {lock: hits, do: [{compute: 1ns}]}}"),
             contains_text("is a counter (atomic); expected a reader-writer lock or a sequence"));
  CHECK_THAT(said("{acquire_read: seq}"),
             contains_text("is a sequence lock (seqlock); expected a reader-writer lock "
                           "(read_lock is for sequence locks too)"));
  CHECK_THAT(said("{add: rw}"), contains_text("is a reader-writer lock (qrwlock); expected a c"));
  CHECK_THAT(said("{read_lock: {do: [{compute: 1ns}]}}"), contains_text("key \"lock\" is missing"));
  CHECK_THAT(said("{read_lock: {lock: rw}}"), contains_text("key \"do\" is missing"));
  CHECK_THAT(said("{read_lok: {lock: rw, do: []}}"), contains_text("did you mean \"read_lock\"?"));
}

TEST_CASE("a lock is given back on the side on which it is held, and taken once") {
  CHECK_THAT(failure("{acquire_read: rw}, {release: rw}"),
             contains_text("releases rw as a writer, which it holds as a reader"));
  CHECK_THAT(failure("{acquire: rw}, {release_read: rw}"),
             contains_text("releases rw as a reader, which it holds as a writer"));
  CHECK_THAT(failure("{release_read: rw}"), contains_text("releases rw, which it does not hold"));
  CHECK_THAT(failure("{acquire_read: rw}, {acquire_read: rw}"),
             contains_text("acquires rw, which it holds already"));
  CHECK_THAT(failure("{with: {lock: seq, do: [{read_lock: {lock: seq, do: [{compute: 1ns}]}}]}}"),
             contains_text("acquires seq, which it holds already"));
  CHECK_THAT(failure("{acquire_read: rw}"), contains_text("the program ends while it holds rw"));
}

TEST_CASE("readers are inside together, and with and acquire on such a lock mean a writer") {
  Listener readers;
  run("  r: {count: 4, program: [{read_lock: {lock: rw, do: [{compute: 500ns}]}}]}\n", &readers);
  CHECK(readers.most_inside == 4);
  CHECK(readers.waited == 0);
  Listener writers;
  run("  w: {count: 4, program: [{with: {lock: rw, do: [{compute: 500ns}]}}]}\n", &writers);
  CHECK(writers.most_inside == 1);
  CHECK(writers.waited == 3);
  Listener mixed;
  run("  r: {count: 2, program: [{read_lock: {lock: rw, do: [{compute: 500ns}]}}]}\n"
      "  w: {program: [{compute: 100ns}, {write_lock: {lock: rw, do: [{compute: 500ns}]}}]}\n",
      &mixed);
  CHECK(mixed.most_inside == 2);
  CHECK(mixed.waited == 1);
}

TEST_CASE("a recorded trace may have readers") {
  Listener listener;
  run("  recorded:\n    count: 2\n    trace:\n"
      "      - {at: 0ns, thread: 0, do: [{acquire_read: rw}]}\n"
      "      - {at: 10ns, thread: 1, do: [{acquire_read: rw}]}\n"
      "      - {at: 400ns, thread: 0, do: [{release_read: rw}]}\n"
      "      - {at: 500ns, thread: 1, do: [{release_read: rw}]}\n",
      &listener);
  CHECK(listener.most_inside == 2);
  CHECK(listener.inside == 0);
}

TEST_CASE("a section of a sequence lock is done again if a writer came between") {
  Listener listener;
  const Done done =
      run("  r: {program: [{read_lock: {lock: seq, do: [{load: pair.a}, {compute: 500ns}, "
          "{count: attempts}]}}, {count: readings}]}\n"
          "  w: {program: [{compute: 100ns}, {write_lock: {lock: seq, do: [{compute: 10ns}]}}]}\n",
          &listener);
  CHECK(done.ending == Ending::kFinished);
  CHECK(done.work == std::vector<std::uint64_t>{2, 1});
  CHECK(listener.repeated == 1);
  CHECK(listener.inside == 0);
}

TEST_CASE("what a section of a sequence lock has read at its end is never half a change") {
  const Done done =
      run("  r:\n    count: 2\n    program:\n"
          "      - loop:\n          times: 60\n          do:\n"
          "            - read_lock:\n                lock: seq\n                do:\n"
          "                  - load: {word: pair.a, into: seen}\n"
          "                  - compute: 30ns\n"
          "                  - load: {word: pair.b, into: other}\n"
          "            - if: {condition: seen != other, then: [{count: torn}], else: [{count: "
          "whole}]}\n"
          "  w:\n    count: 2\n    program:\n"
          "      - loop:\n          times: 40\n          do:\n"
          "            - write_lock:\n                lock: seq\n                do:\n"
          "                  - fetch_add: pair.a\n                  - compute: 20ns\n"
          "                  - fetch_add: pair.b\n"
          "            - compute: {exponential: 400ns}\n");
  CHECK(done.work == std::vector<std::uint64_t>{0, 120});
}

TEST_CASE("a thread that waits for readers for ever says so") {
  Run run(scenario(std::string(kObjects) +
                   "threads:\n"
                   "  r: {count: 2, program: [{acquire_read: rw}, {wait_for: never}]}\n"
                   "  w: {program: [{compute: 1us}, {acquire: rw}, {signal: never}]}\n"),
          {});
  CHECK(run.run() == Ending::kStuck);
  std::string all;
  for (const std::string& line : run.stuck()) all += line + "\n";
  CHECK_THAT(all, contains_text("w[0]: CPU 2, spinning; waits for rw, held by 2 readers, since "));
}

}  // namespace hotline::tests
