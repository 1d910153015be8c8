#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

// What the reader accepts, and what it says to the rest.
namespace hotline::tests {
namespace {

/// A workload whose only group runs these steps (each a line of YAML without its margin).
std::string with_steps(std::string_view steps) {
  std::string text = R"(measure: {duration: 1us}
variables: {seen: 0, pause: 100ns}
objects:
  lock: {model: mcs}
  hits: {model: atomic}
  slots: {count: 4, size: 64B, fields: {n: {}}}
  ns: {fields: {a: {}, b: {count: 4}, lock: {at: 64B, model: ticket}}}
functions:
  twice: [{add: hits}, {add: hits}]
threads:
  workers:
    program:
)";
  std::string_view rest = steps;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    text += "      " + std::string(rest.substr(0, end)) + "\n";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return text;
}

std::string said(std::string_view steps) { return complaints(with_steps(steps)); }

}  // namespace

TEST_CASE("every step of the language is accepted in its forms") {
  const char* const steps[] = {
      "- call: twice",
      "- call: {function: inner, do: [{compute: 1ns}]}",
      "- compute: 10ns",
      "- compute: 2 * pause",
      "- compute: {uniform: [10ns, pause]}",
      "- compute: {exponential: pause}",
      "- acquire: lock\n- release: lock",
      "- acquire: ns.lock\n- release: ns.lock",
      "- with: {lock: lock, do: [{compute: 1ns}]}",
      "- add: hits",
      "- add: {to: hits, amount: -2, local: true}",
      "- add: ns.a",
      "- add: {to: 'ns.b[thread % 4]', amount: 4}",
      "- read: hits",
      "- read: {counter: hits, into: seen}",
      "- sum: hits",
      "- touch: ns",
      "- touch: {object: ns.a, access: write, lines: 1}",
      "- scan: {list: slots, length: 4}",
      "- scan: {list: slots, length: 2 * seen, lines: 1}",
      "- load: ns.a",
      "- load: {word: 'slots[3].n', into: seen}",
      "- store: {word: ns.a, value: 7}",
      "- fetch_add: ns.a",
      "- fetch_add: {word: ns.a, value: 2, into: seen}",
      "- fetch_and: {word: ns.a, value: 2}",
      "- fetch_or: {word: ns.a, value: 2}",
      "- exchange: {word: ns.a, value: 2, into: seen}",
      "- compare_exchange: {word: ns.a, expected: seen, desired: seen + 1, into: seen}",
      "- fence: {}",
      "- spin: {word: ns.a, until: 0}",
      "- spin: {word: ns.a, while: 1, pause: false, into: seen}",
      "- loop: {times: 3, do: [{add: hits}]}",
      "- loop: {until: seen == 0, do: [{add: hits}]}",
      "- repeat: [{add: hits}]",
      "- choose: [{weight: 3, do: [{add: hits}]}, {weight: 1, do: [{compute: 1ns}]}]",
      "- every: {n: 4, do: [{add: hits}]}",
      "- every: {n: 4, phase: thread, do: [{add: hits}]}",
      "- if: {condition: thread == 0, then: [{add: hits}]}",
      "- if: {condition: thread == 0, then: [{add: hits}], else: [{compute: 1ns}]}",
      "- set: {seen: seen + 1, pause: pause / 2}",
      "- signal: go\n- wait_for: go",
      "- signal: {event: go, times: 2}\n- wait_for: {event: go, count: 2}",
      "- count: things",
      "- count: {work: things, amount: 3}",
  };
  for (const char* const step : steps) {
    INFO(step);
    CHECK(said(step) == "");
  }
}

TEST_CASE("a misspelt step is answered with the nearest one") {
  CHECK(said("- aquire: lock") ==
        "test.yaml:22:9: error: threads.workers.program[0].aquire: unknown key; did you mean "
        "\"acquire\"?\n");
}

TEST_CASE("a misspelt name is answered with the nearest one") {
  CHECK_THAT(said("- acquire: lok"),
             contains_text("there is no object \"lok\"; did you mean \"lock\"?"));
  CHECK_THAT(said("- load: ns.c"), contains_text("\"ns\" has no field \"c\"; "));
  CHECK_THAT(said("- call: twise"), contains_text("did you mean \"twice\"?"));
  CHECK_THAT(said("- set: {sene: 1}"), contains_text("did you mean \"seen\"?"));
  CHECK_THAT(said("- compute: 2 * puase"), contains_text("did you mean \"pause\"?"));
}

