#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

namespace hotline::tests {
namespace {

namespace fs = std::filesystem;

/// A workload in a folder of its own that replays rows of a CSV file.
class Recorded {
 public:
  explicit Recorded(std::string_view rows)
      : folder_(fs::temp_directory_path() / ("hotline_trace_" + std::to_string(std::rand()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "rows.csv") << rows;
    std::ofstream(folder_ / "replay.yaml") << on_machine(R"(objects:
  lock: {model: ticket}
  rw: {model: qrwlock}
  ns: {fields: {a: {}}}
threads:
  w: {count: 2, trace: {file: rows.csv}}
)");
  }
  ~Recorded() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;

  workload::Workload load() const { return workload::Workload::load(folder_ / "replay.yaml"); }

  std::string said() const {
    try {
      load();
      return {};
    } catch (const input::InputError& error) {
      return error.what();
    }
  }

 private:
  fs::path folder_;
};

}  // namespace

TEST_CASE("recorded operations run in order, none before its time") {
  workload::Run run(scenario(R"(objects:
  ns: {fields: {a: {}}}
threads:
  w:
    count: 2
    trace:
      - {at: 100ns, thread: 0, do: [{store: {word: ns.a, value: 5}}]}
      - {at: 50ns, thread: 1, do: [{compute: 200ns}]}
      - {at: 60ns, thread: 1, do: [{compute: 10ns}, {count: late}]}
)"),
                    {});
  CHECK(run.run() == workload::Ending::kFinished);
  CHECK((run.measured_to() - run.measured_from()).ns() == 260.0);
  CHECK(run.work({0}) == 1);
  CHECK(run.machine().peek(run.words()[0].word) == 5);
}

TEST_CASE("a recorded trace may come from a CSV file") {
  const Recorded recorded(
      "at,thread,operation,target,value\n"
      "10ns,0,acquire,lock,\n"
      "20ns,0,store,ns.a,7\n"
      "500ns,0,release,lock,\n"
      "15ns,1,acquire,lock,\n"
      "15ns,1,release,lock,\n"
      "600ns,0,acquire_read,rw,\n"
      "600ns,1,acquire_read,rw,\n"
      "700ns,0,release_read,rw,\n"
      "700ns,1,release_read,rw,\n");
  workload::Run run(recorded.load().scenario("base"), {});
  CHECK(run.run() == workload::Ending::kFinished);
  CHECK((run.measured_to() - run.measured_from()).ns() > 700.0);
}

TEST_CASE("what is wrong with a CSV file is told with its line and column") {
  CHECK_THAT(Recorded("at,thread,operation,target,value\n10ns,0,aquire,lock,\n").said(),
             contains_text("rows.csv:2:8: error: there is no operation \"aquire\"; did you mean "
                           "\"acquire\"?"));
  CHECK_THAT(Recorded("at,thread,operation,target,value\n10,0,acquire,lock,\n").said(),
             contains_text("rows.csv:2:1: error: threads.w.trace[0].at: \"10\" has no unit"));
  CHECK_THAT(Recorded("at,thread,operation,target,value\n10ns,2,acquire,lock,\n").said(),
             contains_text("the group has 2 threads, 0 to 1"));
  CHECK_THAT(Recorded("at,thread,operation,target,value\n10ns,0\n").said(),
             contains_text("rows.csv:2:1: error: has 2 columns"));
  CHECK_THAT(Recorded("time,thread\n").said(), contains_text("expected the columns at,thread"));
  CHECK_THAT(Recorded("").said(), contains_text("cannot be read, or is empty"));
  CHECK_THAT(
      Recorded("at,thread,operation,target,value\n20ns,0,compute,1ns,\n10ns,0,compute,1ns,\n")
          .said(),
      contains_text("is before the operation that thread 0 does above"));
}

}  // namespace hotline::tests
