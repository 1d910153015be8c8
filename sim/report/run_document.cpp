#include <fmt/format.h>

#include "sim/measure/rows.hpp"
#include "sim/measure/view_rows.hpp"
#include "sim/report/machine_tables.hpp"
#include "sim/report/run_report.hpp"

namespace hotline::report {

using experiment::Outcome;
using measure::Unit;

namespace {

/// Stretches of a timeline: enough for a picture of some hand-overs, and no more than a result file
/// should carry.
constexpr std::size_t kMostSpans = 500;

/// One outcome in one row.
struct SummaryRow {
  std::string label;
  std::string machine;
  std::string work;
  std::uint64_t replications = 0;
  double rate = 0;
  std::optional<double> rate_low;
  std::optional<double> rate_high;
  double drift = 0;
  double jain = 1;
  double min_over_max = 1;
  engine::Duration measured;
  std::uint64_t events = 0;
  std::uint64_t operations = 0;
  std::string fingerprint;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("label", kText, "what the workload says about the point", &SummaryRow::label);
    field("machine", kText, "name of the machine", &SummaryRow::machine);
    field("work", kText, "kind of work counted", &SummaryRow::work);
    field("replications", kCount, "independent simulations", &SummaryRow::replications);
    field("rate", kPerSecond, "work per simulated second, mean", &SummaryRow::rate);
    field("rate_low", kPerSecond, "lower end of the 95 % interval", &SummaryRow::rate_low);
    field("rate_high", kPerSecond, "upper end of the 95 % interval", &SummaryRow::rate_high);
    field("drift", kRatio, "change of the rate from first to second half; beyond 0.1 a transient",
          &SummaryRow::drift);
    field("jain", kRatio, "Jain's index of work over threads", &SummaryRow::jain);
    field("min_over_max", kRatio, "least over most work of a thread", &SummaryRow::min_over_max);
    field("measured", kNanoseconds, "simulated time, over all replications", &SummaryRow::measured);
    field("events", kCount, "events fired, warm-up included", &SummaryRow::events);
    field("operations", kCount, "memory operations measured", &SummaryRow::operations);
    field("fingerprint", kText, "of the event streams", &SummaryRow::fingerprint);
  }
};

SummaryRow summary(const Outcome& outcome) {
  const measure::Interval rate = outcome.rate();
  SummaryRow row;
  row.label = outcome.label;
  row.machine = outcome.machine;
  row.work = outcome.work();
  row.replications = outcome.rates.size();
  row.rate = rate.mean;
  if (rate.has_bounds()) {
    row.rate_low = rate.low;
    row.rate_high = rate.high;
  }
  row.drift = outcome.drift();
  row.jain = outcome.jain();
  row.min_over_max = outcome.min_over_max();
  row.measured = outcome.total.length;
  row.events = outcome.total.events;
  row.operations = outcome.total.operations;
  row.fingerprint = fingerprint_text(outcome);
  return row;
}

template <class Row>
measure::Table table(const char* name, std::string_view description, const std::vector<Row>& rows) {
  return measure::tabulate<Row>(name, description, rows);
}

std::vector<measure::Table> tables_of(const Outcome& outcome) {
  const measure::Measurement& total = outcome.total;
  return {
      table("summary", "work per second and fairness", std::vector{summary(outcome)}),
      table("accounts", "where the time of all threads went", measure::account_rows(total)),
      table("locks", "locks and their call sites", measure::lock_rows(total.locks, total.window())),
      table("waits", "how long acquisitions waited, by lock", measure::wait_rows(total.locks)),
      table("lines", "lines of memory, hottest first", measure::line_rows(total)),
      table("transfers", "transfers of each line by distance", measure::transfer_rows(total)),
      table("words", "misses of each line by field", measure::word_rows(total)),
      table("functions", "self time by function", measure::function_rows(total)),
      table("callers", "self time of functions with several callers by caller",
            measure::caller_rows(total)),
      table("threads", "each thread's work and time", measure::thread_rows(total)),
      table("over_time", "work and shared variables in parts of the measured time",
            measure::series_rows(total)),
      table("breakdown", "time by function and kind, stalls by where the line came from",
            measure::breakdown_rows(total)),
      table("stacks", "self time by way into the functions", measure::stack_rows(total)),
      table("sharing", "who came to which place of a line (where --c2c counted it)",
            measure::sharing_rows(outcome.sharing)),
      table("timeline", "what CPUs, locks and lines did in a window of the first replication",
            measure::timeline_rows(outcome.timeline, kMostSpans)),
      machine_table(outcome),
      link_table(outcome),
  };
}

}  // namespace

void append_outcome(Document& document, const Outcome& outcome, bool in_context) {
  for (measure::Table& one : tables_of(outcome)) {
    if (in_context) {
      one = with_context(
          std::move(one),
          {{{"variant", Unit::kText, "variant of the workload"}, outcome.variant},
           {{"threads", Unit::kCount, "simulated threads"}, std::uint64_t{outcome.threads}}});
    }
    append(document, std::move(one));
  }
}

Document run_document(const Outcome& outcome) {
  Document document;
  document.facts = {{"workload", outcome.workload},
                    {"variant", outcome.variant},
                    {"machine", outcome.machine},
                    {"machine_title", outcome.machine_title},
                    {"threads", std::uint64_t{outcome.threads}},
                    {"seed", outcome.seed},
                    {"warm_up_ns", outcome.warm_up},
                    {"fingerprint", fingerprint_text(outcome)}};
  append_outcome(document, outcome, false);
  return document;
}

}  // namespace hotline::report
