#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

// Objects, variables, groups of threads.
namespace hotline::tests {
namespace {

std::string with_objects(std::string_view objects) {
  return "variables: {n: 3}\nobjects:\n" + std::string(objects) +
         "threads:\n  w: {count: 2, program: [{compute: 1ns}]}\n";
}

workload::ObjectSpec object(std::string_view text) {
  return scenario(with_objects("  it: " + std::string(text) + "\n")).objects.front();
}

std::string said(std::string_view text) {
  return complaints(with_objects("  it: " + std::string(text) + "\n"));
}

}  // namespace

TEST_CASE("fields follow each other, naturally aligned, unless they say where they lie") {
  const auto it =
      object("{fields: {a: {size: 4B}, b: {}, c: {at: 692B, size: 4B}, d: {size: 1B}}}");
  CHECK(it.fields[0].at == 0);
  CHECK(it.fields[1].at == 8);
  CHECK(it.fields[2].at == 692);
  CHECK(it.fields[3].at == 696);
  CHECK(it.size == 697);
}

TEST_CASE("objects are counted by numbers, threads, CPUs and nodes") {
  CHECK(object("{size: 64B}").count == 1);
  CHECK(object("{size: 64B, count: 2 * n}").count == 6);
  CHECK(object("{size: 64B, count: per_thread}").count == 2);
  CHECK(object("{size: 64B, count: per_cpu}").count == 4);
  CHECK(object("{size: 64B, count: per_node}").count == 1);
}

TEST_CASE("a struct that cannot be laid out is refused") {
  CHECK_THAT(said("{fields: {a: {at: 2B}}}"), contains_text("no multiple of its size of 8 bytes"));
  CHECK_THAT(said("{fields: {a: {size: 3B}}}"), contains_text("a word has 1B, 2B, 4B or 8B"));
  CHECK_THAT(said("{fields: {a: {}, b: {at: 4B, size: 4B}}}"),
             contains_text("overlaps with the field \"a\""));
  CHECK_THAT(said("{size: 8B, fields: {a: {}, b: {}}}"), contains_text("the fields need 16 bytes"));
  CHECK_THAT(said("{fields: {a: {at: 692}}}"), contains_text("has no unit"));
  CHECK_THAT(said("{fields: {l: {model: mcs}, b: {}}}"), contains_text("say where with \"at\""));
}

TEST_CASE("fields that a model's words overlap are named when the run is built") {
  const auto bad = scenario(
      with_objects("  it: {fields: {a: {at: 0B, model: atomic}, b: {at: 4B, size: 4B}}}\n"));
  CHECK_THROWS_WITH(workload::Run(bad, {}), contains_text("overlaps with it."));
}

TEST_CASE("a model and its parameters are checked against the catalogue") {
  CHECK_THAT(said("{model: tiket}"),
             contains_text("there is no model \"tiket\"; did you mean \"ticket\"?"));
  CHECK_THAT(said("{model: percpu-counter, with: {bach: 3}}"), contains_text("bach"));
  CHECK_THAT(said("{model: percpu-counter, with: {batch: 0}}"),
             contains_text("objects.it.with.batch"));
  CHECK_THAT(said("{model: mcs, size: 64B}"), contains_text("a model or a struct"));
  CHECK_THAT(said("{with: {batch: 3}, size: 64B}"), contains_text("there is no model to set up"));
}

TEST_CASE("an object that would fill the memory of the host is refused") {
  CHECK_THAT(said("{size: 16MiB, count: 100000}"), contains_text("256 MiB"));
  CHECK_THAT(said("{size: 1GiB}"), contains_text("above the largest allowed value 16MiB"));
  CHECK_THAT(said("{model: mcs, count: 1000000}"), contains_text("100000 locks or counters"));
}

TEST_CASE("variables may be computed from those above them") {
  const auto it = scenario(
      "variables: {a: 4, b: a * 2, c: 100ns, d: c * b}\nthreads:\n  w: {program: [{compute: "
      "d}]}\n");
  CHECK(it.variables == std::vector<std::int64_t>{4, 8, 100'000, 800'000});
  CHECK_THAT(complaints("variables: {a: b, b: 1}\nthreads:\n  w: {program: [{compute: 1ns}]}\n"),
             contains_text("\"b\" is no variable"));
  CHECK_THAT(complaints("variables: {a: thread}\nthreads:\n  w: {program: [{compute: 1ns}]}\n"),
             contains_text("\"thread\" is no variable"));
  CHECK_THAT(complaints("variables: {threads: 3}\nthreads:\n  w: {program: [{compute: 1ns}]}\n"),
             contains_text("is built in"));
  CHECK_THAT(complaints("variables: {a-b: 3}\nthreads:\n  w: {program: [{compute: 1ns}]}\n"),
             contains_text("would be a subtraction"));
}

TEST_CASE("groups share the CPUs, and more threads than CPUs are refused") {
  const auto it = scenario(
      "threads:\n  a: {count: 1, cpus: [2], program: [{compute: 1ns}]}\n"
      "  b: {count: 3, program: [{compute: 1ns}]}\n");
  CHECK(it.groups[0].cpus.front().value == 2);
  CHECK(it.groups[1].cpus.size() == 3);
  CHECK(it.groups[1].cpus[2].value == 3);
  CHECK_THAT(
      complaints("threads:\n  a: {count: 5, program: [{compute: 1ns}]}\n"),
      contains_text("5 threads do not fit on the 4 CPUs that are left for them; more threads "
                    "than CPUs need an \"os\" section"));
  CHECK_THAT(complaints("threads:\n  a: {cpus: [9], program: [{compute: 1ns}]}\n"),
             contains_text("the machine has no CPU 9"));
}

TEST_CASE("the number of threads that a user asks for must come out of the counts") {
  const auto groups =
      "threads:\n  a: {count: threads - 1, program: [{compute: 1ns}]}\n"
      "  b: {program: [{compute: 1ns}]}\n";
  workload::Overrides three;
  three.threads = 3;
  CHECK(scenario(groups, three).threads == 3);
  CHECK(scenario(groups).threads == 4);  // all CPUs
  const auto fixed = "threads:\n  a: {count: 2, program: [{compute: 1ns}]}\n";
  CHECK_THROWS_WITH(scenario(fixed, three), contains_text("add up to 2 threads, but"));
}

}  // namespace hotline::tests
