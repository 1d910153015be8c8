#include "sim/experiment/machine_fit.hpp"

#include "sim/workload/changes.hpp"
#include "tests/catch.hpp"
#include "tests/cli/process.hpp"

namespace hotline::experiment {
namespace {

using tests::Approx;
using tests::TemporaryFolder;

input::Node document_of(const std::string& name, const std::vector<std::string>& changes) {
  input::Diagnostics diagnostics;
  input::Node document = machine::filled_document(input::make_scalar(name, "test"),
                                                  machine::machine_folders(), diagnostics);
  for (const std::string& change : changes) {
    workload::apply(workload::parse_change(change, "test"), document, diagnostics);
  }
  diagnostics.throw_if_errors();
  return document;
}

machine::MachineFile machine_of(const input::Node& document) {
  input::Diagnostics diagnostics;
  machine::MachineFile file =
      machine::read_machine(document, {}, machine::machine_folders(), diagnostics);
  diagnostics.throw_if_errors();
  for (input::Figure& figure : file.figures) figure.place.path.erase(0, 8);  // "machine."
  return file;
}

/// All pairs of CPUs as core-to-core-latency prints them, by simulation.
std::string square_of(const machine::Topology& topology) {
  std::string text;
  for (std::uint32_t a = 0; a < topology.cpus(); ++a) {
    for (std::uint32_t b = 0; b < topology.cpus(); ++b) {
      const std::vector<Pairing> pair{{{a}, {b}, {0}}};
      text += (b == 0 ? "" : ",") + (b < a ? std::to_string(one_ways(topology, pair)[0]) : "");
    }
    text += "\n";
  }
  return text;
}

std::string curve_of(const machine::Topology& topology) {
  std::string text = "threads,ns\n";
  for (const std::uint32_t threads : {2U, 4U, 8U}) {
    text += std::to_string(threads) + "," +
            std::to_string(contended_ns(topology, Hammer::kAdd, threads)) + "\n";
  }
  return text;
}

const FittedParameter& found(const Fit& fit, const std::string& name) {
  for (const FittedParameter& one : fit.parameters) {
    if (one.parameter.name == name) return one;
  }
  throw std::invalid_argument(name);
}

}  // namespace

TEST_CASE("a fit recovers the legs of a machine from its own matrix and curve", "[slow]") {
  const TemporaryFolder folder;
  const machine::Topology shipped(machine_of(document_of("x5550-2s", {})).description);
  const std::string matrix = folder.file("c2c.csv", square_of(shipped));
  const std::string curve = folder.file("adds.csv", curve_of(shipped));

  const input::Node wrong =
      document_of("x5550-2s", {"core.fill=4ns", "interconnect.links[0].there=20ns"});
  const machine::MachineFile file = machine_of(wrong);
  input::Diagnostics diagnostics;
  LatencyData data;
  const machine::Topology topology(file.description);
  add_matrix(matrix, "x5550-2s", topology, data, diagnostics);
  add_curve(curve, topology, data, diagnostics);
  hold_out("threads==4", data, diagnostics);
  diagnostics.throw_if_errors();
  FitOptions options;
  options.search.starts = 2;
  const Fit fit =
      fit_machine(wrong, machine::machine_folders(),
                  parse_figures("core.fill=1ns..20ns, interconnect.links[0].there=10ns..80ns",
                                "--free", file.figures),
                  data, options);
  CAPTURE(found(fit, "core.fill").value, found(fit, "interconnect.links[0].there").value);
  CHECK(found(fit, "core.fill").value == Approx(8).epsilon(0.05));
  CHECK(found(fit, "interconnect.links[0].there").value == Approx(40.4).epsilon(0.05));
  CHECK(found(fit, "core.fill").is_determined);
  CHECK(fit.fitted_error < 0.01);
  CHECK(fit.held_out == 1);
  CHECK(fit.held_out_error < 0.05);
}

TEST_CASE("figures that the data cannot tell apart stay near their file and are said to be open") {
  const TemporaryFolder folder;
  const input::Node document = document_of("skylake-client-4c", {});
  const machine::MachineFile file = machine_of(document);
  const machine::Topology topology(file.description);
  const std::string table = folder.file("c2c.csv", "class,median_ns\nsame socket,26\n");
  input::Diagnostics diagnostics;
  LatencyData data;
  add_matrix(table, "skylake-client-4c", topology, data, diagnostics);
  diagnostics.throw_if_errors();
  FitOptions options;
  options.search.starts = 1;
  const Fit fit =
      fit_machine(document, machine::machine_folders(),
                  parse_figures("core.fill, core.snoop", "--free", file.figures), data, options);
  CHECK(fit.fitted_error < 0.02);
  CHECK_FALSE(found(fit, "core.fill").is_determined);
  CHECK_FALSE(found(fit, "core.snoop").is_determined);
}

TEST_CASE("the legs fitted by default are the inferred parts of a transfer") {
  const machine::MachineFile file = machine_of(document_of("xeon8275cl-2s", {}));
  std::vector<std::string> names;
  for (const Parameter& one : inferred_legs(file.figures)) names.push_back(one.name);
  CHECK(names ==
        std::vector<std::string>{"core.issue", "core.fill", "core.snoop", "socket_agent.look_up",
                                 "socket_agent.hop.nearest", "socket_agent.hop.farthest",
                                 "socket_agent.direct.nearest", "socket_agent.direct.farthest",
                                 "socket_agent.fabric", "home.look_up"});
}

TEST_CASE("a fitted machine file is read back with the fitted values and their origin") {
  const TemporaryFolder folder;
  const input::Node document = document_of("xeon8275cl-2s", {});
  const machine::MachineFile base = machine_of(document);
  Fit fit;
  for (const Parameter& one :
       parse_figures("core.fill, socket_agent.hop.farthest, interconnect.links[0].there=10ns..80ns",
                     "--free", base.figures)) {
    fit.parameters.push_back({one, 17, 16, 18, true});
  }
  const std::string file = folder.file("mine.yaml", machine_text({"xeon8275cl-2s",
                                                                  document,
                                                                  {},
                                                                  {"topology.cores_per_cluster=4"},
                                                                  "# made by a test\n",
                                                                  "fitted: \"a\" & b"},
                                                                 fit));
  input::Diagnostics diagnostics;
  const machine::MachineFile read =
      machine::read_machine(file, {}, machine::machine_folders(), diagnostics);
  CAPTURE(tests::read_text(file), diagnostics.text());
  REQUIRE(diagnostics.empty());
  CHECK(read.description.core.fill.time.ns() == 17);
  CHECK(read.description.socket_agent->hop.farthest.ns() == 17);
  CHECK(read.description.socket_agent->hop.nearest.ns() == 8.5);
  CHECK(read.description.cores_per_cluster == 4);
  for (const input::Figure& figure : read.figures) {
    if (figure.place.path != "interconnect.links[0].there") continue;
    CHECK(figure.text == "17ns");
    CHECK(figure.origin.inferred);
    CHECK(figure.origin.source == "fitted: \"a\" & b");
    CHECK(figure.origin.range == "16ns to 18ns");
  }
}

}  // namespace hotline::experiment
