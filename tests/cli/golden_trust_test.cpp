#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/process.hpp"

using hotline::tests::Approx;
using hotline::tests::Finished;
using hotline::tests::read_text;
using hotline::tests::run_hotline;
using hotline::tests::TemporaryFolder;

// What validate, fit, sensitivity and uncertainty print. Figures are of machines made up here, so
// that no calibration of a shipped machine moves them.
namespace {

const std::string kTrust = "tests/cli/trust/";

/// Standard output, or with `is_wrong` standard error, must be the golden file byte for byte.
void check_golden(const std::string& name, const std::vector<std::string>& arguments,
                  bool is_wrong = false) {
  const Finished finished = run_hotline(arguments);
  CAPTURE(arguments);
  REQUIRE(finished.exit_code == (is_wrong ? 2 : 0));
  const std::string& text = is_wrong ? finished.err : finished.out;
  CHECK((is_wrong ? finished.out : finished.err).empty());
  const std::string path = "tests/cli/golden/" + name;
  if (std::getenv("HOTLINE_APPROVE") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  CHECK(text == read_text(path));
}

/// All that is said about wrong command lines, one after the other.
void check_messages(const std::string& name, const std::vector<std::vector<std::string>>& all) {
  std::string text;
  for (const std::vector<std::string>& arguments : all) {
    const Finished finished = run_hotline(arguments);
    CAPTURE(arguments);
    CHECK(finished.exit_code == 2);
    CHECK(finished.out.empty());
    text += "$ hotline";
    for (const std::string& word : arguments) text += " " + word;
    text += "\n" + finished.err;
  }
  const std::string path = "tests/cli/golden/" + name;
  if (std::getenv("HOTLINE_APPROVE") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  CHECK(text == read_text(path));
}

std::vector<std::string> fit_workload(const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"fit",           "tests/cli/tiny.yaml",
                                 "--data",        kTrust + "measured.csv",
                                 "--free",        "hold=10ns..200ns",
                                 "--hold-out",    "threads>=4",
                                 "--starts",      "1",
                                 "--evaluations", "10"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::string> machine_and(const std::vector<std::string>& more) {
  std::vector<std::string> words{"fit",      "--machine",        kTrust + "machine.yaml",
                                 "--matrix", kTrust + "c2c.csv", "--rows",
                                 "made up"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::string> fit_machine(const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"fit",
                                 "--machine",
                                 kTrust + "machine.yaml",
                                 "--matrix",
                                 kTrust + "c2c.csv",
                                 "--rows",
                                 "made up",
                                 "--curve",
                                 kTrust + "adds.csv",
                                 "--free",
                                 "core.fill, interconnect.links[0].there",
                                 "--hold-out",
                                 "threads==4",
                                 "--starts",
                                 "1",
                                 "--evaluations",
                                 "10"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::string> study(const std::string& command,
                               const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{command,      "tests/cli/tiny.yaml",
                                 "--free",     "hold=20ns..80ns, machine.core.fill=2ns..8ns",
                                 "--threads",  "3",
                                 "--variants", "before"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("a validation's text, JSON and list are its golden files") {
  const std::vector<std::string> all{"validate", "--folder", kTrust + "sets"};
  check_golden("validate.txt", all);
  auto one = all;
  one.insert(one.end(), {"--set", "made-up"});
  check_golden("validate-set.txt", one);
  auto json = all;
  json.insert(json.end(), {"--json", "-"});
  check_golden("validate.json", json);
  auto list = all;
  list.emplace_back("--list");
  check_golden("validate-list.txt", list);
}

TEST_CASE("a validation whose errors have grown ends with exit code 1") {
  const Finished finished = run_hotline({"validate", "--folder", kTrust + "grown"});
  CHECK(finished.exit_code == 1);
  CHECK(finished.out.find("GROWN") != std::string::npos);
}

TEST_CASE("a fit of a workload is its golden files, with any number of host threads") {
  check_golden("fit.txt", fit_workload());
  check_golden("fit.txt", fit_workload({"--host-threads", "1"}));
  check_golden("fit.json", fit_workload({"--json", "-"}));
  check_golden("fit.yaml", fit_workload({"--output", "-"}));
}

TEST_CASE("a fit of a machine is its golden files, with any number of host threads") {
  check_golden("fit-machine.txt", fit_machine());
  check_golden("fit-machine.txt", fit_machine({"--host-threads", "1"}));
  check_golden("fit-machine.json", fit_machine({"--json", "-"}));
  check_golden("fit-machine.yaml", fit_machine({"--output", "-"}));
}

TEST_CASE("a fitted machine file is written whole, can be used, and repeats byte for byte") {
  const TemporaryFolder folder;
  const std::string mine = folder / "mine.yaml";
  REQUIRE(run_hotline(fit_machine({"--output", mine})).exit_code == 0);
  CHECK(folder.entries() == 1);
  CHECK(read_text(mine) == read_text("tests/cli/golden/fit-machine.yaml"));
  CHECK(run_hotline({"machines", "show", mine}).exit_code == 0);
  const Finished full = run_hotline(fit_machine({"--output", "/dev/full"}));
  CHECK(full.exit_code == 2);
  CHECK(run_hotline(fit_machine({"--output", "no/such/folder/m.yaml"})).exit_code == 2);
}

TEST_CASE("Graviton2's legs are fitted to its ping-pongs and its contended adds", "[slow]") {
  const Finished finished = run_hotline(
      {"fit", "--machine", "graviton2", "--matrix", "tests/validation/data/core_to_core.csv",
       "--curve", kTrust + "graviton2_adds.csv", "--hold-out", "threads>=9", "--free",
       "core.fill, socket_agent.hop.nearest, socket_agent.hop.farthest, "
       "socket_agent.far_interval=4ns..20ns",
       "--starts", "2", "--evaluations", "20", "--json", "-"});
  REQUIRE(finished.exit_code == 0);
  const auto root = boost::json::parse(finished.out);
  CHECK(root.at("fitted_error").to_number<double>() < 0.08);
  CHECK(root.at("held_out_error").to_number<double>() < 0.10);
  for (const auto& row : root.at("tables").at("parameters").at("rows").as_array()) {
    if (row.at("name").as_string() != "socket_agent.far_interval") continue;
    CHECK(row.at("determined").as_string() == "yes");
    CHECK(std::stod(row.at("value").as_string().c_str()) == Approx(8.9).margin(0.5));
  }
}

TEST_CASE("sensitivity's text and JSON are its golden files") {
  check_golden("sensitivity.txt", study("sensitivity"));
  check_golden("sensitivity.txt", study("sensitivity", {"--host-threads", "1"}));
  check_golden("sensitivity-shares.txt", study("sensitivity", {"--samples", "16"}));
  check_golden("sensitivity.json", study("sensitivity", {"--json", "-"}));
}

TEST_CASE("uncertainty's text and JSON are its golden files") {
  check_golden("uncertainty.txt", study("uncertainty", {"--samples", "16"}));
  check_golden("uncertainty.json", study("uncertainty", {"--samples", "16", "--json", "-"}));
}

TEST_CASE("the help of what is to be trusted is its golden file") {
  for (const std::string command : {"validate", "fit", "sensitivity", "uncertainty"}) {
    check_golden("help-" + command + ".txt", {command, "--help"});
  }
}

TEST_CASE("wrong use of what is to be trusted gets the messages of its golden file") {
  const std::string data = kTrust + "measured.csv";
  check_messages(
      "trust-messages.txt",
      {{"validate", "--folder", kTrust + "sets", "--set", "mad-up"},
       {"validate", "--folder", "no/such/folder"},
       {"validate", "--folder", kTrust + "wrong"},
       {"fit"},
       {"fit", "tests/cli/tiny.yaml"},
       {"fit", "tests/cli/tiny.yaml", "--machine", "graviton2"},
       {"fit", "tests/cli/tiny.yaml", "--data", data},
       {"fit", "tests/cli/tiny.yaml", "--data", data, "--free", "hodl=1ns..2ns"},
       {"fit", "tests/cli/tiny.yaml", "--data", data, "--free", "hold"},
       {"fit", "tests/cli/tiny.yaml", "--data", data, "--free", "hold=2ns..1ns"},
       {"fit", "tests/cli/tiny.yaml", "--data", "no.csv", "--free", "hold=1ns..2ns"},
       {"fit", "tests/cli/tiny.yaml", "--data", data, "--free", "hold=1ns..2ns", "--matrix", data},
       {"fit", "--machine", "graviton2"},
       {"fit", "--machine", "gravitn2", "--matrix", kTrust + "c2c.csv"},
       {"fit", "--machine", "graviton2", "--matrix", kTrust + "c2c.csv"},
       {"fit", "--machine", kTrust + "machine.yaml", "--curve", kTrust + "wrong/adds.csv"},
       machine_and({"--free", "core.fil"}),
       machine_and({"--free", "core.snoop"}),
       machine_and({"--free", "core.snoop=3ns"}),
       machine_and({"--hold-out", "clas==same socket"}),
       machine_and({"--hold-out", "class==same sockt"}),
       machine_and({"--hold-out", "statistic==median"}),
       machine_and({"--set", "core.fil=3ns"}),
       machine_and({"--with", "cores=3"}),
       machine_and({"--replications", "3"}),
       {"sensitivity", "tests/cli/tiny.yaml", "--workload-only"},
       {"sensitivity", "tests/cli/tiny.yaml", "--variants", "before,aftre", "--free",
        "hold=1ns..2ns"},
       {"sensitivity", "tests/cli/tiny.yaml", "--free", "machine.core.fil=1ns..2ns"},
       {"uncertainty", "tests/cli/tiny.yaml", "--free", "hold=1ns..2ns", "--samples", "2"},
       {"uncertainty", "no.yaml"}});
}
