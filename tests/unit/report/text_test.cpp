#include <sstream>

#include "sim/report/compare_report.hpp"
#include "sim/report/line_table.hpp"
#include "sim/report/lock_table.hpp"
#include "sim/report/run_report.hpp"
#include "tests/catch.hpp"
#include "tests/unit/report/sample.hpp"

using namespace hotline::report;
using hotline::experiment::check_published;
using hotline::experiment::compare_point;
using hotline::experiment::Comparison;
using hotline::tests::contains_text;
using hotline::tests::sample_outcome;
using hotline::workload::Published;

namespace {

Published published(double value) {
  Published figure;
  figure.name = "score";
  figure.variant = "after";
  figure.baseline = "before";
  figure.value = value;
  figure.threads = 2;
  figure.source = "a commit message";
  return figure;
}

Comparison comparison(double factor, double published_value) {
  Comparison result;
  result.workload = "sample";
  result.description = "A sample.";
  result.variants = {"before", "after"};
  result.points.push_back(
      compare_point({sample_outcome("before"), sample_outcome("after", factor)}));
  result.checks = check_published({published(published_value)}, result.points);
  return result;
}

void check_widths(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    CHECK(line.size() <= kPageWidth);
    CHECK((line.empty() || line.back() != ' '));
  }
}

}  // namespace

TEST_CASE("a table aligns its columns and ends no line in blanks") {
  TextTable table;
  table.column("n", Align::kRight);
  table.column("name", Align::kLeft);
  table.row({"1", "one"});
  table.row({"1000", "thousand"});
  CHECK(table.text() == "   n  name\n   1  one\n1000  thousand\n");
}

TEST_CASE("colours stand on a heading only where they are asked for") {
  TextTable table;
  table.column("n", Align::kRight);
  CHECK(table.text({true}) == "\x1b[1mn\x1b[0m\n");
  CHECK(table.text({false}) == "n\n");
}

TEST_CASE("text is broken at blanks") {
  CHECK(wrap("one two three", 2, 9) == "  one two\n  three\n");
  CHECK(wrap("").empty());
}

TEST_CASE("the lock table has lockmeter's columns") {
  const auto outcome = sample_outcome("before");
  const auto rows = hotline::measure::lock_rows(outcome.total.locks, outcome.total.window());
  CHECK(lock_table(rows, 10, {}) ==
        "SPINLOCKS        HOLD             WAIT\n"
        " UTIL   CON     MEAN(  MAX )    MEAN(  MAX )(% CPU)      TOTAL NOWAIT   SPIN RJECT  NAME\n"
        "16.7%  20.9%   500ns( 500ns)   2.9us( 2.9us)( 10.1%)       1000  79.1%  20.9%    0%  "
        "dcache_lock\n");
}

TEST_CASE("readings that were begun anew stand as rejected, as a share of all attempts") {
  const auto outcome = sample_outcome("before");
  auto rows = hotline::measure::lock_rows(outcome.total.locks, outcome.total.window());
  rows[0].lock += "-R";
  rows[0].repeated = 250;  // beside 1,000 that were accepted
  CHECK_THAT(lock_table(rows, 10, {}), contains_text("79.1%  20.9% 20.0%  dcache_lock-R\n"));
}

TEST_CASE("the line table names fields and distances") {
  const std::string text = line_table(sample_outcome("before").total, 10, {});
  CHECK_THAT(text, contains_text("ns.{msg_bytes, msg_hdrs}"));
  CHECK_THAT(text, contains_text("transfers: smt sibling 10.0%; same socket 60.0%; other socket "
                                 "30.0%"));
  CHECK_THAT(text, contains_text("stalls: 75.0% at ns.msg_bytes; 25.0% at ns.msg_hdrs"));
  CHECK(hottest_line(sample_outcome("before").total) == "ns.msg_bytes, ns.msg_hdrs");
}

