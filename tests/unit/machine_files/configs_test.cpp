#include "sim/machine/reader.hpp"
#include "sim/machine/topology.hpp"
#include "tests/catch.hpp"

namespace hotline::machine {
namespace {

const Folders kConfigs = {"configs"};

MachineFile read(std::string_view name, const ParameterValues& given = {}) {
  input::Diagnostics diagnostics;
  MachineFile file = read_machine(name, given, kConfigs, diagnostics);
  CHECK(diagnostics.text() == "");
  return file;
}

TEST_CASE("every machine in configs can be read and built without a word") {
  const std::vector<std::string> names = machine_names(kConfigs);
  CHECK(names.size() >= 16);
  for (const std::string& name : names) {
    CAPTURE(name);
    const MachineFile file = read(name);
    CHECK_NOTHROW(Topology(file.description));
    CHECK_FALSE(file.description.title.empty());
  }
}

TEST_CASE("every figure in configs has a source, or is inferred within a range") {
  for (const std::string& name : machine_names(kConfigs)) {
    CAPTURE(name);
    const MachineFile file = read(name);
    CHECK(file.figures.size() > 20);
    for (const input::Figure& figure : file.figures) {
      CAPTURE(figure.place.path, figure.text);
      CHECK(figure.origin.is_stated());
    }
  }
}

TEST_CASE("the machines have the counts of the hardware they describe") {
  const auto cpus = [](std::string_view name) { return Topology(read(name).description).cpus(); };
  CHECK(cpus("hps448") == 448);
  CHECK(cpus("xeon8380-2s") == 160);
  CHECK(cpus("xeon8275cl-2s") == 96);
  CHECK(cpus("xeon8895v3-4s") == 144);
  CHECK(cpus("skylake-client-4c") == 8);
  CHECK(cpus("graviton2") == 64);
  CHECK(cpus("epyc7742-2s") == 256);
  CHECK(cpus("epyc7r13-2s") == 192);
  CHECK(cpus("kunpeng920") == 64);
  CHECK(cpus("x5550-2s") == 16);
  CHECK(cpus("piii-4way") == 4);
  CHECK(cpus("numaq-16") == 16);
  CHECK(cpus("guest-16vcpu") == 16);
  CHECK(cpus("guest-16vcpu-4s") == 16);
}

TEST_CASE("a generic machine grows to 4,096 cores") {
  ParameterValues given;
  given["cores_per_socket"] = input::make_scalar("64", "--with");
  const Topology topology(read("generic-64socket", given).description);
  CHECK(topology.cores() == 4096);
  CHECK(topology.distance({0}, {4095}) + 1U == topology.distance_classes().size());
}

TEST_CASE("the list of machines has a line for each") {
  input::Diagnostics diagnostics;
  const std::vector<MachineInfo> machines = list_machines(kConfigs, diagnostics);
  CHECK(diagnostics.empty());
  CHECK(machines.size() == machine_names(kConfigs).size());
  for (const MachineInfo& machine : machines) CHECK(machine.cpus > 0);
}

}  // namespace
}  // namespace hotline::machine
