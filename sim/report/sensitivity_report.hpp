#pragma once

#include <optional>
#include <string>

#include "sim/experiment/sensitivity.hpp"
#include "sim/report/document.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// What was found out about an effect.
struct SensitivityResult {
  std::string effect;
  std::vector<experiment::Parameter> parameters;
  experiment::Tornado tornado;
  std::optional<experiment::VarianceShares> shares;
};

/// A row a parameter, those that move the effect most first.
[[nodiscard]] std::string sensitivity_text(const SensitivityResult& result, const Style& style);
[[nodiscard]] Document sensitivity_document(const SensitivityResult& result);
/// Bars from the effect at the least to that at the greatest value of each parameter.
[[nodiscard]] std::string tornado_svg(const SensitivityResult& result);

/// "2.41, in 95 % of the ranges 1.9 to 3.1".
[[nodiscard]] std::string uncertainty_text(const std::string& effect, double nominal,
                                           const std::vector<double>& effects,
                                           std::size_t parameters);
[[nodiscard]] Document uncertainty_document(const std::string& effect, double nominal,
                                            const std::vector<double>& effects);

}  // namespace hotline::report
