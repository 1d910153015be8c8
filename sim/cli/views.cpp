#include "sim/cli/views.hpp"

#include <iostream>
#include <vector>

#include "sim/cli/scenario_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/input/quantity.hpp"
#include "sim/measure/lock_stats.hpp"
#include "sim/report/breakdown.hpp"
#include "sim/report/c2c.hpp"
#include "sim/report/lock_contention.hpp"
#include "sim/report/lock_stat.hpp"
#include "sim/report/lock_table.hpp"
#include "sim/report/profile.hpp"
#include "sim/report/run_report.hpp"
#include "sim/report/trace_json.hpp"
#include "sim/report/whole_file.hpp"

namespace hotline::cli {

namespace {

/// Below so many percent a profile shows nothing, as perf report's call graphs by default.
constexpr double kLeastShare = 0.5;

report::ContentionBy contention_by(const std::string& name) {
  if (name == "task") return report::ContentionBy::kTask;
  return name == "lock" ? report::ContentionBy::kLock : report::ContentionBy::kCaller;
}

}  // namespace

void Views::add_to(CLI::App& command) {
  command.add_flag("--lock-stat", lock_stat, "locks as /proc/lock_stat prints them")
      ->group("Tables");
  command.add_flag("--lockmeter", lockmeter, "locks as lockmeter prints them")->group("Tables");
  command
      .add_option_function<std::string>(
          "--lock-contention",
          [this](const std::string& by) { lock_contention = by.empty() ? "caller" : by; },
          "waits as `perf lock contention` prints them")
      ->check(CLI::IsMember(std::vector<std::string>{"caller", "task", "lock"}))
      ->expected(0, 1)
      ->default_str("caller")
      ->type_name("[=caller|task|lock]")
      ->group("Tables");
  command.add_flag("--profile", profile, "functions and callers as `perf report` prints them")
      ->group("Tables");
  command.add_flag("--breakdown", breakdown, "where the threads' time went, as stacked bars")
      ->group("Tables");
  command
      .add_flag("--c2c", c2c,
                "shared lines as `perf c2c` prints them; simulates again with fields parted")
      ->group("Tables");
  command.add_option("--folded", folded, "stacks for flame graphs; - is standard output")
      ->type_name("FILE")
      ->group("Tables");
  command
      .add_option("--trace", trace,
                  "what CPUs, locks and lines do, as JSON for Perfetto (ui.perfetto.dev)")
      ->type_name("FILE")
      ->group("Tables");
  command
      .add_option("--trace-window", trace_window,
                  "of simulated time since the start (default: 50us after the warm-up)")
      ->type_name("T0..T1")
      ->needs("--trace")
      ->group("Tables");
  command
      .add_option("--trace-sample", trace_sample, "only every N-th change of a line (default: 1)")
      ->check(CLI::PositiveNumber)
      ->type_name("N")
      ->needs("--trace")
      ->group("Tables");
}

measure::TimelineWindow Views::window() const {
  measure::TimelineWindow result;
  result.sample = trace_sample;
  if (trace_window.empty()) return result;
  const std::size_t dots = trace_window.find("..");
  const std::string_view text = trace_window;
  const auto from = input::parse_duration(text.substr(0, dots));
  const auto to =
      input::parse_duration(dots == std::string::npos ? std::string_view() : text.substr(dots + 2));
  if (!from.value || !to.value || *from.value >= *to.value) {
    throw UserError("--trace-window: \"" + trace_window +
                    "\" is no window of simulated time; write 100us..150us");
  }
  result.from = engine::SimTime() + *from.value;
  result.length = *to.value - *from.value;
  return result;
}

bool Views::any() const {
  return lock_stat || lockmeter || profile || c2c || breakdown || !lock_contention.empty() ||
         folded == "-" || trace == "-";
}

void Views::check_outputs(const std::string& stdout_taken) const {
  if (!stdout_taken.empty() && any()) {
    throw UserError(stdout_taken + " - and a table cannot both go to standard output");
  }
  for (const std::string* path : {&folded, &trace}) {
    if (!path->empty() && *path != "-") report::check_can_write(*path);
  }
}

void Views::write(const experiment::Outcome& outcome,
                  const std::vector<experiment::Parting>& partings) const {
  const measure::Measurement& total = outcome.total;
  std::vector<std::string> texts;
  if (lock_stat) texts.push_back(report::lock_stat_text(report::lock_stat_of(total)));
  if (lockmeter) {
    texts.push_back(
        report::lockmeter_text(measure::lock_rows(total.locks, total.window()), terminal_style()));
  }
  if (!lock_contention.empty()) {
    texts.push_back(report::lock_contention_text(total, contention_by(lock_contention)));
  }
  if (profile) texts.push_back(report::profile_text(total, kLeastShare));
  if (breakdown) {
    texts.push_back(report::breakdown_text(outcome, report::kMostRows, terminal_style()));
  }
  if (c2c) {
    texts.push_back(report::c2c_text(outcome, partings, report::kMostRows, terminal_style()));
  }
  if (folded == "-") texts.push_back(report::folded_text(total));
  for (std::size_t i = 0; i < texts.size(); ++i) std::cout << (i == 0 ? "" : "\n") << texts[i];
  if (!trace.empty()) {
    write_output(trace, report::trace_json(outcome.timeline,
                                           outcome.workload + ", variant " + outcome.variant));
  }
  if (!folded.empty() && folded != "-") report::write_whole(folded, report::folded_text(total));
}

}  // namespace hotline::cli
