#include "sim/report/trace_json.hpp"

#include <map>
#include <set>

#include <boost/json/parse.hpp>

#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

using hotline::engine::SimTime;
using hotline::measure::Timeline;
using hotline::measure::TimelineRecorder;

namespace json = boost::json;

namespace {

json::array trace() {
  const auto scenario = hotline::tests::scenario(R"(objects:
  "gate": {model: ticket}
  rw: {model: qrwlock}
  door: {model: mutex}
threads:
  worker:
    count: 3
    program:
      - loop:
          times: 20
          do:
            - with: {lock: gate, do: [{compute: 100ns}]}
            - read_lock: {lock: rw, do: [{compute: 100ns}]}
            - with: {lock: door, do: [{compute: 5us}]}
)");
  TimelineRecorder recorder(
      {SimTime::from_ps(1'000'000), hotline::engine::Duration::from_ps(149'000'000)});
  hotline::workload::Run run(scenario,
                             {.observer = &recorder, .probe = &recorder, .cpu_watcher = &recorder});
  recorder.attend(run);
  run.run();
  const std::string text = hotline::report::trace_json(recorder.take(), "a \"title\"");
  return json::parse(text).as_object().at("traceEvents").as_array();
}

double number(const json::object& event, const char* key) {
  return event.at(key).to_number<double>();
}

}  // namespace

TEST_CASE("every event of a trace has what the Trace Event Format asks for") {
  std::set<std::string> kinds;
  for (const json::value& value : trace()) {
    const json::object& event = value.as_object();
    const std::string ph(event.at("ph").as_string().c_str());
    kinds.insert(ph);
    CHECK(event.at("name").is_string());
    CHECK(event.at("pid").to_number<int>() >= 1);
    if (ph == "M") {
      CHECK(event.at("args").at("name").is_string());
      continue;
    }
    CHECK(event.at("tid").to_number<int>() >= 0);
    CHECK(number(event, "ts") >= 1);
    CHECK(number(event, "ts") <= 150);
    if (ph == "X") CHECK(number(event, "dur") > 0);
    if (ph == "C") CHECK(event.at("args").at("waiting").to_number<int>() >= 0);
  }
  CHECK(kinds == std::set<std::string>{"C", "M", "X", "f", "s"});
}

TEST_CASE("every flow of a trace begins once and ends once, not before it began") {
  std::map<int, double> begun;
  std::set<int> ended;
  for (const json::value& value : trace()) {
    const json::object& event = value.as_object();
    const std::string ph(event.at("ph").as_string().c_str());
    if (ph != "s" && ph != "f") continue;
    const int id = event.at("id").to_number<int>();
    if (ph == "s") {
      CHECK(begun.emplace(id, number(event, "ts")).second);
      continue;
    }
    REQUIRE(begun.count(id) == 1);
    CHECK(number(event, "ts") >= begun[id]);
    CHECK(ended.insert(id).second);
    CHECK(event.at("bp").as_string() == "e");
  }
  CHECK(begun.size() > 10);
  CHECK(ended.size() == begun.size());
}

TEST_CASE("the spans of a track lie inside each other or apart") {
  std::map<std::pair<int, int>, std::vector<std::pair<double, double>>> open;
  for (const json::value& value : trace()) {
    const json::object& event = value.as_object();
    if (event.at("ph").as_string() != "X") continue;
    auto& stack = open[{event.at("pid").to_number<int>(), event.at("tid").to_number<int>()}];
    const double begin = number(event, "ts");
    const double end = begin + number(event, "dur");
    constexpr double kRounding = 1e-6;
    while (!stack.empty() && stack.back().second <= begin + kRounding) stack.pop_back();
    if (!stack.empty()) CHECK(end <= stack.back().second + kRounding);
    stack.emplace_back(begin, end);
  }
  CHECK(open.size() >= 6);
}
