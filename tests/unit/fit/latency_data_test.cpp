#include "sim/experiment/latency_data.hpp"

#include "sim/machine/reader.hpp"
#include "tests/catch.hpp"
#include "tests/cli/process.hpp"

namespace hotline::experiment {
namespace {

using tests::Approx;
using tests::TemporaryFolder;

machine::Topology topology_of(const std::string& name) {
  input::Diagnostics diagnostics;
  const machine::MachineFile file =
      machine::read_machine(name, {}, machine::machine_folders(), diagnostics);
  diagnostics.throw_if_errors();
  return machine::Topology(file.description);
}

/// What is wrong with a matrix, without the folder before the file's name.
std::string problem_of(const std::string& text, bool is_curve = false) {
  const TemporaryFolder folder;
  input::Diagnostics diagnostics;
  LatencyData data;
  const machine::Topology topology = topology_of("x5550-2s");
  if (is_curve) {
    add_curve(folder.file("d.csv", text), topology, data, diagnostics);
  } else {
    add_matrix(folder.file("d.csv", text), "x5550-2s", topology, data, diagnostics);
  }
  const std::string told = diagnostics.text();
  const std::size_t at = told.find("d.csv");
  return at == std::string::npos ? told : told.substr(at);
}

}  // namespace

TEST_CASE("a square becomes the quantiles of its distance classes, by the home of its line") {
  const TemporaryFolder folder;
  const machine::Topology topology = topology_of("x5550-2s");
  std::string text;
  for (std::uint32_t a = 0; a < topology.cpus(); ++a) {
    for (std::uint32_t b = 0; b < topology.cpus(); ++b) {
      const std::uint8_t distance = topology.distance(topology.core_of({a}), topology.core_of({b}));
      text += (b == 0 ? "" : ",") + (b < a ? std::to_string(10 * (distance + 1)) : "");
    }
    text += "\n";
  }
  input::Diagnostics diagnostics;
  LatencyData data;
  add_matrix(folder.file("c2c.csv", text), "", topology, data, diagnostics);
  CHECK(diagnostics.text().empty());
  REQUIRE(data.classes.size() == 5);
  CHECK(data.classes[0].distance == "smt sibling");
  CHECK(data.classes[0].home == "local");
  CHECK(data.classes[3].home == "remote");
  CHECK(data.classes[4].distance.starts_with("other socket"));
  CHECK(data.classes[4].home == "any");
  CHECK(data.classes[4].pairs.size() == 40);
  for (const LatencyPoint& point : data.points) {
    const double nanoseconds = *point.pair_class < 2 ? 10 : *point.pair_class < 4 ? 20 : 30;
    CHECK(point.row.measured == nanoseconds);
  }
}

TEST_CASE("a table of classes is read in its own words, for one machine") {
  const TemporaryFolder folder;
  const std::string file = folder.file("classes.csv",
                                       "machine,class,line_home,median_ns,p5_ns,p95_ns\n"
                                       "\"one, first\",smt_sibling,n/a,7,6,8\n"
                                       "\"one, first\",same_die(x),unknown,37,36,38\n"
                                       "\"one, first\",remote_socket,remote to pair,74,,\n"
                                       "two,no such,n/a,1,1,1\n");
  input::Diagnostics diagnostics;
  LatencyData data;
  add_matrix(file, "one, first", topology_of("x5550-2s"), data, diagnostics);
  CHECK(diagnostics.text().empty());
  REQUIRE(data.points.size() == 5);
  CHECK(data.points[0].row.series == "smt sibling, median");
  CHECK(data.points[1].row.series == "same socket, median");
  CHECK(data.points[2].row.series == "same socket, p5");
  CHECK(data.points[2].row.measured == 36);
  CHECK(data.points[4].row.series == "other socket, home remote, median");
  CHECK(data.points[4].row.line == 4);
}

TEST_CASE("a curve is ns an operation of all threads together, whatever its column") {
  const TemporaryFolder folder;
  input::Diagnostics diagnostics;
  LatencyData data;
  const machine::Topology topology = topology_of("x5550-2s");
  add_curve(folder.file("1.csv", "threads,ns_per_thread\n4,100\n"), topology, data, diagnostics);
  add_curve(folder.file("2.csv", "threads,operation,per_second\n2,exchange,20000000\n"), topology,
            data, diagnostics);
  CHECK(diagnostics.text().empty());
  REQUIRE(data.points.size() == 2);
  CHECK(data.points[0].row.measured == 25);
  CHECK(data.points[0].hammer == Hammer::kAdd);
  CHECK(data.points[1].row.measured == Approx(50));
  CHECK(data.points[1].hammer == Hammer::kExchange);
}

TEST_CASE("what is wrong with measured latencies is said with its place and what was expected") {
  CHECK(problem_of(",,\n1,,\n2,3,\n") ==
        "d.csv: error: has 3 rows, but the machine has 16 CPUs; a row and a column a CPU\n");
  CHECK(problem_of(",\n1,,\n").find("d.csv:2:1: error: has 3 cells, but there are 2 rows\n") !=
        std::string::npos);
  CHECK(problem_of(",\n1x,\n").find("d.csv:2:1: error: \"1x\" is no number of ns\n") !=
        std::string::npos);
  CHECK(problem_of("class,median\nsame socket,3\n") ==
        "d.csv: error: has no column \"median_ns\"; did you mean \"median\"?\n");
  CHECK(problem_of("class,median_ns\nsame sockt,3\n") ==
        "d.csv:2:1: error: class: the machine has no distance \"same sockt\"; did you mean \"same "
        "socket\"? To leave the row out, begin it with #.\n");
  CHECK(problem_of("class,median_ns\nsame socket,-3\n") ==
        "d.csv:2:1: error: median_ns: \"-3\" is not a number above 0\n");
  CHECK(problem_of("machine,class,median_ns\nx5550,same socket,3\n") ==
        "d.csv: error: machine: no row is of \"x5550-2s\", which --rows can "
        "change; expected one of x5550\n");
  CHECK(problem_of("threads,ns\n17,3\n", true) ==
        "d.csv:2:1: error: threads: \"17\" is no number of threads from 1 to the 16 CPUs of the "
        "machine\n");
  CHECK(problem_of("threads,operation,ns\n2,ad,3\n", true) ==
        "d.csv:2:1: error: operation: no operation is called \"ad\"; did you mean \"add\"?\n");
  CHECK(problem_of("threads,nanoseconds\n2,3\n", true) ==
        "d.csv: error: must have one of the columns per_second, ns and ns_per_thread\n");
}

TEST_CASE("rows to be predicted are chosen by number or by name") {
  const TemporaryFolder folder;
  const machine::Topology topology = topology_of("x5550-2s");
  input::Diagnostics diagnostics;
  LatencyData data;
  add_matrix(folder.file("c.csv", "class,median_ns\nsame socket,37\nother socket,74\n"), "",
             topology, data, diagnostics);
  add_curve(folder.file("a.csv", "threads,ns\n2,20\n8,25\n"), topology, data, diagnostics);
  const auto held = [&](const std::string& text) {
    input::Diagnostics problems;
    hold_out(text, data, problems);
    std::string result = problems.text();
    for (const LatencyPoint& point : data.points) result += point.row.is_held_out ? "1" : "0";
    return result;
  };
  CHECK(held("threads>=8") == "0001");
  CHECK(held("class==other socket") == "0100");
  CHECK(held("statistic==median") == "1100");
  CHECK(held("class==other sockt").find("did you mean \"other socket\"?") != std::string::npos);
  CHECK(held("class>=x").find("--hold-out: error: \"x\"") == 0);
}

}  // namespace hotline::experiment
