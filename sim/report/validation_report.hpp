#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/experiment/validation.hpp"
#include "sim/report/document.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// A row a data set; sets that miss are in red with their suspected mechanism below.
[[nodiscard]] std::string validation_text(const std::vector<experiment::ValidationResult>& results,
                                          const Style& style);

/// One set with every point.
[[nodiscard]] std::string validation_details(const experiment::ValidationResult& result);

/// Sets and points for machines to read.
[[nodiscard]] Document validation_document(
    const std::vector<experiment::ValidationResult>& results);

/// A page in Markdown, and the pictures that it shows as file names and SVG.
struct ValidationPage {
  std::string text;
  std::vector<std::pair<std::string, std::string>> pictures;
};
/// `folder` is where the pictures are, seen from the page.
[[nodiscard]] ValidationPage validation_page(
    const std::vector<experiment::ValidationResult>& results, const std::string& folder);

}  // namespace hotline::report
