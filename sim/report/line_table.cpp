#include "sim/report/line_table.hpp"

#include <fmt/format.h>

#include "sim/measure/rows.hpp"
#include "sim/report/format.hpp"

namespace hotline::report {

namespace {

std::string fields_text(const std::vector<measure::WordRow>& words, const std::string& line) {
  std::string text;
  std::size_t count = 0;
  for (const measure::WordRow& word : words) {
    if (word.line != line || word.stalled == engine::Duration()) continue;
    text += (text.empty() ? "" : "; ") + percent_text(word.share) + " at " +
            (word.word.empty() ? "unnamed bytes" : compact_names(word.word));
    ++count;
  }
  return count > 1 ? text : "";
}

std::string name_of(const measure::LineRow& row) {
  const std::string name = compact_names(row.line);
  return row.lines > 1 ? fmt::format("{} x{}", name, row.lines) : name;
}

/// The table's lines are made first and the details put between them.
std::string with_details(const std::string& table, const std::vector<std::string>& details) {
  std::string text;
  std::size_t begin = 0;
  for (std::size_t line = 0; begin < table.size(); ++line) {
    const std::size_t end = table.find('\n', begin) + 1;
    text += table.substr(begin, end - begin);
    if (line > 0 && line <= details.size()) text += details[line - 1];
    begin = end;
  }
  return text;
}

}  // namespace

std::string transfers_text(const measure::Measurement& measurement, const std::string& line) {
  std::string text;
  for (const measure::TransferRow& row : measure::transfer_rows(measurement)) {
    if (row.line != line) continue;
    text += (text.empty() ? "" : "; ") + row.distance + " " + percent_text(row.share);
  }
  return text;
}

std::string hottest_line(const measure::Measurement& measurement) {
  const auto rows = measure::line_rows(measurement);
  if (rows.empty() || rows.front().stalled == engine::Duration()) return "";
  return rows.front().line;
}

std::string line_table(const measure::Measurement& measurement, std::size_t most,
                       const Style& style) {
  TextTable table;
  for (const char* title : {"STALLS", "% CPU", "READS", "OWNERSHIPS", "INVALID", "TRANSFERS"}) {
    table.column(title, Align::kRight);
  }
  table.column("LINE", Align::kLeft);
  const auto words = measure::word_rows(measurement);
  std::vector<std::string> details;
  for (const measure::LineRow& row : measure::line_rows(measurement)) {
    if (details.size() == most || row.stalled == engine::Duration()) break;
    table.row({percent_text(row.stall_share), percent_text(row.cpu_share),
               std::to_string(row.reads), std::to_string(row.ownerships),
               std::to_string(row.invalidations), std::to_string(row.transfers), name_of(row)});
    std::string detail;
    const std::string transfers = transfers_text(measurement, row.line);
    if (!transfers.empty()) detail += wrap("transfers: " + transfers, 8);
    const std::string fields = fields_text(words, row.line);
    if (!fields.empty()) detail += wrap("stalls: " + fields, 8);
    details.push_back(detail);
  }
  return table.empty() ? "" : with_details(table.text(style), details);
}

}  // namespace hotline::report
