#include "sim/report/text_table.hpp"

#include <algorithm>
#include <sstream>

#include "sim/report/format.hpp"

namespace hotline::report {

namespace {

constexpr std::size_t kGap = 2;

std::string coloured(const Style& style, const char* code, const std::string& text) {
  if (!style.colours) return text;
  return std::string("\x1b[") + code + "m" + text + "\x1b[0m";
}

}  // namespace

std::string Style::heading(const std::string& text) const { return coloured(*this, "1", text); }
std::string Style::good(const std::string& text) const { return coloured(*this, "32", text); }
std::string Style::bad(const std::string& text) const { return coloured(*this, "31", text); }

void TextTable::column(std::string title, Align align) {
  columns_.push_back({std::move(title), align});
}

void TextTable::row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = columns_[i].title.size();
    for (const auto& row : rows_) {
      if (i < row.size()) width = std::max(width, row[i].size());
    }
    result.push_back(width);
  }
  return result;
}

std::string TextTable::line(const std::vector<std::string>& cells,
                            const std::vector<std::size_t>& widths) const {
  std::string line;
  for (std::size_t i = 0; i < cells.size() && i < columns_.size(); ++i) {
    if (i > 0) line.append(kGap, ' ');
    const std::size_t room = kPageWidth > line.size() ? kPageWidth - line.size() : 0;
    const std::string cell = i + 1 == columns_.size() ? cut(cells[i], room) : cells[i];
    const std::size_t padding = widths[i] > cell.size() ? widths[i] - cell.size() : 0;
    if (columns_[i].align == Align::kRight) line.append(padding, ' ');
    line += cell;
    if (columns_[i].align == Align::kLeft) line.append(padding, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string TextTable::text(const Style& style) const {
  std::vector<std::string> titles;
  titles.reserve(columns_.size());
  for (const Column& column : columns_) titles.push_back(column.title);
  const std::vector<std::size_t> all_widths = widths();
  std::string text = style.heading(line(titles, all_widths)) + "\n";
  for (const auto& row : rows_) text += line(row, all_widths) + "\n";
  return text;
}

std::string wrap(const std::string& text, std::size_t indent, std::size_t width) {
  std::istringstream words(text);
  std::string result;
  std::string line(indent, ' ');
  for (std::string word; words >> word;) {
    if (line.size() > indent && line.size() + 1 + word.size() > width) {
      result += line + "\n";
      line.assign(indent, ' ');
    }
    if (line.size() > indent) line += ' ';
    line += word;
  }
  if (line.size() > indent) result += line + "\n";
  return result;
}

}  // namespace hotline::report
