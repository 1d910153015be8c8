#include <filesystem>

#include "sim/input/document.hpp"
#include "tests/catch.hpp"
#include "tests/unit/workload/json_schema.hpp"
#include "tests/unit/workload/support.hpp"

namespace hotline::tests {
namespace {

std::string mismatch_of(std::string_view text, const boost::json::value& schema) {
  input::Diagnostics diagnostics;
  const input::Node node = input::load_text(text, "test.yaml", diagnostics);
  return mismatch(to_json_value(node), schema);
}

}  // namespace

TEST_CASE("the schema is JSON, names every step once, and refers to itself") {
  const std::string text = workload::schema();
  const boost::json::value schema = boost::json::parse(text);
  const auto& definitions = schema.as_object().at("$defs").as_object();
  const auto& steps = definitions.at("step").as_object().at("properties").as_object();
  for (const char* const name :
       {"call", "compute", "acquire", "with", "add", "touch", "scan", "spin", "loop", "repeat",
        "choose", "every", "if", "wait_for", "count", "rcu_read", "synchronize_rcu", "call_rcu"}) {
    INFO(name);
    CHECK(steps.contains(name));
  }
  CHECK_FALSE(steps.contains("send_ipi"));
  CHECK(workload::schema() == text);
}

TEST_CASE("the schema accepts every workload file that is shipped") {
  const boost::json::value schema = boost::json::parse(workload::schema());
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("workloads")) {
    if (entry.path().extension() != ".yaml") continue;
    INFO(entry.path());
    input::Diagnostics diagnostics;
    const input::Node node = input::load_file(entry.path(), diagnostics);
    CHECK(mismatch(to_json_value(node), schema) == "");
    CHECK_NOTHROW(workload::Workload::load(entry.path()));
    ++files;
  }
  CHECK(files >= 9);
}

TEST_CASE("the schema refuses what the reader refuses") {
  const boost::json::value schema = boost::json::parse(workload::schema());
  const std::string good = on_machine("threads:\n  w: {program: [{compute: 1ns}]}\n");
  CHECK(mismatch_of(good, schema) == "");
  const char* const bad[] = {
      "threads:\n  w: {program: [{copmute: 1ns}]}\n",
      "threads:\n  w: {program: [{compute: {uniform: [1ns]}}]}\n",
      "threads:\n  w: {program: [{repeat: []}]}\n",
      "threads:\n  w: {program: {}}\n",
      "threads:\n  w: {placement: nearby, program: [{compute: 1ns}]}\n",
      "objects: {l: {model: tiket}}\nthreads:\n  w: {program: [{compute: 1ns}]}\n",
      "measure: {replications: 0}\nthreads:\n  w: {program: [{compute: 1ns}]}\n",
      "measure: {duration: 5}\nthreads:\n  w: {program: [{compute: 1ns}]}\n",
      "mesure: {}\nthreads:\n  w: {program: [{compute: 1ns}]}\n",
      "objects: {}\n",
  };
  for (const char* const text : bad) {
    INFO(text);
    CHECK(mismatch_of(on_machine(text), schema) != "");
    CHECK(complaints(text) != "");
  }
}

}  // namespace hotline::tests
