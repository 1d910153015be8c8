#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/input/csv.hpp"

namespace hotline::experiment {

/// Which rows of a table a fit is to predict instead of being fitted to: a comparison of a column
/// with a number, or `==` with a text. Without text, none.
class HoldOut {
 public:
  /// Problems are reported under --hold-out.
  HoldOut(std::string_view text, const input::DataTable& table, input::Diagnostics& diagnostics);

  [[nodiscard]] bool holds(const input::DataTable::Row& row) const;

 private:
  void read(std::string_view name, std::string_view limit, const input::DataTable& table,
            input::Diagnostics& diagnostics);

  std::optional<std::size_t> column_;
  std::string sign_;
  std::string text_;  ///< that cells are to equal, if it is no number
  double limit_ = 0;
};

}  // namespace hotline::experiment
