#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/experiment/crossover.hpp"
#include "sim/report/document.hpp"

namespace hotline::report {

/// What was found of one variant against the baseline.
struct CrossoverResult {
  std::string path;  ///< what was varied
  std::string baseline;
  std::string variant;
  std::map<std::uint64_t, experiment::Contrast> seen;
  std::vector<experiment::Crossing> crossings;
};

/// "before is the faster up to threads=12, after from threads=13 on", with what was measured.
[[nodiscard]] std::string crossover_text(const CrossoverResult& result);

/// The tables "crossings" and "ratios". Refers to the results, which must live as long.
[[nodiscard]] Document crossover_document(const std::string& workload,
                                          const std::vector<CrossoverResult>& results);

}  // namespace hotline::report