TEST_CASE("a run's report has work, time, locks, lines, functions and the fingerprint") {
  const std::string text = run_text(sample_outcome("before"), {});
  CHECK_THAT(text, contains_text("sample, variant before: 2 threads on two-socket"));
  CHECK_THAT(text, contains_text("3 replications of 1.0ms after 100us of warm-up, seed 7"));
  CHECK_THAT(text, contains_text("ops: 1.000 k +- 2.5%/s (95 % interval)"));
  CHECK_THAT(text, contains_text("time: work 50.00%, lock wait 10.10%, line stall 39.90%, "
                                 "scheduling 0.00%, other 0.00%"));
  CHECK_THAT(text, contains_text("dcache_lock"));
  CHECK_THAT(text, contains_text("path_walk"));
  CHECK_THAT(text, contains_text("fingerprint 0123456789abcdef (1,234,567 events)"));
  check_widths(text);
}

TEST_CASE("a stuck run says who cannot go on") {
  auto outcome = sample_outcome("before");
  outcome.stuck = {"worker 0 waits for dcache_lock"};
  outcome.stuck_seeds = {7};
  const std::string text = run_text(outcome, {});
  CHECK_THAT(text, contains_text("stuck: with seed 7 no thread can go on\n"
                                 "  worker 0 waits for dcache_lock\n"));
}

TEST_CASE("a comparison shows ratio, interval, published figure and error") {
  const std::string text = compare_text(comparison(3.6, 4.0), {});
  CHECK_THAT(text, contains_text("after / before"));
  CHECK_THAT(text, contains_text("3.60 [3.60, 3.60]"));
  CHECK_THAT(text, contains_text("score, after / before at 2 threads: published 4, simulated 3.60 "
                                 "[3.60, 3.60], error -10.0%."));
  CHECK_THAT(text, contains_text("The simulation lies 10.0 % below the published figure."));
  CHECK_THAT(text, contains_text("source: a commit message"));
  check_widths(text);
}

TEST_CASE("a comparison without a difference says so") {
  const std::string text = compare_text(comparison(1.0, 1.0), {});
  CHECK_THAT(text, contains_text("1.00 [1.00, 1.00] ="));
  CHECK_THAT(text, contains_text("no difference shown"));
  CHECK_THAT(text, contains_text("The published figure lies inside the simulation's interval."));
}

TEST_CASE("a figure of another form of the patch is shown and not compared") {
  auto result = comparison(3.6, 4.0);
  result.checks[0].published.informational = true;
  const std::string text = compare_text(result, {});
  CHECK_THAT(text, contains_text("published 4 (for information: another form or base)."));
}

TEST_CASE("a comparison names the hot line, the waiting function and where it begins to bite") {
  const std::string text = compare_text(comparison(3.6, 4.0), {});
  CHECK_THAT(text, contains_text("Hottest line: ns.{msg_bytes, msg_hdrs}, 16.7% of all CPU time. "
                                 "Transfers: smt"));
  CHECK_THAT(text, contains_text("Where the time goes: after"));
  CHECK_THAT(text, contains_text("path_walk 10.1%"));
}

TEST_CASE("three variants have their ratios in a table of their own") {
  Comparison result = comparison(3.6, 4.0);
  result.variants.push_back("control");
  result.points = {compare_point(
      {sample_outcome("before"), sample_outcome("after", 3.6), sample_outcome("control", 2)})};
  const std::string text = compare_text(result, {});
  CHECK_THAT(text, contains_text("threads     after / before   control / before\n"));
  check_widths(text);
}

TEST_CASE("replications that are all equal are called what they are") {
  Comparison result = comparison(3.6, 4.0);
  for (auto& outcome : result.points[0].outcomes) outcome.rates = {5, 5, 5};
  CHECK_THAT(compare_text(result, {}), contains_text("All replications are equal"));
}

TEST_CASE("a rate of a transient is marked in runs and comparisons and called no prediction") {
  auto transient = sample_outcome("after", 3.6);
  transient.total.halves = {1'000, 100};
  CHECK_THAT(run_text(transient, {}), contains_text("NOT STEADY: the rate changed by -90%"));
  Comparison result = comparison(3.6, 4.0);
  result.points = {compare_point({sample_outcome("before"), transient})};
  const std::string text = compare_text(result, {});
  CHECK_THAT(text, contains_text("3.60 [3.60, 3.60] ~"));
  CHECK_THAT(text, contains_text("~ NOT STEADY"));
  CHECK_THAT(compare_text(comparison(3.6, 4.0), {}), !contains_text("NOT STEADY"));
}
