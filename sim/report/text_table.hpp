#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hotline::report {

/// Whether and how to set off headings: plain unless the output is a terminal that shows colours.
struct Style {
  bool colours = false;

  [[nodiscard]] std::string heading(const std::string& text) const;
  [[nodiscard]] std::string good(const std::string& text) const;
  [[nodiscard]] std::string bad(const std::string& text) const;
};

/// The width that every table keeps to.
inline constexpr std::size_t kPageWidth = 100;

enum class Align : std::uint8_t { kLeft, kRight };

/// A table of text: columns as wide as their widest cell, two blanks between them. A row with fewer
/// cells than columns ends early; the last cell of a row is cut at the page's width.
class TextTable {
 public:
  /// Adds a column; its title is aligned like its cells.
  void column(std::string title, Align align);
  void row(std::vector<std::string> cells);
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// Header and rows, each line ending with a line feed and without trailing blanks.
  [[nodiscard]] std::string text(const Style& style = {}) const;

 private:
  struct Column {
    std::string title;
    Align align;
  };

  [[nodiscard]] std::vector<std::size_t> widths() const;
  [[nodiscard]] std::string line(const std::vector<std::string>& cells,
                                 const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Breaks `text` at blanks into lines of at most `width` characters, each indented by `indent`.
[[nodiscard]] std::string wrap(const std::string& text, std::size_t indent = 0,
                               std::size_t width = kPageWidth);

}  // namespace hotline::report
