#pragma once

#include <string>

#include "sim/experiment/outcome.hpp"
#include "sim/report/document.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

/// How many locks, lines and functions a text shows.
inline constexpr std::size_t kMostRows = 10;

/// Everything about one outcome as text.
[[nodiscard]] std::string run_text(const experiment::Outcome& outcome, const Style& style);

/// Where the time went, locks, hot lines and functions, at most `most` rows each.
[[nodiscard]] std::string detail_text(const experiment::Outcome& outcome, std::size_t most,
                                      const Style& style);

/// The fingerprint's sixteen hexadecimal digits.
[[nodiscard]] std::string fingerprint_text(const experiment::Outcome& outcome);

/// Everything about one outcome for machines to read.
[[nodiscard]] Document run_document(const experiment::Outcome& outcome);

/// Adds the tables of one outcome; with `in_context` each row begins with variant and threads.
void append_outcome(Document& document, const experiment::Outcome& outcome, bool in_context);

}  // namespace hotline::report
