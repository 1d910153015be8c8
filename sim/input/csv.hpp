#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/input/diagnostics.hpp"

namespace hotline::input {

/// Measured data: named columns, and rows of cells with the lines they stand on.
struct DataTable {
  struct Row {
    std::uint32_t line = 0;
    std::vector<std::string> cells;  ///< as many as columns
  };

  std::string file;  ///< for messages
  std::vector<std::string> columns;
  std::vector<Row> rows;

  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
};

/// Reads a comma-separated file: lines that begin with # are comments, the first other line names
/// the columns. Cells may be quoted (RFC 4180, without line feeds). Problems go to `diagnostics`.
[[nodiscard]] DataTable load_csv(const std::filesystem::path& path, Diagnostics& diagnostics);

/// The same for text in memory; `name` stands in messages where the file's name would.
[[nodiscard]] DataTable parse_csv(std::string_view text, std::string_view name,
                                  Diagnostics& diagnostics);

}  // namespace hotline::input
