#include "sim/workload/workload.hpp"

#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

// Variants, points, overrides, published figures.
namespace hotline::tests {
namespace {

constexpr std::string_view kBase = R"(variables: {length: 10ns}
objects:
  hits: {model: atomic}
functions:
  body: [{add: hits}]
threads:
  w: {count: threads, program: [{call: body}, {compute: length}]}
)";

std::string with(std::string_view more) {
  return on_machine(std::string(kBase) + std::string(more));
}

std::string said(std::string_view more) {
  try {
    parse(with(more));
    return {};
  } catch (const input::InputError& error) {
    return error.what();
  }
}

workload::Overrides changes(std::initializer_list<std::string_view> texts) {
  workload::Overrides overrides;
  for (const std::string_view text : texts) {
    overrides.changes.push_back(workload::parse_change(text, "--set"));
  }
  return overrides;
}

}  // namespace

TEST_CASE("a file without variants and points has one of each") {
  const auto workload = parse(with(""));
  REQUIRE(workload.variants().size() == 1);
  CHECK(workload.variants()[0].name == "base");
  REQUIRE(workload.points().size() == 1);
  CHECK(workload.points()[0].threads == 4);
  CHECK(workload.name() == "test");
}

TEST_CASE("a variant changes the base at its paths and nothing else") {
  const auto workload = parse(with(R"(variants:
  before: {description: as it was}
  after:
    set:
      objects.hits: {model: percpu-counter, with: {batch: 8}}
      functions.body: [{add: {to: hits, local: true}}, {add: hits}]
)"));
  const auto before = workload.scenario("before");
  const auto after = workload.scenario("after");
  CHECK(before.objects[0].model->name == "atomic");
  CHECK(after.objects[0].model->name == "percpu-counter");
  CHECK(std::get<std::int64_t>(after.objects[0].model->params.at("batch")) == 8);
  CHECK(after.groups[0].programs[0].code.size() == before.groups[0].programs[0].code.size() + 1);
  CHECK(after.variant == "after");
}

TEST_CASE("a variant's path must exist, and its value must fit there") {
  CHECK_THAT(said("variants: {after: {set: {objects.hit.model: plain}}}\n"),
             contains_text("objects.hit.model: below objects, \"hit\" does not exist; did you mean "
                           "\"hits\"?"));
  CHECK_THAT(said("variants: {after: {set: {objects.hits.modle: plain}}}\n"),
             contains_text("objects.hits.modle: unknown key; did you mean \"model\"?"));
  CHECK_THAT(said("variants: {after: {set: {objects.hits.model: plian}}}\n"),
             contains_text("there is no model \"plian\"; did you mean \"plain\"?"));
  CHECK_THAT(said("variants: {after: {set: {objects.hits.model.x: plain}}}\n"),
             contains_text("there is \"atomic\", so \"x\" cannot be below it"));
  CHECK_THAT(said("variants: {after: {set: {'threads.w.program[7]': {add: hits}}}}\n"),
             contains_text("there is no item 7"));
  CHECK_THAT(said("variants: {after: {set: {'a..b': 1}}}\n"), contains_text("is no path"));
}

TEST_CASE("overrides win over the variant, and variables may be named shortly") {
  const auto workload = parse(with("variants: {slow: {set: {variables.length: 50ns}}}\n"));
  CHECK(workload.scenario("slow").variables[0] == 50'000);
  CHECK(workload.scenario("slow", changes({"length=70ns"})).variables[0] == 70'000);
  CHECK(workload.scenario("slow", changes({"variables.length=80ns"})).variables[0] == 80'000);
  CHECK(workload.scenario("slow", changes({"threads=2"})).threads == 2);
  CHECK(workload.scenario("slow", changes({"threads.w.program[1].compute=1ns"})).threads == 4);
}

TEST_CASE("what is wrong with an override is told with its origin") {
  const auto workload = parse(with(""));
  CHECK_THROWS_WITH(workload.scenario("base", changes({"lenght=70ns"})),
                    contains_text("--set:1:1: error: lenght"));
  CHECK_THROWS_WITH(workload.scenario("base", changes({"variables.lenght=70ns"})),
                    contains_text("\"lenght\" does not exist; did you mean \"length\"?"));
  CHECK_THROWS_WITH(workload.scenario("base", changes({"measure.duration=5"})),
                    contains_text("has no unit"));
  CHECK_THROWS_WITH(workload::parse_change("length", "--set"),
                    contains_text("\"length\" is no change; write path=value"));
  CHECK_THROWS_WITH(workload.scenario("bse"),
                    contains_text("there is no variant \"bse\"; did you mean \"base\"?"));
}

TEST_CASE("points give numbers of threads, and may be other machines") {
  const auto workload = parse(with(R"(points:
  - threads: [1, 2, 4]
  - threads: 8
    label: hypothetical
    set: {machine.topology.cores_per_cluster: 8}
)"));
  REQUIRE(workload.points().size() == 4);
  CHECK(workload.points()[3].label == "hypothetical");
  CHECK(workload.scenario("base", workload.points()[1]).threads == 2);
  CHECK(workload.scenario("base", workload.points()[3]).machine.cores_per_cluster == 8);
  CHECK_THAT(said("points: [{threads: 5}]\n"), contains_text("5 threads do not fit"));
}

TEST_CASE("published figures are kept with variant, point and source") {
  const auto workload = parse(with(R"(variants: {before: {}, after: {}}
published:
  - {name: score, variant: after, over: before, value: 3.99, at: {threads: 4}, source: somebody}
)"));
  REQUIRE(workload.published().size() == 1);
  CHECK(workload.published()[0].value == 3.99);
  CHECK(workload.published()[0].baseline == "before");
  CHECK(workload.published()[0].threads == 4U);
  CHECK(workload.published()[0].quantity.unit() == workload::Quantity::Unit::kPerSecond);
  CHECK_THAT(said("published: [{name: x, variant: nobody, value: 1, source: s}]\n"),
             contains_text("there is no variant \"nobody\""));
  CHECK_THAT(said("published: [{name: x, variant: base, value: 1}]\n"),
             contains_text("key \"source\" is missing"));
}

TEST_CASE("a published figure may be a time or a column of the lock table or the profile") {
  const auto workload = parse(with(R"(published:
  - {name: t, variant: base, quantity: {time: rounds, amount: 10}, value: 1.5s, source: s}
  - {name: l, variant: base, quantity: {lock: gate, column: hold_mean}, value: 0.5us, source: s}
  - {name: u, variant: base, quantity: {lock: gate, column: utilisation}, value: 20.7, source: s}
  - name: f
    variant: base
    quantity: {function: walk, caller: open, column: of_function}
    value: 48.65
    source: s
    calibrated: true
)"));
  const auto& figures = workload.published();
  REQUIRE(figures.size() == 4);
  CHECK(figures[0].value == 1.5e9);
  CHECK(figures[0].quantity.amount == 10);
  CHECK(figures[1].value == 500);
  CHECK(figures[1].quantity.unit() == workload::Quantity::Unit::kNanoseconds);
  CHECK(figures[2].quantity.unit() == workload::Quantity::Unit::kPercent);
  CHECK(figures[3].quantity.caller == "open");
  CHECK(figures[3].calibrated);
}

TEST_CASE("a quantity that no table has is told with what there is") {
  const auto figure = [](const std::string& quantity) {
    return said("published: [{name: x, variant: base, quantity: {" + quantity +
                "}, value: 1, source: s}]\n");
  };
  CHECK_THAT(figure("lock: gate, column: utilization"),
             contains_text("did you mean \"utilisation\"?"));
  CHECK_THAT(figure("lock: gate"), contains_text("needs a column"));
  CHECK_THAT(figure("function: f, column: of_function"), contains_text("is no column"));
  CHECK_THAT(figure("lock: gate, column: contention, amount: 3"),
             contains_text("makes no sense without time"));
  CHECK_THAT(figure("column: share"),
             contains_text("must have one of time, lock, function and share"));
  CHECK_THAT(figure("time: rounds"), contains_text("has no unit"));
}

TEST_CASE("a machine by name may get parameters from a change") {
  const auto workload = workload::Workload::parse(
      "machine: generic\nthreads:\n  w: {count: 3, program: [{compute: 1ns}]}\n", "test.yaml");
  CHECK(workload.scenario("base").machine.sockets == 2);
  CHECK(workload.scenario("base", changes({"machine.with.sockets=4"})).machine.sockets == 4);
  CHECK(workload.scenario("base", changes({"machine=hps448"})).machine.sockets == 8);
  CHECK_THROWS_WITH(workload.scenario("base", changes({"machine=hps44"})), contains_text("hps44"));
}

}  // namespace hotline::tests
