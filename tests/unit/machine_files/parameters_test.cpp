#include "tests/catch.hpp"
#include "tests/unit/machine_files/small_machine.hpp"

namespace hotline::machine::tests {
namespace {

ParameterValues with(const std::vector<std::string>& texts, input::Diagnostics& diagnostics) {
  return parse_parameters(texts, "--with", diagnostics);
}

struct Named {
  MachineFile file;
  std::string problems;
};

Named read_named(std::string_view name, const std::vector<std::string>& texts = {}) {
  input::Diagnostics diagnostics;
  Named result;
  result.file = read_machine(name, with(texts, diagnostics), machine_folders(), diagnostics);
  result.problems = diagnostics.text();
  return result;
}

TEST_CASE("parameters change a generic machine from the command line") {
  const Named result = read_named("generic-8socket", {"sockets=64", "cores_per_socket=64"});
  REQUIRE(result.problems.empty());
  CHECK(result.file.description.sockets == 64);
  CHECK(result.file.description.cores_per_cluster == 64);
  CHECK(result.file.description.name == "generic-8socket");
  CHECK(result.file.parameters.size() > 5);
}

TEST_CASE("a workload names a machine, uses it with parameters, or builds on it") {
  CHECK(read_text("generic-4socket").file.description.sockets == 4);
  const ReadResult used = read_text("use: generic\nwith: {sockets: 6, link: 40ns}\n");
  REQUIRE(used.problems.empty());
  CHECK(used.file.description.sockets == 6);
  CHECK(used.file.description.links.front().there.ps() == 40'000);
  const ReadResult built =
      read_text("extends: generic\nwith: {sockets: 3}\ntitle: mine\nhome: {look_up: 20ns}\n");
  REQUIRE(built.problems.empty());
  CHECK(built.file.description.sockets == 3);
  CHECK(built.file.description.title == "mine");
  CHECK(built.file.description.home.look_up.ps() == 20'000);
  CHECK(built.file.description.home.memory.ps() == 40'000);
}

TEST_CASE("a file that sets a parameter of the one it extends has that value as its default") {
  std::string sockets;
  for (const Parameter& one : read_named("generic-16socket", {"sockets=3"}).file.parameters) {
    if (one.name == "sockets") sockets = one.fallback;
  }
  CHECK(sockets == "16");
}

TEST_CASE("mistakes with parameters name the parameter") {
  CHECK(read_named("generic", {"sokets=3"}).problems ==
        "--with: error: sokets: unknown parameter; did you mean \"sockets\"?\n");
  CHECK(read_named("hps448", {"sockets=3"}).problems ==
        "--with: error: sockets: the machine has no parameters\n");
  CHECK(read_named("generic", {"sockets=many"}).problems ==
        "--with: error: topology.sockets: \"many\" is not a whole number of at least 0\n");
  CHECK(read_named("generic", {"sockets=257"}).problems ==
        "--with: error: topology.sockets: \"257\" is above the largest allowed value 256\n");
  CHECK(read_named("generic", {"link=40"}).problems ==
        "--with: error: interconnect.shape.link: \"40\" has no unit; write 40ns or 40us\n");
  CHECK(read_named("generic", {"sockets"}).problems ==
        "--with: error: \"sockets\" is not a parameter; expected name=value\n");
  CHECK(read_text("use: generic\nwith: {sockets: 6, lnk: 40ns}\n").problems ==
        "m.yaml:2:25: error: lnk: unknown parameter; did you mean \"link\"?\n");
  CHECK(read_text("use: generic\nwiht: {sockets: 6}\n").problems ==
        "m.yaml:2:1: error: machine.wiht: unknown key; did you mean \"with\"?\n");
}

TEST_CASE("an unknown machine is answered with the nearest name") {
  CHECK(read_named("hps44").problems ==
        "error: no machine is called \"hps44\"; did you mean \"hps448\"?\n");
  CHECK(read_text("gravitn2").problems ==
        "m.yaml:1:1: error: machine: no machine is called \"gravitn2\"; did you mean "
        "\"graviton2\"?\n");
  CHECK(read_named("configs/nothing.yaml").problems ==
        "configs/nothing.yaml: error: cannot be opened; does it exist and may you read it?\n");
  CHECK(read_text("[1]").problems ==
        "m.yaml:1:1: error: machine: a list stands here; expected a machine's name or a map\n");
}

TEST_CASE("a file path names a machine as well as its name does") {
  const Named result = read_named("configs/gem5-ruby-crossbar.yaml", {"cores=64"});
  REQUIRE(result.problems.empty());
  CHECK(result.file.description.name == "gem5-ruby-crossbar");
  CHECK(result.file.description.cores_per_cluster == 64);
}

}  // namespace
}  // namespace hotline::machine::tests
