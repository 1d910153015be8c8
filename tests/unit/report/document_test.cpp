#include "sim/report/document.hpp"

#include <boost/json.hpp>

#include "sim/report/run_report.hpp"
#include "tests/catch.hpp"
#include "tests/unit/report/sample.hpp"

using namespace hotline::report;
using hotline::engine::Duration;
using hotline::measure::Table;
using hotline::measure::Unit;
using hotline::measure::Value;
using hotline::tests::sample_outcome;

namespace {

Document small() {
  Document document;
  document.facts = {{"name", std::string("x \"y\"")}, {"seed", std::uint64_t{3}}};
  Table table{"rows",
              "some rows",
              {{"text", Unit::kText, "a text"}, {"time", Unit::kNanoseconds, "a time"}},
              {}};
  table.rows = {{std::string("a,b"), Duration::from_ps(1500)}, {std::string("say \"c\""), Value()}};
  document.tables.push_back(table);
  return document;
}

}  // namespace

TEST_CASE("CSV quotes what must be quoted and separates its blocks by two empty lines") {
  CHECK(to_csv(small()) ==
        "# facts: what was run\n"
        "fact,value\n"
        "name,\"x \"\"y\"\"\"\n"
        "seed,3\n"
        "\n\n"
        "# rows: some rows\n"
        "text,time\n"
        "\"a,b\",1.5\n"
        "\"say \"\"c\"\"\",\n");
}

TEST_CASE("JSON has facts as members and rows as objects, one a line") {
  CHECK(to_json(small()) == R"({
  "name": "x \"y\"",
  "seed": 3,
  "tables": {
    "rows": {
      "description": "some rows",
      "fields": [
        {"name": "text", "unit": "text", "description": "a text"},
        {"name": "time", "unit": "ns", "description": "a time"}
      ],
      "rows": [
        {"text": "a,b", "time": 1.5},
        {"text": "say \"c\"", "time": null}
      ]
    }
  }
}
)");
}

TEST_CASE("a run's JSON can be parsed and has every table") {
  const auto root = boost::json::parse(to_json(run_document(sample_outcome("before"))));
  const auto& tables = root.at("tables").as_object();
  for (const char* name :
       {"summary", "accounts", "locks", "lines", "transfers", "words", "functions", "threads"}) {
    INFO(name);
    REQUIRE(tables.contains(name));
    CHECK_FALSE(tables.at(name).at("rows").as_array().empty());
  }
  CHECK(root.at("seed").as_int64() == 7);
  CHECK(root.at("fingerprint").as_string() == "0123456789abcdef");
  CHECK(tables.at("locks").at("rows").at(0).at("spin").as_int64() == 209);
}

TEST_CASE("the accounts of a thread add up to the measured time in the written numbers") {
  const auto root = boost::json::parse(to_json(run_document(sample_outcome("before"))));
  for (const auto& row : root.at("tables").at("threads").at("rows").as_array()) {
    double sum = 0;
    for (const char* account : {"work", "lock_wait", "line_stall", "other"}) {
      sum += row.at(account).to_number<double>();
    }
    CHECK(sum == 3'000'000.0);
  }
}

TEST_CASE("context columns come before a table's own") {
  const Table table =
      with_context(small().tables[0], {{{"variant", Unit::kText, ""}, std::string("v")}});
  CHECK(table.fields[0].name == "variant");
  CHECK(std::get<std::string>(table.rows[1][0]) == "v");
  CHECK(table.rows[1].size() == table.fields.size());
}
