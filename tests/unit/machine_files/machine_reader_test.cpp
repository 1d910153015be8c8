#include "sim/machine/reader.hpp"
#include "tests/catch.hpp"
#include "tests/unit/machine_files/small_machine.hpp"

namespace hotline::machine::tests {
namespace {

using hotline::tests::contains_text;

/// What is said about the small machine with one piece of its text replaced.
std::string problems(std::string_view piece, std::string_view replacement) {
  return read_text(small_machine(piece, replacement)).problems;
}

TEST_CASE("a machine file becomes a description") {
  const ReadResult result = read_text(kSmallMachine);
  REQUIRE(result.problems.empty());
  const Description& machine = result.file.description;
  CHECK(machine.title == "small");
  CHECK(machine.sockets == 2);
  CHECK(machine.cores_per_cluster == 2);
  CHECK(machine.threads_per_core == 2);
  CHECK(machine.core.clock.size() == 1);
  CHECK(machine.core.clock[0].megahertz == 2000);
  CHECK(machine.core.issue == Latency{Duration::from_ps(5000), {}});
  CHECK(machine.core.compare_exchange == Latency{{}, {26'000}});
  REQUIRE(machine.socket_agent);
  CHECK_FALSE(machine.cluster_agent);
  CHECK(machine.socket_agent->hop.nearest.ps() == 3000);
  CHECK(machine.socket_agent->hop.farthest.ps() == 6000);
  CHECK(machine.socket_agent->direct.nearest == machine.socket_agent->direct.farthest);
  CHECK(machine.socket_agent->take_up == TakeUp::kResponse);
  REQUIRE(machine.links.size() == 1);
  CHECK(machine.links[0].back == machine.links[0].there);
  CHECK(machine.line_bytes == 64);
}

TEST_CASE("clock steps rise and the last one is open") {
  const ReadResult result = read_text(
      small_machine("clock: 2GHz", "clock: [{up_to: 2, frequency: 3.73GHz}, {frequency: 2.8GHz}]"));
  REQUIRE(result.problems.empty());
  const auto& clock = result.file.description.core.clock;
  REQUIRE(clock.size() == 2);
  CHECK(clock[0].up_to_active_cores == 2);
  CHECK(clock[0].megahertz == 3730);
  CHECK(clock[1].megahertz == 2800);
  CHECK(problems("clock: 2GHz", "clock: [{up_to: 2, frequency: 3GHz}]") ==
        "m.yaml:8:12: error: machine.core.clock[0].up_to: the last step holds for any number; "
        "leave it out\n");
  CHECK(problems("clock: 2GHz", "clock: [{frequency: 3GHz}, {frequency: 2GHz}]") ==
        "m.yaml:8:11: error: machine.core.clock[0]: key \"up_to\" is missing\n"
        "m.yaml:8:30: error: machine.core.clock[1].up_to: steps must rise\n");
}

TEST_CASE("mistakes in a machine are reported all at once, each at its place") {
  std::string text = small_machine("issue: 5ns", "isue: 5");
  text.replace(text.find("fabric: 2ns"), 11, "fabric: 2");
  text.replace(text.find("to: 1"), 5, "to: 9");
  text.replace(text.find("protocol: mesi"), 14, "protocol: mosi");
  CHECK(read_text(text).problems ==
        "m.yaml:2:11: error: machine.protocol: \"mosi\" is not known; expected one of mesi, mesif, "
        "moesi; did you mean \"mesi\"?\n"
        "m.yaml:8:3: error: machine.core: key \"issue\" is missing: from a miss to the request "
        "leaving the core\n"
        "m.yaml:9:3: error: machine.core.isue: unknown key; did you mean \"issue\"?\n"
        "m.yaml:24:11: error: machine.socket_agent.fabric: \"2\" has no unit; write 2ns or 2us\n"
        "m.yaml:33:21: error: machine.interconnect.links[0].to: \"9\" is above the largest allowed "
        "value 1\n");
}

TEST_CASE("what keys allow one by one may be wrong together") {
  CHECK(problems("sockets: 2", "sockets: 3") ==
        "m.yaml:32:3: error: machine.interconnect: node 2 cannot be reached from node 0\n");
  CHECK(problems("sockets: 2", "sockets: 2\n  nodes_per_socket: 3") ==
        "m.yaml:5:3: error: machine.topology.nodes_per_socket: does not divide the 2 cores of a "
        "socket\n");
  CHECK(problems("sockets: 2", "sockets: 2\n  nodes_without_memory: [0, 5]") ==
        "m.yaml:5:3: error: machine.topology.nodes_without_memory: node 5 does not exist; the last "
        "is 1\n");
  CHECK(problems("cores_per_cluster: 2", "cores_per_cluster: 4096\n  clusters_per_socket: 64") ==
        "m.yaml:5:3: error: machine.topology.cores_per_cluster: 2 x 64 x 4096 are more than 65536 "
        "cores\n");
  CHECK(problems("farthest: 6ns", "farthest: 2ns") ==
        "m.yaml:22:23: error: machine.socket_agent.hop.farthest: is shorter than nearest\n");
  CHECK(problems("memory: 40ns", "memory: 2s") ==
        "m.yaml:29:11: error: machine.home.memory: \"2s\" is above the largest allowed value 1s\n");
  CHECK(problems("protocol: mesi", "protocol: mesi\nline: 48B") ==
        "m.yaml:3:1: error: machine.line: is not a power of two\n");
}

TEST_CASE("links are checked") {
  const std::string_view link = "    - {from: 0, to: 1, there: 20ns}";
  CHECK(problems(link, "    - {from: 1, to: 1, there: 20ns}\n    - {from: 0, to: 1, there: 9ns}") ==
        "m.yaml:33:17: error: machine.interconnect.links[0].to: is the node itself\n");
  CHECK(problems(link, "    - {from: 0, to: 1, there: 20ns}\n    - {from: 1, to: 0, there: 9ns}") ==
        "m.yaml:34:7: error: machine.interconnect.links[1]: these two nodes have a link already\n");
  CHECK(problems(link, "    - {from: 0, to: 1, there: 20ns, one_way: true}") ==
        "m.yaml:32:3: error: machine.interconnect: node 0 cannot be reached from node 1\n");
  CHECK(problems(link,
                 "    - {from: 0, to: 1, there: 20ns, one_way: true}\n"
                 "    - {from: 1, to: 0, there: 9ns, one_way: true}")
            .empty());
  CHECK(problems("  links:\n    - {from: 0, to: 1, there: 20ns}\n", "  {}\n") ==
        "m.yaml:32:3: error: machine.interconnect: expected exactly one of links, shape, slit\n");
}

TEST_CASE("a machine without agents needs the hops of its home, others must not have them") {
  const std::size_t agent = kSmallMachine.find("socket_agent:");
  const std::size_t home = kSmallMachine.find("home:");
  std::string text(kSmallMachine);
  text.erase(agent, home - agent);
  CHECK_THAT(read_text(text).problems,
             contains_text("machine.home: key \"hop\" is missing: between a core and its node's "
                           "router, without agents"));
  CHECK(problems("memory: 40ns", "memory: 40ns\n  hop: 3ns") ==
        "m.yaml:30:3: warning: machine.home.hop: has no effect beside agents\n");
}

TEST_CASE("regular shapes join any number of sockets") {
  const auto links = [](std::uint32_t sockets, const std::string& shape) {
    std::string text = small_machine("sockets: 2", "sockets: " + std::to_string(sockets));
    text.erase(text.find("  links:"));
    const ReadResult result = read_text(text + "  shape: " + shape + "\n");
    CHECK(result.problems.empty());
    return result.file.description.links.size();
  };
  CHECK(links(8, "{form: full, link: 20ns}") == 28);
  CHECK(links(8, "{form: ring, link: 20ns}") == 8);
  CHECK(links(2, "{form: ring, link: 20ns}") == 1);
  CHECK(links(9, "{form: grid, link: 20ns}") == 12);
  CHECK(links(7, "{form: grid, link: 20ns}") == 8);
  CHECK(links(8, "{form: hypercube, link: 20ns}") == 12);
  CHECK(links(8, "{form: groups, group: 4, link: 20ns, between_groups: 90ns}") == 16);
}

TEST_CASE("figures are collected with their origin") {
  const ReadResult result =
      read_text(small_machine("issue: 5ns", "source: a page\n  issue: {is: 5ns, source: a table}"));
  REQUIRE(result.problems.empty());
  bool found_issue = false;
  for (const input::Figure& figure : result.file.figures) {
    if (figure.place.path == "machine.core.fill") CHECK(figure.origin.source == "a page");
    if (figure.place.path != "machine.core.issue") continue;
    found_issue = true;
    CHECK(figure.origin.source == "a table");
    CHECK(figure.text == "5ns");
  }
  CHECK(found_issue);
}

TEST_CASE("the schema of machine files knows every block") {
  const std::string schema = to_json(machine_schema());
  for (const char* key : {"\"socket_agent\"", "\"look_up\"", "\"slit\"", "\"parameters\"",
                          "\"extends\"", "\"up_to\"", "\"nodes_without_memory\""}) {
    CHECK_THAT(schema, contains_text(key));
  }
}

}  // namespace
}  // namespace hotline::machine::tests
