#include "sim/report/page.hpp"

#include <string>

#include "sim/input/diagnostics.hpp"
#include "sim/report/document.hpp"
#include "sim/report/machine_tables.hpp"
#include "tests/catch.hpp"
#include "tests/unit/report/sample.hpp"

using hotline::report::has_page;
using hotline::report::results_page;
using hotline::tests::contains_text;

namespace {

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(results_page(text, "result.json"));
  } catch (const hotline::input::InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("what is no JSON is refused with the place where it ceases to be") {
  CHECK_THAT(refusal("{\"tables\":\n  {]}"), contains_text("result.json:2:4: error: "));
  CHECK_THAT(refusal(""), contains_text("result.json:1:1: error: this is no JSON"));
  CHECK_THAT(refusal("{}{}"), contains_text("result.json:1:3: error: "));
}

TEST_CASE("JSON that hotline has not written is refused") {
  for (const char* text : {"[]", "{}", "{\"tables\": 3}", "{\"tables\": {\"rows\": []}}"}) {
    CHECK_THAT(refusal(text), contains_text("tables.summary is missing"));
  }
}

TEST_CASE("a page holds its data, and nothing in it ends the script that holds it") {
  if (!has_page()) return;
  const std::string json = R"({"tables": {"summary": {"rows": []}}, "x": "</script><!--"})";
  const std::string page = results_page(json, "result.json");
  CHECK(page.starts_with("<!doctype html>"));
  CHECK_THAT(page, contains_text(R"("x": "\u003c/script>\u003c!--")"));
  CHECK(page.find("/*results*/") == std::string::npos);
}

TEST_CASE("lines between nodes are booked on every link of the shortest route") {
  auto outcome = hotline::tests::sample_outcome("base");
  auto& machine = outcome.machine_description;
  machine.sockets = 3;
  machine.links = {{{0}, {1}, hotline::tests::ns(10), hotline::tests::ns(12)},
                   {{1}, {2}, hotline::tests::ns(10), hotline::tests::ns(10)}};
  outcome.total.traffic = {900, 1, 20, 0, 900, 0, 0, 300, 900};  // 0>1 1, 0>2 20, 2>1 300
  const auto links = hotline::report::link_table(outcome);
  REQUIRE(links.rows.size() == 4);
  const auto lines = [&](std::size_t row) {
    return std::get<std::uint64_t>(links.rows[row].at(3));
  };
  CHECK(lines(0) == 21);   // 0 to 1
  CHECK(lines(1) == 0);    // 1 to 0
  CHECK(lines(2) == 20);   // 1 to 2
  CHECK(lines(3) == 300);  // 2 to 1
}
