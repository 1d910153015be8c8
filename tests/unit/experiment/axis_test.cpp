#include "sim/experiment/axis.hpp"

#include "tests/catch.hpp"

using hotline::experiment::Axis;
using hotline::experiment::number_of;
using hotline::experiment::parse_axis;
using hotline::tests::contains_text;
using Values = std::vector<std::string>;

namespace {

Values values(const char* text) { return parse_axis(text, "--set").values; }

std::string problem(const char* text) {
  try {
    (void)parse_axis(text, "--set");
  } catch (const hotline::input::InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a list is cut at commas outside brackets, braces and quotes") {
  CHECK(values("machine=a,b") == Values{"a", "b"});
  CHECK(values("x=[1, 2],{a: 1, b: 2},\"p,q\"") == Values{"[1, 2]", "{a: 1, b: 2}", "\"p,q\""});
  CHECK(values("x=7") == Values{"7"});
}

TEST_CASE("a range takes steps of one, of its step, or doubles, and has both its ends") {
  CHECK(values("n=1..4") == Values{"1", "2", "3", "4"});
  CHECK(values("n=1..16:5") == Values{"1", "6", "11", "16"});
  CHECK(values("n=1..15:5") == Values{"1", "6", "11", "15"});
  CHECK(values("n=1..160:log") == Values{"1", "2", "4", "8", "16", "32", "64", "128", "160"});
  CHECK(values("n=3..3") == Values{"3"});
  CHECK(values("n=1,8..10,99") == Values{"1", "8", "9", "10", "99"});
  CHECK(values("hold=10ns..80ns:log") == Values{"10ns", "20ns", "40ns", "80ns"});
  CHECK(values("hold=500ns..1us:250ns") == Values{"500ns", "750ns", "1us"});
}

TEST_CASE("only a range that doubles says so") {
  CHECK(parse_axis("n=1..4:log", "--set").doubles);
  CHECK_FALSE(parse_axis("n=1..4", "--set").doubles);
}

TEST_CASE("a range that is none is told with what was written and what to write") {
  CHECK_THAT(problem("n=4..1"), contains_text("\"4..1\" runs backwards"));
  CHECK_THAT(problem("n=0..8:log"), contains_text("cannot double from 0"));
  CHECK_THAT(problem("n=1..x"), contains_text("write whole numbers or durations"));
  CHECK_THAT(problem("n=1..8:lgo"), contains_text("write log or a whole number above 0"));
  CHECK_THAT(problem("n=1..8:0"), contains_text("above 0"));
  CHECK_THAT(problem("hold=1ns..9ns"), contains_text("needs a step"));
  CHECK_THAT(problem("n=1..99999999999"), contains_text("too many values"));
  CHECK_THAT(problem("n"), contains_text("write path=value"));
  CHECK_THAT(problem("n=1,2,1"), contains_text("\"1\" stands there twice"));
}

TEST_CASE("numbers, durations, shares and sizes are numbers; names are not") {
  CHECK(number_of("12") == 12.0);
  CHECK(number_of("1.5us") == 1500.0);
  CHECK(number_of("50%") == 0.5);
  CHECK(number_of("1KiB") == 1024.0);
  CHECK_FALSE(number_of("mcs"));
}