TEST_CASE("a step must get what it works on") {
  CHECK_THAT(said("- acquire: hits"),
             contains_text("\"hits\" is a counter (atomic); expected a lock"));
  CHECK_THAT(said("- add: lock"), contains_text("\"lock\" is a lock (mcs); expected a counter"));
  CHECK_THAT(said("- load: ns"), contains_text("\"ns\" is a struct; expected a plain field"));
  CHECK_THAT(said("- load: lock.tail"), contains_text("has a field, but \"lock\" is a mcs"));
  CHECK_THAT(said("- load: slots.n"), contains_text("does not say which of the 4 instances"));
  CHECK_THAT(said("- load: ns.b"), contains_text("does not say which of the 4 elements"));
  CHECK_THAT(said("- add: {to: ns.a, local: true}"), contains_text("has no local part"));
  CHECK_THAT(said("- touch: {object: ns, access: write}"),
             contains_text("would write where the ticket \"lock\" may lie"));
  CHECK_THAT(said("- scan: {list: 'slots[1]', length: 1}"), contains_text("a list is an object"));
}

TEST_CASE("a quantity without a unit is an error that names the key") {
  CHECK(
      said("- compute: 100") ==
      "test.yaml:22:18: error: threads.workers.program[0].compute: \"100\" is a number and has no "
      "unit; expected a duration or formula such as 100ns or 2 * critical\n");
  CHECK_THAT(said("- compute: {exponential: 5}"), contains_text("has no unit"));
  CHECK_THAT(said("- loop: {times: 5ns, do: [{add: hits}]}"), contains_text("is a duration"));
}

TEST_CASE("a step is one key") {
  CHECK_THAT(said("- {add: hits, read: hits}"),
             contains_text("a step is one key; found add, read"));
  CHECK_THAT(said("- {}"), contains_text("a step is one key; found none"));
  CHECK_THAT(said("- hits"), contains_text("expected a map"));
}

TEST_CASE("loops and choices say what they lack") {
  CHECK_THAT(said("- loop: {do: [{add: hits}]}"),
             contains_text("a loop has either times or until"));
  CHECK_THAT(said("- loop: {times: 1}"), contains_text("key \"do\" is missing"));
  CHECK_THAT(said("- repeat: []"), contains_text("expected at least 1"));
  CHECK_THAT(said("- spin: {word: ns.a}"), contains_text("expected either until or while"));
  CHECK_THAT(said("- compute: {}"), contains_text("expected either uniform or exponential"));
  CHECK_THAT(said("- choose: [{weight: 0, do: [{add: hits}]}]"), contains_text("weight"));
}

TEST_CASE("an event that nobody signals is an error at the wait") {
  CHECK_THAT(said("- signal: started\n- wait_for: startet"),
             contains_text("nobody signals \"startet\"; did you mean \"started\"?"));
}

TEST_CASE("a function that calls itself is refused") {
  const std::string text = on_machine(R"(measure: {duration: 1us}
functions:
  a: [{call: b}]
  b: [{call: a}]
threads:
  w: {program: [{call: a}]}
)");
  CHECK_THROWS_WITH(parse(text), contains_text("\"a\" calls itself"));
}

TEST_CASE("functions that double at every level end in a message, not in memory") {
  std::string text = on_machine("functions:\n  f0: [{compute: 1ns}]\n");
  for (int i = 1; i < 40; ++i) {
    const std::string below = "{call: f" + std::to_string(i - 1) + "}";
    text += "  f" + std::to_string(i) + ": [" + below + ", " + below + "]\n";
  }
  text += "threads:\n  w: {program: [{call: f39}]}\n";
  CHECK_THROWS_WITH(parse(text), contains_text("more than 200000 instructions"));
}

TEST_CASE("all errors of a file are reported together, in the order of the file") {
  const std::string all = complaints(R"(mesure: {duration: 1us}
objects:
  lock: {modle: mcs}
threads:
  w:
    program:
      - acquire: lokc
      - compute: 5
)");
  CHECK(
      all ==
      "test.yaml:10:1: error: mesure: unknown key; did you mean \"measure\"?\n"
      "test.yaml:12:9: error: objects.lock: is neither a model nor a struct; give it a model, "
      "fields or a size\n"
      "test.yaml:12:10: error: objects.lock.modle: unknown key; did you mean \"model\"?\n"
      "test.yaml:16:18: error: threads.w.program[0].acquire: there is no object \"lokc\"; did you "
      "mean \"lock\"?\n"
      "test.yaml:17:18: error: threads.w.program[1].compute: \"5\" is a number and has no unit; "
      "expected a duration or formula such as 100ns or 2 * critical\n");
}

TEST_CASE("a program that repeats for ever needs a duration to measure") {
  CHECK_THAT(complaints("threads:\n  w: {program: [{repeat: [{compute: 1ns}]}]}\n"),
             contains_text("key \"measure.duration\" is needed"));
}

}  // namespace hotline::tests
