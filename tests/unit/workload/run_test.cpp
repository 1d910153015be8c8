#include <numeric>
#include <set>
#include <utility>

#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

// What programs do when they run.
namespace hotline::tests {
namespace {

using workload::Ending;
using workload::Run;

/// What a run left behind.
struct Result {
  Ending ending = Ending::kTimeUp;
  std::vector<std::uint64_t> work;
  double ns = 0;
  std::uint64_t fingerprint = 0;
};

Result run(std::string_view rest, const workload::RunOptions& options = {}) {
  Run run(scenario(rest), options);
  Result result;
  result.ending = run.run();
  for (std::uint32_t i = 0; i < run.works().size(); ++i) result.work.push_back(run.work({i}));
  result.ns = (run.measured_to() - run.measured_from()).ns();
  result.fingerprint = run.simulator().fingerprint();
  return result;
}

/// One thread that runs these steps once.
std::string once(std::string_view steps) {
  return "variables: {seen: 0, n: 0}\nobjects:\n  lock: {model: ticket}\n  hits: {model: atomic}\n"
         "  slots: {count: 4, size: 64B, fields: {n: {}}}\n  ns: {fields: {a: {}, b: {count: 4}}}\n"
         "threads:\n  w: {program: [" +
         std::string(steps) + "]}\n";
}

std::string failure(std::string_view steps) {
  try {
    run(once(steps));
    return {};
  } catch (const input::InputError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a program that ends finishes the run, at its own time") {
  const Result result = run(once("{compute: 10ns}, {compute: 5ns}, {count: things}"));
  CHECK(result.ending == Ending::kFinished);
  CHECK(result.ns == 15.0);
  CHECK(result.work == std::vector<std::uint64_t>{1});
}

TEST_CASE("loops count rounds, give their index, and give the outer index back") {
  CHECK(run(once("{loop: {times: 4, do: [{count: {work: x, amount: index}}]}}")).work[0] == 6);
  CHECK(run(once("{loop: {times: 3, do: [{loop: {times: 5, do: [{compute: 1ns}]}}, "
                 "{count: {work: x, amount: index}}]}}"))
            .work[0] == 3);
  CHECK(run(once("{loop: {times: 0, do: [{count: x}]}}, {count: {work: x, amount: 7}}")).work[0] ==
        7);
  CHECK(run(once("{loop: {until: n == 5, do: [{set: {n: n + 1}}, {count: x}]}}")).work[0] == 5);
}

TEST_CASE("branches, every and set do what they say") {
  CHECK(
      run(once("{if: {condition: thread == 0, then: [{count: yes}], else: [{count: no}]}}")).work ==
      std::vector<std::uint64_t>{1, 0});
  CHECK(
      run(once("{if: {condition: threads > 1, then: [{count: yes}], else: [{count: no}]}}")).work ==
      std::vector<std::uint64_t>{0, 1});
  CHECK(run(once("{loop: {times: 10, do: [{every: {n: 4, do: [{count: x}]}}]}}")).work[0] == 2);
  CHECK(
      run(once("{loop: {times: 10, do: [{every: {n: 4, phase: 2, do: [{count: x}]}}]}}")).work[0] ==
      3);
}

TEST_CASE("a choice takes its ways in proportion to their weights") {
  const Result result =
      run(once("{loop: {times: 10000, do: [{choose: [{weight: 3, do: [{count: a}]}, {weight: 1, "
               "do: [{count: "
               "b}]}]}]}}"));
  CHECK(result.work[0] + result.work[1] == 10'000);
  CHECK(result.work[0] == Approx(7500).margin(200));
}

TEST_CASE("memory operations give the value that was there before") {
  const char* const steps =
      "{store: {word: ns.a, value: 5}}, {fetch_add: {word: ns.a, value: 3, into: seen}}, "
      "{count: {work: added, amount: seen}}, {exchange: {word: ns.a, value: 1, into: seen}}, "
      "{count: {work: exchanged, amount: seen}}, "
      "{compare_exchange: {word: ns.a, expected: 0, desired: 9, into: seen}}, "
      "{count: {work: failed, amount: seen}}, {load: {word: ns.a, into: seen}}, "
      "{count: {work: loaded, amount: seen}}";
  CHECK(run(once(steps)).work == std::vector<std::uint64_t>{5, 8, 1, 1});
}

TEST_CASE("elements and instances are chosen at run time and checked") {
  CHECK(run(once("{loop: {times: 4, do: [{store: {word: 'slots[index].n', value: index}}]}}, "
                 "{load: {word: 'slots[3].n', into: seen}}, {count: {work: x, amount: seen}}"))
            .work[0] == 3);
  CHECK_THAT(failure("{load: 'slots[4 + n].n'}"),
             contains_text("slots[4] does not exist; there are 4"));
  CHECK_THAT(failure("{load: 'ns.b[0 - 1]'}"), contains_text("b[-1] does not exist; there are 4"));
}

TEST_CASE(
    "threads that are placed by lot run elsewhere with another seed, and alike with the same") {
  const auto read = scenario(
      "measure: {duration: 100ns}\nthreads:\n  first: {count: 2, placement: random, nodes: [0], "
      "program: [{repeat: [{compute: 1ns}]}]}\n");
  const auto cpus = [&](std::uint64_t seed) {
    workload::RunOptions options;
    options.seed = seed;
    Run run(read, options);
    run.run();
    return std::pair(run.thread({0}).cpu().value, run.thread({1}).cpu().value);
  };
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CHECK(cpus(seed) == cpus(seed));
    CHECK(cpus(seed).first != cpus(seed).second);
    seen.insert(cpus(seed));
  }
  CHECK(seen.size() > 5);
  CHECK_THAT(complaints("threads:\n  first: {count: 2, placement: random, program: [{compute: "
                        "1ns}]}\n  second: {program: [{compute: 1ns}]}\n"),
             contains_text("1 threads do not fit on the 0 CPUs that are left for them"));
}

TEST_CASE("a lock whose waiters sleep is not acquired under a spinlock of the kernel") {
  const auto says = [](const std::string& mode) {
    try {
      run("objects:\n  spin: {model: ticket}\n  sleeping: {model: mutex}\nthreads:\n  w: {mode: " +
          mode +
          ", program: [{with: {lock: spin, do: [{with: {lock: sleeping, do: [{compute: "
          "1ns}]}}]}}]}\n");
      return std::string();
    } catch (const input::InputError& error) {
      return std::string(error.what());
    }
  };
  CHECK_THAT(says("kernel"), contains_text("acquires sleeping, whose waiters may sleep"));
  CHECK(says("user") == "");
}

TEST_CASE("what a program cannot do ends the run with the step and the thread") {
  CHECK(
      failure("{release: lock}") ==
      "test.yaml:17:27: error: w[0]: releases lock, which it does not hold (thread 0, at 0 ps)\n");
  CHECK_THAT(failure("{acquire: lock}, {acquire: lock}"), contains_text("which it holds already"));
  CHECK_THAT(failure("{acquire: lock}"), contains_text("ends while it holds lock"));
  CHECK_THAT(failure("{compute: 10ns / n}"), contains_text("division by zero"));
  CHECK_THAT(failure("{add: {to: hits, amount: 1 / n}}"), contains_text("division by zero"));
  CHECK_THAT(failure("{touch: {object: ns, lines: 1 / n}}"), contains_text("division by zero"));
  CHECK_THAT(failure("{wait_for: {event: e, count: 1 / n}}, {signal: e}"),
             contains_text("division by zero"));
  CHECK_THAT(failure("{compute: 0ns - 10ns}"), contains_text("-10000 is no duration"));
  CHECK_THAT(failure("{compute: 4000s}"), contains_text("longer than an hour"));
  CHECK_THAT(failure("{touch: {object: ns, lines: 3}}"),
             contains_text("3 lines are more than the 1"));
  CHECK_THAT(failure("{every: {n: 0, do: [{add: hits}]}}"), contains_text("at least 1"));
  CHECK_THAT(failure("{loop: {until: n == 1, do: [{count: x}]}}"),
             contains_text("without any simulated time passing"));
}

TEST_CASE("a lock gives mutual exclusion to steps, and work is counted per thread") {
  Run run(scenario(R"(measure: {duration: 20us}
variables: {seen: 0}
objects:
  lock: {model: mcs}
  shared: {fields: {n: {}}}
threads:
  w:
    count: 4
    program:
      - repeat:
          - with:
              lock: lock
              do:
                - load: {word: shared.n, into: seen}
                - store: {word: shared.n, value: seen + 1}
          - count: sections
)"),
          {});
  CHECK(run.run() == Ending::kTimeUp);
  std::uint64_t sum = 0;
  for (std::uint32_t t = 0; t < 4; ++t) sum += run.work({0}, {t});
  CHECK(sum == run.work({0}));
  CHECK(sum > 100);
  const auto& words = run.words();
  const auto n = std::find_if(words.begin(), words.end(),
                              [](const auto& word) { return word.name == "shared.n"; });
  REQUIRE(n != words.end());
  const std::uint64_t counted = run.machine().peek(n->word);
  // A thread may be past the store and before the count, or past both with the store on its way.
  CHECK(counted + 4 >= sum);
  CHECK(counted <= sum + 4);
}

TEST_CASE("every thread's time is booked in full, whatever it does") {
  Run run(scenario(R"(measure: {duration: 5us, warm_up: 777ns}
objects:
  lock: {model: ticket}
  shared: {fields: {n: {}}}
threads:
  w:
    count: 3
    program:
      - repeat:
          - with: {lock: lock, do: [{fetch_add: shared.n}, {compute: 33ns}]}
          - compute: {exponential: 50ns}
          - signal: tick
  waiter:
    program:
      - loop: {times: 20, do: [{wait_for: tick}, {compute: 7ns}]}
)"),
          {});
  run.run();
  for (std::uint32_t t = 0; t < run.threads(); ++t) {
    engine::Duration all;
    for (const engine::Duration part : run.accounts({t})) all += part;
    CHECK(all == run.measured_to() - engine::SimTime());
    engine::Duration before;
    for (const engine::Duration part : run.accounts_at_start({t})) before += part;
    CHECK(before == run.measured_from() - engine::SimTime());
    for (std::size_t k = 0; k < os::kAccounts; ++k) {
      CHECK(run.accounts({t})[k] >= run.accounts_at_start({t})[k]);
    }
  }
}

TEST_CASE("signals are taken in the order of waiting and only in full") {
  const Result result = run(R"(threads:
  waiter: {program: [{wait_for: {event: go, count: 3}}, {count: done}]}
  signaller: {program: [{compute: 10ns}, {signal: {event: go, times: 2}}, {compute: 10ns}, {signal: go}]}
)");
  CHECK(result.ending == Ending::kFinished);
  CHECK(result.ns == 20.0);
}

TEST_CASE("a deadlock is reported with who waits where for what") {
  Run run(scenario(R"(objects:
  a: {model: ticket}
  b: {model: ticket}
threads:
  one: {program: [{acquire: a}, {compute: 1us}, {acquire: b}, {release: b}, {release: a}]}
  two: {program: [{acquire: b}, {compute: 1us}, {acquire: a}, {release: a}, {release: b}]}
  three: {program: [{wait_for: never}]}
  four: {program: [{compute: 1ns}, {if: {condition: 0, then: [{signal: never}]}}]}
)"),
          {});
  CHECK(run.run() == Ending::kStuck);
  const std::vector<std::string> stuck = run.stuck();
  REQUIRE(stuck.size() == 5);
  CHECK(stuck[0] ==
        "deadlock: one[0] waits for b, which two[0] holds; two[0] waits for a, which one[0] holds");
  CHECK(stuck[1] == "lost wake-up: three[0] waits for signals of \"never\"");
  CHECK_THAT(stuck[2],
             contains_text("one[0]: CPU 0, spinning; holds a; waits for b, held by two[0], "));
  CHECK_THAT(stuck[2], contains_text("at test.yaml:14:59"));
  CHECK_THAT(stuck[4], contains_text("three[0]: CPU 2, asleep; waits for signals of \"never\""));
}

TEST_CASE("the same seed gives the same run, another seed another one") {
  const char* const text = R"(measure: {duration: 5us}
objects: {shared: {fields: {n: {}}}}
threads:
  w: {count: 4, program: [{repeat: [{fetch_add: shared.n}, {compute: {exponential: 30ns}}]}]}
)";
  CHECK(run(text, {.seed = 7}).fingerprint == run(text, {.seed = 7}).fingerprint);
  CHECK(run(text, {.seed = 7}).fingerprint != run(text, {.seed = 8}).fingerprint);
}

TEST_CASE("a change of the model in a variant does not shift the chance of its threads") {
  const auto compare = [](std::string_view model) {
    return run(
        "measure: {duration: 50us}\nobjects:\n  hits: {model: " + std::string(model) +
        "}\nthreads:\n  w: {program: [{repeat: [{compute: {exponential: 100ns}}, {add: hits}, "
        "{count: x}]}]}\n");
  };
  // Alone on its line, either counter costs nearly nothing: the same draws, the same counts.
  CHECK(static_cast<double>(compare("atomic").work[0]) ==
        Approx(static_cast<double>(compare("per-cpu").work[0])).epsilon(0.05));
}

TEST_CASE("a model inside a struct lies on the struct's lines under the struct's name") {
  Run run(scenario(R"(objects:
  ns: {size: 832B, fields: {limit: {at: 692B, size: 4B, initial: 8}, bytes: {at: 704B, model: atomic}}}
threads:
  w: {program: [{add: ns.bytes}, {load: ns.limit}]}
)"),
          {});
  CHECK(run.run() == Ending::kFinished);
  CHECK(run.counters().front().name == "ns.bytes");
  CHECK(run.total(0) == 1);
  const auto& words = run.words();
  REQUIRE(words.size() == 2);
  CHECK(words[0].name == "ns.limit");
  CHECK(words[1].word.line.value == words[0].word.line.value + 1);
  CHECK(run.describe_line(words[1].word.line) == "ns.bytes.count");
  CHECK(run.describe_line({words[0].word.line.value - 1}) == "ns+576");
}

}  // namespace hotline::tests
