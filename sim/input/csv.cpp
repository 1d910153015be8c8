#include "sim/input/csv.hpp"

#include <algorithm>

#include "sim/input/document.hpp"
#include "sim/input/utf8.hpp"

namespace hotline::input {

namespace {

/// The cells of one line; nothing if a quote is not closed.
std::optional<std::vector<std::string>> split(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += c;
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  if (quoted) return std::nullopt;
  return cells;
}

void check_columns(const DataTable& table, std::uint32_t line, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto begin = table.columns.begin();
    const auto known = begin + static_cast<std::ptrdiff_t>(i);
    if (std::find(begin, known, table.columns[i]) != known) {
      diagnostics.error({table.file, {line, 1}, {}},
                        "two columns are called \"" + table.columns[i] + "\"");
    }
  }
}

}  // namespace

std::optional<std::size_t> DataTable::column(std::string_view name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

DataTable parse_csv(std::string_view text, std::string_view name, Diagnostics& diagnostics) {
  DataTable table{std::string(name), {}, {}};
  if (const auto bad = first_bad_character(text)) {
    diagnostics.error({table.file, bad->position, {}}, bad->message);
    return table;
  }
  std::uint32_t line = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line;
    if (content.ends_with('\r')) content.remove_suffix(1);
    if (content.empty() || content.starts_with('#')) continue;
    const auto cells = split(content);
    const Place place{table.file, {line, 1}, {}};
    if (!cells) {
      diagnostics.error(place, "a quote is not closed");
    } else if (table.columns.empty()) {
      table.columns = *cells;
      check_columns(table, line, diagnostics);
    } else if (cells->size() != table.columns.size()) {
      diagnostics.error(place, "has " + std::to_string(cells->size()) + " cells, but there are " +
                                   std::to_string(table.columns.size()) + " columns");
    } else {
      table.rows.push_back({line, *cells});
    }
  }
  if (table.columns.empty()) diagnostics.error({table.file, {}, {}}, "has no line with columns");
  return table;
}

DataTable load_csv(const std::filesystem::path& path, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  const std::string text = load_bytes(path, diagnostics);
  if (diagnostics.errors() > errors) return {path.string(), {}, {}};
  return parse_csv(text, path.string(), diagnostics);
}

}  // namespace hotline::input
