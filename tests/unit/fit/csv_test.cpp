#include "sim/input/csv.hpp"

#include "tests/catch.hpp"

namespace hotline::input {
namespace {

TEST_CASE("a table has the columns of its first line and the lines of its rows") {
  Diagnostics diagnostics;
  const DataTable table = parse_csv(
      "# from: somewhere\nthreads,ns\n1,2.5\r\n\n2,\"a, \"\"b\"\"\"\n", "x.csv", diagnostics);
  CHECK(diagnostics.text().empty());
  CHECK(table.columns == std::vector<std::string>{"threads", "ns"});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].cells == std::vector<std::string>{"1", "2.5"});
  CHECK(table.rows[1].cells[1] == "a, \"b\"");
  CHECK(table.rows[1].line == 5);
  CHECK(table.column("ns") == 1U);
  CHECK_FALSE(table.column("us"));
}

TEST_CASE("what is no table is reported with its line") {
  const auto problem = [](std::string_view text) {
    Diagnostics diagnostics;
    static_cast<void>(parse_csv(text, "x.csv", diagnostics));
    return diagnostics.text();
  };
  CHECK(problem("") == "x.csv: error: has no line with columns\n");
  CHECK(problem("a,b\n1\n") == "x.csv:2:1: error: has 1 cells, but there are 2 columns\n");
  CHECK(problem("a,a\n") == "x.csv:1:1: error: two columns are called \"a\"\n");
  CHECK(problem("a\n\"1\n") == "x.csv:2:1: error: a quote is not closed\n");
}

}  // namespace
}  // namespace hotline::input
