#include "sim/model/params.hpp"

#include "tests/catch.hpp"

namespace hotline::model {
namespace {

using engine::Duration;

TEST_CASE("reading a parameter declares it with its default, bounds and description") {
  ParamReader params;
  CHECK(params.integer("tries", 100, 1, 1000, "how often") == 100);
  CHECK(params.duration("delay", Duration::from_ps(1'500'000), "how long") ==
        Duration::from_ps(1'500'000));
  CHECK(params.boolean("eager", true, "whether"));
  CHECK(params.choice("pace", 1, {"tight", "pause"}, "which") == 1);
  CHECK(params.problems().empty());

  const auto& declared = params.declared();
  REQUIRE(declared.size() == 4);
  CHECK(declared[0].name == "tries");
  CHECK(declared[0].type == "integer");
  CHECK(declared[0].fallback == "100");
  CHECK(declared[0].bounds == "1 to 1000");
  CHECK(declared[0].description == "how often");
  CHECK(declared[1].fallback == "1500ns");
  CHECK(declared[2].fallback == "true");
  CHECK(declared[3].fallback == "pause");
  CHECK(declared[3].bounds == "tight | pause");
}

TEST_CASE("a default duration is spelled in the largest unit that leaves a whole number") {
  ParamReader params;
  params.duration("a", Duration::from_ps(2'000'000'000'000), "");
  params.duration("b", Duration::from_ps(7), "");
  params.duration("c", Duration{}, "");
  CHECK(params.declared()[0].fallback == "2s");
  CHECK(params.declared()[1].fallback == "7ps");
  CHECK(params.declared()[2].fallback == "0ns");
}

TEST_CASE("given values are taken if they fit") {
  ParamReader params({{"tries", std::int64_t{7}},
                      {"delay", Duration::from_ps(9)},
                      {"eager", false},
                      {"pace", std::string("tight")}});
  CHECK(params.integer("tries", 100, 1, 1000, "") == 7);
  CHECK(params.duration("delay", Duration{}, "") == Duration::from_ps(9));
  CHECK_FALSE(params.boolean("eager", true, ""));
  CHECK(params.choice("pace", 1, {"tight", "pause"}, "") == 0);
  CHECK(params.problems().empty());
}

TEST_CASE("what does not fit becomes a problem and the default is used") {
  ParamReader params({{"tries", std::int64_t{0}},
                      {"delay", std::int64_t{3}},
                      {"pace", std::string("tigth")},
                      {"tris", true}});
  CHECK(params.integer("tries", 100, 1, 1000, "") == 100);
  CHECK(params.duration("delay", Duration::from_ps(5), "") == Duration::from_ps(5));
  CHECK(params.choice("pace", 1, {"tight", "pause"}, "") == 1);

  const auto problems = params.problems();
  REQUIRE(problems.size() == 4);
  CHECK(problems[0].name == "tries");
  CHECK(problems[0].message == "0 is not in 1 to 1000");
  CHECK(problems[1].message == "3 is not a duration; write 40ns or 1.5us");
  CHECK(problems[2].message == "unknown \"tigth\"; did you mean \"tight\"?");
  CHECK(problems[3].name == "tris");
  CHECK(problems[3].message == "unknown parameter; did you mean \"tries\"?");
}

TEST_CASE("a parameter for a model without any is refused") {
  const ParamReader params({{"tries", true}});
  REQUIRE(params.problems().size() == 1);
  CHECK(params.problems()[0].message == "unknown parameter; this model has no parameters");
}

TEST_CASE("a model may refuse its place") {
  ParamReader params;
  params.reject("model", "at most 128 threads");
  REQUIRE(params.problems().size() == 1);
  CHECK(params.problems()[0].name == "model");
}

}  // namespace
}  // namespace hotline::model
