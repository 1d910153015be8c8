#include <cmath>
#include <map>

#include "sim/experiment/figure.hpp"
#include "sim/experiment/runner.hpp"
#include "sim/measure/rows.hpp"
#include "tests/catch.hpp"
#include "tests/scenario/figures.hpp"

// workloads/kernel/umount-grace-period.yaml: umount waits for a grace period, expedited or not.
namespace hotline::tests {
namespace {

const char* const kFile = "kernel/umount-grace-period.yaml";

/// How long a command of that variant takes, in ms.
double takes(std::string_view variant, std::uint32_t callers = 1,
             const std::vector<std::string_view>& changes = {}) {
  const auto read = workload::Workload::load("workloads/" + std::string(kFile));
  workload::Overrides overrides;
  overrides.threads = callers;
  for (const std::string_view change : changes) {
    overrides.changes.push_back(workload::parse_change(change, "test"));
  }
  experiment::Settings settings;
  settings.replications = 2;
  workload::Quantity command;
  command.kind = workload::Quantity::Kind::kFunction;
  command.name = "command";
  command.column = "call_mean";
  const auto outcomes =
      experiment::run_cases({{read.scenario(variant, overrides), "", {command}}}, settings);
  return measure::mean_interval(outcomes.front().figures.front()).mean / 1e6;
}

}  // namespace

TEST_CASE(
    "PREEMPT_RT: umounts and containers take what was published, before and after the patch") {
  const Figures figures(kFile, 1, 3);
  CHECK(std::abs(figures.error("umount-before", "umount")) < 0.10);  // calibrated
  CHECK(std::abs(figures.error("lazy-before", "umount -l")) < 0.10);
  CHECK(std::abs(figures.error("crun-before", "crun run")) < 0.05);
  CHECK(std::abs(figures.error("lazy-after", "umount -l")) < 0.25);
  CHECK(std::abs(figures.error("crun-after", "crun run")) < 0.25);
  CHECK(std::abs(figures.error("umount-after", "umount, unchanged")) < 0.10);
}

TEST_CASE("without PREEMPT_RT the grace periods are expedited, so the patch changes nothing") {
  CHECK(takes("not-rt-umount") < 1.05 * 2.6);
  CHECK(takes("not-rt-crun-before") == Approx(takes("not-rt-crun-after")).epsilon(0.05));
}

TEST_CASE("an umount under PREEMPT_RT waits for ticks, at any HZ and on any number of CPUs") {
  const double work = 2.6;
  CHECK(takes("umount-before") - work == Approx(5.5 * 4).epsilon(0.05));
  CHECK(takes("umount-before", 1, {"os.hz=100"}) - work == Approx(5.5 * 10).epsilon(0.05));
  // At HZ=1000 the first scan comes after four ticks, when the CPU that scans has reported.
  CHECK(takes("umount-before", 1, {"os.hz=1000"}) - work == Approx(5.6).epsilon(0.05));
  CHECK(takes("umount-before", 1, {"machine=xeon8275cl-2s"}) ==
        Approx(takes("umount-before")).epsilon(0.05));
}

TEST_CASE("callers at once share a grace period: sixteen wait hardly longer than one") {
  CHECK(takes("umount-before", 16) < 1.6 * takes("umount-before"));
}

TEST_CASE("deferred umounts leave a backlog of one grace period's worth") {
  const auto read = workload::Workload::load("workloads/" + std::string(kFile));
  experiment::Settings settings;
  settings.replications = 1;
  const auto outcomes =
      experiment::run_cases({{read.scenario("storm", read.points().front()), "", {}}}, settings);
  std::map<std::string, double> at_end;
  for (const auto& row : measure::series_rows(outcomes.front().total)) {
    if (row.value) at_end[row.name] = *row.value;
  }
  const double umounts_a_grace_period = outcomes.front().rate().mean * 0.024;
  CHECK(at_end["backlog"] > 0.5 * umounts_a_grace_period);
  CHECK(at_end["backlog"] < 3 * umounts_a_grace_period);
  CHECK(at_end["backlog_kib"] == 4 * at_end["backlog"]);
}

}  // namespace hotline::tests
