#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/workload/run.hpp"
#include "sim/workload/workload.hpp"

namespace hotline::tests {

/// What a short run of a shipped workload gave.
struct Outcome {
  workload::Ending ending = workload::Ending::kTimeUp;
  double work_per_us = 0;  ///< of the first kind of work
  double ns_each = 0;      ///< of measured time for each unit of it
  std::uint64_t work = 0;
  std::int64_t total = 0;    ///< of the first counter
  std::string hottest_line;  ///< where operations waited longest
  std::uint64_t fingerprint = 0;
};

struct Request {
  std::string_view file;
  std::string_view variant;
  std::uint32_t threads = 0;  ///< 0: what the file says
  double scale = 1.0;         ///< of its duration
  std::vector<std::string_view> changes = {};
};

inline workload::Overrides overrides_of(const Request& request) {
  workload::Overrides overrides;
  if (request.threads > 0) overrides.threads = request.threads;
  for (const std::string_view change : request.changes) {
    overrides.changes.push_back(workload::parse_change(change, "test"));
  }
  return overrides;
}

inline std::string hottest_line(workload::Run& run) {
  machine::Machine& machine = run.machine();
  machine::LineId hottest;
  engine::Duration longest;
  for (std::uint32_t line = 0; line < machine.lines(); ++line) {
    const machine::LineStatistics* const statistics = machine.statistics({line});
    if (statistics == nullptr || statistics->stalled <= longest) continue;
    hottest = {line};
    longest = statistics->stalled;
  }
  return run.describe_line(hottest);
}

inline Outcome run(const Request& request) {
  const auto read = workload::Workload::load("workloads/" + std::string(request.file));
  workload::RunOptions options;
  options.duration_scale = request.scale;
  workload::Run run(read.scenario(request.variant, overrides_of(request)), options);
  Outcome outcome;
  outcome.ending = run.run();
  outcome.work = run.work({0});
  const double ns = (run.measured_to() - run.measured_from()).ns();
  outcome.work_per_us = static_cast<double>(outcome.work) * 1000 / ns;
  outcome.ns_each = ns / static_cast<double>(outcome.work);
  if (!run.counters().empty()) outcome.total = run.total(0);
  outcome.hottest_line = hottest_line(run);
  outcome.fingerprint = run.simulator().fingerprint();
  return outcome;
}

}  // namespace hotline::tests
