#pragma once

#include <string>

#include "sim/experiment/fit.hpp"
#include "sim/report/document.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// Values with intervals, residuals, and the error on what was held out.
[[nodiscard]] std::string fit_text(const experiment::Fit& fit, const Style& style);

/// The same for machines to read.
[[nodiscard]] Document fit_document(const experiment::Fit& fit);

/// The comment at the head of a fitted file: what was fitted, to which rows of which data, and how
/// well. `origin` names the file it was made from and the data.
[[nodiscard]] std::string fit_comment(const experiment::Fit& fit, const std::string& origin);

}  // namespace hotline::report
