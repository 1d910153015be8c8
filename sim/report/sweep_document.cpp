#include <optional>

#include <fmt/format.h>

#include "sim/report/ratio_table.hpp"
#include "sim/report/sweep_report.hpp"

namespace hotline::report {

using experiment::Summary;
using experiment::Sweep;
using experiment::SweptPoint;
using measure::Unit;

namespace {

struct PointRow {
  std::string variant;
  std::uint64_t replications = 0;
  double rate = 0;
  std::optional<double> rate_low, rate_high;
  double jain = 0;
  double min_over_max = 0;
  double drift = 0;
  double work = 0;
  double lock_wait = 0;
  double line_stall = 0;
  double scheduling = 0;
  double other = 0;
  std::string hottest_line;
  double hottest_share = 0;
  std::uint64_t events = 0;
  std::string fingerprint;
  std::string stuck;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("variant", kText, "variant of the workload", &PointRow::variant);
    field("replications", kCount, "simulations", &PointRow::replications);
    field("rate", kPerSecond, "work", &PointRow::rate);
    field("rate_low", kPerSecond, "lower end of the 95 % interval", &PointRow::rate_low);
    field("rate_high", kPerSecond, "upper end of the 95 % interval", &PointRow::rate_high);
    field("jain", kRatio, "Jain's index of the threads' work", &PointRow::jain);
    field("min_over_max", kRatio, "least over most work of a thread", &PointRow::min_over_max);
    field("drift", kPercent, "change of the rate from the first to the second half of the time",
          &PointRow::drift);
    field("work", kPercent, "of all threads' time", &PointRow::work);
    field("lock_wait", kPercent, "of all threads' time", &PointRow::lock_wait);
    field("line_stall", kPercent, "of all threads' time", &PointRow::line_stall);
    field("scheduling", kPercent, "of all threads' time", &PointRow::scheduling);
    field("other", kPercent, "of all threads' time", &PointRow::other);
    field("hottest_line", kText, "the line with the longest stalls", &PointRow::hottest_line);
    field("hottest_share", kPercent, "stalled there, of the time of all CPUs that ran threads",
          &PointRow::hottest_share);
    field("events", kCount, "simulated", &PointRow::events);
    field("fingerprint", kText, "of all replications' event streams", &PointRow::fingerprint);
    field("stuck", kText, "who could not go on", &PointRow::stuck);
  }
};

PointRow point_row(const std::string& variant, const Summary& summary) {
  PointRow row;
  row.variant = variant;
  row.replications = summary.rates.size();
  row.rate = summary.rate.mean;
  if (summary.rate.has_bounds()) {
    row.rate_low = summary.rate.low;
    row.rate_high = summary.rate.high;
  }
  row.jain = summary.jain;
  row.min_over_max = summary.min_over_max;
  row.drift = 100 * summary.drift;
  const auto share = [&](os::Account account) {
    return 100 * summary.shares[static_cast<std::size_t>(account)];
  };
  row.work = share(os::Account::kWork);
  row.lock_wait = share(os::Account::kLockWait);
  row.line_stall = share(os::Account::kLineStall);
  row.scheduling = share(os::Account::kScheduling);
  row.other = share(os::Account::kOther);
  row.hottest_line = summary.hottest_line;
  row.hottest_share = 100 * summary.hottest_share;
  row.events = summary.events;
  row.fingerprint = fmt::format("{:016x}", summary.fingerprint);
  row.stuck = summary.stuck;
  return row;
}

bool is_axis(const Sweep& sweep, std::string_view name) {
  for (const experiment::Axis& axis : sweep.axes) {
    if (axis.name == name) return true;
  }
  return false;
}

/// The columns that say which point a row is about.
std::vector<std::pair<measure::Field, measure::Value>> context_of(const Sweep& sweep,
                                                                  const SweptPoint& point) {
  std::vector<std::pair<measure::Field, measure::Value>> context;
  for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
    context.push_back({{sweep.axes[i].name, Unit::kText, "what was set"}, point.values[i]});
  }
  if (!is_axis(sweep, "machine")) {
    context.push_back({{"machine", Unit::kText, "simulated machine"}, point.machine});
  }
  if (!is_axis(sweep, "threads")) {
    context.push_back(
        {{"threads", Unit::kCount, "simulated threads"}, std::uint64_t{point.threads}});
  }
  return context;
}

}  // namespace

Document sweep_document(const Sweep& sweep) {
  Document document;
  document.facts = {{"workload", sweep.workload}, {"work", sweep.work}};
  for (const SweptPoint& point : sweep.points) {
    std::vector<PointRow> rows;
    for (std::size_t v = 0; v < point.variants.size(); ++v) {
      rows.push_back(point_row(sweep.variants[v], point.variants[v]));
    }
    append(document,
           with_context(measure::tabulate<PointRow>("points", "every variant at every point", rows),
                        context_of(sweep, point)));
  }
  for (const SweptPoint& point : sweep.points) {
    append(document, with_context(ratio_table(point.contrasts, sweep.variants.front()),
                                  context_of(sweep, point)));
  }
  return document;
}

}  // namespace hotline::report
