#include "sim/workload/expression.hpp"

#include <string>
#include <vector>

#include "tests/catch.hpp"

namespace hotline::workload {
namespace {

Scope scope() {
  Scope scope;
  scope.add("thread", Unit::kNumber, true);
  scope.add("threads", Unit::kNumber, true);
  scope.add("critical", Unit::kDuration);
  return scope;
}

std::int64_t value(std::string_view text) {
  const Scope names = scope();
  const std::vector<std::int64_t> slots{3, 16, 100'000};  // critical: 100 ns
  engine::Random random(1, "test");
  return Expression::parse(text, names).evaluate(slots, random);
}

std::string complaint(std::string_view text) {
  try {
    value(text);
    return {};
  } catch (const ExpressionError& error) {
    return std::to_string(error.offset()) + ": " + error.what();
  }
}

}  // namespace

TEST_CASE("an expression follows the usual precedence") {
  CHECK(value("1 + 2 * 3") == 7);
  CHECK(value("(1 + 2) * 3") == 9);
  CHECK(value("10 - 3 - 2") == 5);
  CHECK(value("100 / 10 / 2") == 5);
  CHECK(value("-3 + 5") == 2);
  CHECK(value("--3") == 3);
  CHECK(value("17 % 5 * 2") == 4);
  CHECK(value("1 + 1 == 2 and not 2 < 1") == 1);
  CHECK(value("0 and 0 or 1") == 1);
}

TEST_CASE("every comparison of an expression gives 0 or 1") {
  CHECK(value("3 == 3") == 1);
  CHECK(value("3 != 3") == 0);
  CHECK(value("2 < 3") == 1);
  CHECK(value("3 <= 3") == 1);
  CHECK(value("3 > 3") == 0);
  CHECK(value("3 >= 3") == 1);
}

TEST_CASE("an expression knows variables, min, max and random") {
  CHECK(value("threads / 2 + thread") == 11);
  CHECK(value("min(thread, 2, 1)") == 1);
  CHECK(value("max(thread, 2)") == 3);
  for (int i = 0; i < 100; ++i) CHECK(value("random(4)") < 4);
}

TEST_CASE("durations are picoseconds and scale by numbers") {
  CHECK(value("1.5ns") == 1500);
  CHECK(value("2 * critical + 1ns") == 201'000);
  CHECK(value("critical / 4") == 25'000);
  CHECK(value("critical / 30ns") == 3);
  CHECK(Expression::parse("critical", scope()).unit() == Unit::kDuration);
  CHECK(Expression::parse("critical > 1us", scope()).unit() == Unit::kNumber);
}

TEST_CASE("an expression that mixes numbers and durations is refused") {
  CHECK(complaint("critical + 1") ==
        "9: a number and a duration cannot be combined; write 100ns, not 100");
  CHECK(complaint("critical * critical") == "9: two durations cannot be multiplied");
  CHECK(complaint("5 / critical") == "2: a number cannot be divided by a duration");
  CHECK(complaint("critical and 1") == "13: \"and\" takes numbers, and this is a duration");
}

TEST_CASE("what is wrong with an expression is named at its place") {
  CHECK(complaint("1 + thred") == "4: \"thred\" is no variable; did you mean \"thread\"?");
  CHECK(complaint("1 +") ==
        "3: the formula ends too early; expected a number, a duration, a variable or \"(\"");
  CHECK(complaint("(1") == "2: the formula ends too early; expected \")\"");
  CHECK(complaint("1 2") == "2: unexpected \"2\"; expected an operator or the end");
  CHECK(complaint("mim(1, 2)") == "0: \"mim\" is no function; did you mean \"min\"?");
  CHECK(complaint("1.5") ==
        "0: \"1.5\" is neither a whole number nor a duration such as 47ns or 1.5us");
  CHECK(complaint("99999999999999999999").find("\"99999999999999999999\"") != std::string::npos);
}

TEST_CASE("hostile expressions end in a message") {
  CHECK(complaint(std::string(5000, '1')) == "0: the formula is longer than 2000 characters");
  CHECK(complaint(std::string(500, '(')).find("nested too deeply") != std::string::npos);
  CHECK(complaint(std::string(500, '-')).find("nested too deeply") != std::string::npos);
  std::string sum = "1";
  for (int i = 0; i < 400; ++i) sum += "+1";
  CHECK(value(sum) == 401);
}

TEST_CASE("an expression without a result says so") {
  CHECK(complaint("1 / 0") == "0: division by zero");
  CHECK(complaint("1 % (thread - 3)") == "0: division by zero");
  CHECK(complaint("9223372036854775807 + 1") == "0: the result does not fit into 64 bits");
  CHECK(complaint("(-9223372036854775807 - 1) / -1") == "0: the result does not fit into 64 bits");
  CHECK(complaint("random(0)") == "0: random() takes a bound above zero");
}

}  // namespace hotline::workload
