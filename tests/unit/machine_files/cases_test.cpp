#include <fstream>

#include "sim/machine/topology.hpp"
#include "tests/catch.hpp"
#include "tests/unit/machine_files/small_machine.hpp"

namespace hotline::machine::tests {
namespace {

using hotline::tests::contains_text;

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream stream(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// A machine with a distance table; `counts` is its topology block.
std::string with_slit(const std::string& counts, const std::vector<std::string>& rows) {
  std::string text(kSmallMachine);
  text.erase(text.find("  links:"));
  const std::string old = "  sockets: 2\n  cores_per_cluster: 2\n  threads_per_core: 2\n";
  text.replace(text.find(old), old.size(), counts);
  text += "  slit:\n    local_memory: 100ns\n    distances:\n";
  for (const std::string& row : rows) text += "      - " + row + "\n";
  return text;
}

TEST_CASE("a distance table that is not symmetric is kept as it is") {
  const auto rows = lines_of("tests/cases/slit-asymmetric.txt");
  const ReadResult result =
      read_text(with_slit("  sockets: 2\n  nodes_per_socket: 3\n  cores_per_cluster: 6\n", rows));
  REQUIRE(result.problems.empty());
  const Topology topology(result.file.description);
  CHECK(topology.nodes() == 6);
  // 28 says that memory takes 280 ns instead of 100: 90 ns a way. Back it is 23, so 65 ns.
  CHECK(topology.route({0}, {4}).ps() == 90'000);
  CHECK(topology.route({4}, {0}).ps() == 65'000);
}

TEST_CASE("a distance table that is no metric is kept with a warning for each pair of nodes") {
  const auto rows = lines_of("tests/cases/slit-not-metric.txt");
  const ReadResult result = read_text(with_slit("  sockets: 4\n  cores_per_cluster: 2\n", rows));
  CHECK(result.is_good);
  CHECK(
      result.problems ==
      "m.yaml:34:7: warning: machine.interconnect.slit.distances: is not credible: from node 1 to "
      "node 3 it says 61, but over node 2 it is 21 + 11; kept as written\n"
      "m.yaml:34:7: warning: machine.interconnect.slit.distances: is not credible: from node 3 to "
      "node 1 it says 61, but over node 2 it is 11 + 21; kept as written\n");
  const Topology topology(result.file.description);
  CHECK(topology.route({1}, {3}).ps() == 255'000);
}

TEST_CASE("nodes without memory keep their CPUs and may hold no home") {
  const auto lines = lines_of("tests/cases/numactl-memoryless.txt");
  std::vector<std::string> rows;
  for (const std::string& line : lines) {
    if (line.size() > 4 && line[3] == ':') rows.push_back(line.substr(line.find(':') + 1));
  }
  REQUIRE(rows.size() == 4);
  const std::string counts =
      "  sockets: 1\n  nodes_per_socket: 4\n  clusters_per_socket: 8\n  cores_per_cluster: 3\n"
      "  threads_per_core: 2\n  nodes_without_memory: [0, 3]\n";
  const ReadResult result = read_text(with_slit(counts, rows));
  REQUIRE(result.problems.empty());
  const Topology topology(result.file.description);
  CHECK(topology.cpus() == 48);
  CHECK_FALSE(topology.has_memory({0}));
  CHECK(topology.has_memory({1}));
  CHECK(topology.has_memory({2}));
  CHECK_FALSE(topology.has_memory({3}));
  // As the file says: node 1 has CPUs 6 to 11 and 30 to 35.
  for (const std::uint32_t cpu : {6U, 11U, 30U, 35U}) {
    CHECK(topology.node_of(topology.core_of(CpuId{cpu})) == NodeId{1});
  }
}

TEST_CASE("a distance table that cannot be meant is refused") {
  const std::string counts = "  sockets: 2\n  cores_per_cluster: 2\n";
  CHECK(read_text(with_slit(counts, {"[10, 21]", "[21]"})).problems ==
        "m.yaml:35:9: error: machine.interconnect.slit.distances[1]: has 1 distances; expected 2, "
        "one a node\n");
  CHECK(read_text(with_slit(counts, {"20 21", "21 10"})).problems ==
        "m.yaml:34:9: error: machine.interconnect.slit.distances[0]: the distance to node 0 is 20; "
        "expected 10 for the node itself\n");
  CHECK(read_text(with_slit(counts, {"10 255", "9 10"})).problems ==
        "m.yaml:34:9: error: machine.interconnect.slit.distances[0]: the distance to node 1 is "
        "255, which means that there is no way\n"
        "m.yaml:35:9: error: machine.interconnect.slit.distances[1]: the distance to node 0 is 9; "
        "expected at least 10\n");
  CHECK(read_text(with_slit(counts, {"10 21"})).problems ==
        "m.yaml:34:7: error: machine.interconnect.slit.distances: has 1 rows; expected 2, one a "
        "node\n");
  CHECK_THAT(read_text(with_slit(counts, {"10 far", "21 10"})).problems,
             contains_text("\"far\" is not a whole number"));
}

}  // namespace
}  // namespace hotline::machine::tests
