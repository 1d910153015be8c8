#include "tests/style/source_rules.hpp"

#include "tests/catch.hpp"

namespace hotline::tests::style {
namespace {

// A coroutine body around a statement that breaks a rule; `await` is spelt by the test, so that
// this file itself stays free of what it shows.
const std::string kAwait = "co_await";

TEST_CASE("a file of 401 lines is reported and one of 400 is not") {
  const Tree tree = {{"sim/a.cpp", std::string(400, '\n')}, {"sim/b.cpp", std::string(401, '\n')}};
  CHECK(to_text(check_length(tree)) == "sim/b.cpp:401: the file has more than 400 lines\n");
}

TEST_CASE("co_await in a condition is reported for each kind of statement") {
  const std::string keyword = GENERATE("if ", "while ", "for ", "switch ", "if constexpr ");
  const Tree tree = {{"sim/a.cpp", "\n" + keyword + "((x) != (" + kAwait + " y)) {}\n"}};
  CHECK(check_co_await_in_condition(tree).size() == 1);
  CHECK(check_co_await_in_condition(tree).front().line == 2);
}

TEST_CASE("co_await in a condition that spans lines is reported") {
  const Tree tree = {{"sim/a.cpp", "do {} while (a &&\n   " + kAwait + " b);\n"}};
  CHECK(check_co_await_in_condition(tree).size() == 1);
}

TEST_CASE("co_await after a condition, in a comment or in a string is allowed") {
  const Tree tree = {{"sim/a.cpp", "if (x == 1'000) " + kAwait + " y;\n// if (" + kAwait +
                                       " z)\nlog(\"if (" + kAwait + " z)\");\nnotif (" + kAwait +
                                       " a);\n"}};
  CHECK(to_text(check_co_await_in_condition(tree)).empty());
}

TEST_CASE("co_await of a braced awaiter is reported") {
  const Tree tree = {{"sim/a.cpp", kAwait + " machine::Load{x};\n"},
                     {"sim/b.cpp", kAwait + " self.load(Word{1});\n"}};
  CHECK(to_text(check_braced_awaiter(tree)) ==
        "sim/a.cpp:1: co_await of a braced awaiter; let a function return it\n");
}

TEST_CASE("an awaiter without the assertion of its triviality is reported") {
  const std::string awaiter = "struct A { void await_suspend(H h); };\n";
  const Tree tree = {
      {"sim/a.hpp", awaiter},
      {"sim/b.hpp", awaiter + "static_assert(std::is_trivially_destructible_v<A>);\n"}};
  const auto found = check_awaiter_assertion(tree);
  REQUIRE(found.size() == 1);
  CHECK(found.front().path == "sim/a.hpp");
}

TEST_CASE("a header without pragma once is reported") {
  const Tree tree = {{"sim/a.hpp", "#pragma once\n"}, {"sim/b.hpp", "#ifndef B\n"}};
  const auto found = check_pragma_once(tree);
  REQUIRE(found.size() == 1);
  CHECK(found.front().path == "sim/b.hpp");
}

TEST_CASE("a mark of unfinished work is reported in sources and pages") {
  const std::string mark = std::string("TO") + "DO";
  const Tree tree = {{"docs/models/a.md", "fine\n" + mark + " later\n"},
                     {"sim/a.cpp", "// " + mark + "\n"},
                     {"sim/b.cpp", "int " + mark + "S;\n"}};
  CHECK(check_unfinished_marks(tree).size() == 2);
}

}  // namespace
}  // namespace hotline::tests::style
