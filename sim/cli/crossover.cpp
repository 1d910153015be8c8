#include "sim/cli/crossover.hpp"

#include <algorithm>
#include <iostream>

#include "sim/cli/sweep_options.hpp"
#include "sim/input/quantity.hpp"
#include "sim/report/crossover_report.hpp"

namespace hotline::cli {

namespace {

struct Range {
  std::string path;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

/// `threads` alone: from the fewest to the most threads of the workload's own points.
Range threads_of(const workload::Workload& workload) {
  Range range{"threads", UINT64_MAX, 0};
  for (const workload::Point& point : workload.points()) {
    if (!point.label.empty()) continue;
    range.low = std::min<std::uint64_t>(range.low, point.threads);
    range.high = std::max<std::uint64_t>(range.high, point.threads);
  }
  if (range.low < range.high) return range;
  throw UserError(
      "--crossover: the workload has no points to search between; write "
      "threads=LOW..HIGH");
}

Range parse_range(const std::string& text, const workload::Workload& workload) {
  if (text == "threads") return threads_of(workload);
  const std::size_t equals = text.find('=');
  const std::size_t dots = text.find("..");
  if (equals != std::string::npos && equals > 0 && dots != std::string::npos && dots > equals) {
    const auto low = input::parse_unsigned(text.substr(equals + 1, dots - equals - 1)).value;
    const auto high = input::parse_unsigned(text.substr(dots + 2)).value;
    if (low && high && *low >= 1 && *low < *high && *high <= INT32_MAX) {
      return {text.substr(0, equals), *low, *high};
    }
  }
  throw UserError("--crossover: \"" + text +
                  "\" is no range; write threads, or PATH=LOW..HIGH with whole numbers from 1 on");
}

}  // namespace

int find_crossover(const ScenarioOptions& options, const workload::Workload& workload,
                   const std::string& range_text, const std::vector<std::string>& variants,
                   const std::string& store_file) {
  const Range range = parse_range(range_text, workload);
  if (variants.size() < 2) throw UserError("--crossover needs two variants");
  experiment::Store store(store_file);
  bool is_stuck = false;
  std::vector<report::CrossoverResult> results;
  for (std::size_t v = 1; v < variants.size(); ++v) {
    experiment::SweepRequest request = sweep_request(options);
    request.fixed = options.overrides().changes;
    request.variants = {variants[0], variants[v]};
    report::CrossoverResult result{range.path, variants[0], variants[v], {}, {}};
    const auto measure = [&](const std::vector<std::uint64_t>& values) {
      request.axes = {{range.path, {}, false}};
      for (const std::uint64_t value : values) {
        request.axes.front().values.push_back(std::to_string(value));
      }
      const experiment::Sweep sweep = run_sweep(workload, request, options, store);
      is_stuck |= sweep.is_stuck();
      std::vector<experiment::Contrast> contrasts;
      for (const auto& point : sweep.points) contrasts.push_back(point.contrasts.front());
      return contrasts;
    };
    result.crossings = experiment::find_crossings(range.low, range.high, measure, result.seen);
    results.push_back(std::move(result));
  }
  options.write(report::crossover_document(workload.name(), results));
  if (options.wants_text()) {
    for (const report::CrossoverResult& result : results) {
      std::cout << report::crossover_text(result);
    }
  }
  return is_stuck ? kFoundProblem : kDone;
}

}  // namespace hotline::cli
