#include "sim/experiment/fit.hpp"

#include "sim/experiment/runner.hpp"
#include "sim/input/csv.hpp"
#include "tests/catch.hpp"
#include "tests/unit/fit/support.hpp"

namespace hotline::experiment {
namespace {

using tests::Approx;
using tests::turns;

input::DataTable table_of(const std::string& text) {
  input::Diagnostics diagnostics;
  input::DataTable table = input::parse_csv(text, "data.csv", diagnostics);
  diagnostics.throw_if_errors();
  return table;
}

/// What the simulator itself measures with a hold of 400 ns and a path of 1.3 us.
std::string made_by_simulation() {
  const auto workload = turns();
  workload::Quantity time;
  time.kind = workload::Quantity::Kind::kTime;
  std::vector<Case> cases;
  for (std::uint32_t threads = 1; threads <= 6; ++threads) {
    workload::Overrides overrides;
    overrides.threads = threads;
    overrides.changes = {workload::parse_change("hold=400ns", "test"),
                         workload::parse_change("path=1.3us", "test")};
    cases.push_back({workload.scenario("lock", overrides), "", {time}});
  }
  Settings settings;
  settings.replications = 1;
  std::string text = "threads,ns\n";
  for (const Outcome& outcome : run_cases(cases, settings)) {
    text += std::to_string(outcome.threads) + "," +
            std::to_string(outcome.figures.front().front()) + "\n";
  }
  return text;
}

TEST_CASE("a fit recovers the figures that the simulator's own data were made with") {
  const auto workload = turns();
  const FitData data = read_fit_data(table_of(made_by_simulation()), "threads>=5", workload);
  const auto parameters = parse_parameters("hold=50ns..2us, path=100ns..5us", "--free", workload);
  const Fit found = fit(workload, parameters, data, {});
  REQUIRE(found.parameters.size() == 2);
  CAPTURE(found.parameters[0].value, found.parameters[1].value);
  CHECK(found.parameters[0].value == Approx(400).epsilon(0.02));
  CHECK(found.parameters[1].value == Approx(1300).epsilon(0.02));
  CHECK(found.fitted_error < 0.01);
  CHECK(found.held_out == 2);
  CHECK(found.held_out_error < 0.02);
  CHECK(found.parameters[0].low <= found.parameters[0].value);
  CHECK(found.parameters[0].high >= found.parameters[0].value);
}

TEST_CASE("one thread alone does not tell what is inside the lock from what is outside") {
  const auto workload = turns();
  const FitData data = read_fit_data(table_of("threads,ns\n1,1700\n"), "", workload);
  const auto parameters = parse_parameters("hold=50ns..2us, path=100ns..5us", "--free", workload);
  FitOptions options;
  options.search.starts = 1;
  const Fit found = fit(workload, parameters, data, options);
  CHECK(found.fitted_error < 0.02);
  CHECK_FALSE(found.parameters[0].is_determined);
  CHECK_FALSE(found.parameters[1].is_determined);
}

TEST_CASE("columns set figures and variants, and say what was measured") {
  const auto workload = turns();
  const FitData data = read_fit_data(
      table_of("variant,threads,path,per_second,remark\nnone,2,1us,3000000,x\n"), "", workload);
  CHECK(data.quantity.kind == workload::Quantity::Kind::kRate);
  REQUIRE(data.rows.size() == 1);
  CHECK(data.rows[0].series == "none");
  CHECK(data.rows[0].threads == 2U);
  REQUIRE(data.rows[0].changes.size() == 1);
  CHECK(data.rows[0].changes[0].path == "path");
}

TEST_CASE("data that cannot be fitted to are refused with a reason") {
  const auto workload = turns();
  const auto problem = [&](const std::string& text, const std::string& hold_out) {
    try {
      static_cast<void>(read_fit_data(table_of(text), hold_out, workload));
    } catch (const input::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(problem("threads\n1\n", "") ==
        "data.csv: error: must have one of the columns per_second, ns and ns_per_thread\n");
  CHECK(problem("threads,ns\n1,0\n", "") ==
        "data.csv:2:1: error: ns: \"0\" is not a number above 0\n");
  CHECK(problem("threads,ns\n1,5\n", "threds>=2") ==
        "--hold-out: error: the data has no column \"threds\"; did you mean \"threads\"?\n");
  CHECK(problem("threads,ns\n1,5\n", "threads") ==
        "--hold-out: error: \"threads\" compares nothing; write threads>=32\n");
  CHECK(problem("threads,ns\n1,5\n", "threads>=1") == "data.csv: error: leaves no row to fit to\n");
}

TEST_CASE("a fitted file is the old one with the values in their places, below a comment") {
  Fit found;
  found.parameters.push_back(
      {parse_parameters("hold=1ns..2us", "--free", turns())[0], 123.4, 0, 0, true});
  std::string text = "\n\n\n\n  hold: 250ns  # to be fitted\n  path: 900ns\n";
  CHECK(fitted_text(text, found, "# fitted\n") ==
        "# fitted\n\n\n\n\n  hold: 123.4ns  # to be fitted\n  path: 900ns\n");
}

}  // namespace
}  // namespace hotline::experiment
