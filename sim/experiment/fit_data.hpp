#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/input/csv.hpp"
#include "sim/workload/workload.hpp"

namespace hotline::experiment {

/// One measurement that a fit is to reproduce.
struct FitRow {
  std::uint32_t line = 0;
  std::string series;  ///< the variant of a workload, or what was measured of a machine
  std::optional<std::uint32_t> threads;
  std::vector<workload::Change> changes;  ///< from columns that name figures of the workload
  double measured = 0;
  bool is_held_out = false;
};

/// Measurements of one quantity. Columns: `threads`, `variant`, names of figures of the workload,
/// and one of `per_second`, `ns` (a unit of work, system-wide) and `ns_per_thread`; all others are
/// comments.
struct FitData {
  workload::Quantity quantity;
  std::vector<FitRow> rows;
};

/// Which of the columns per_second, ns and ns_per_thread a table has; reported if not just one.
[[nodiscard]] std::optional<std::size_t> measured_column(const input::DataTable& table,
                                                         input::Diagnostics& diagnostics);

/// The number above 0 in a cell; anything else is reported.
[[nodiscard]] std::optional<double> positive_cell(const input::DataTable& table,
                                                  const input::DataTable::Row& row,
                                                  std::size_t column,
                                                  input::Diagnostics& diagnostics);

/// Takes what a table says about a workload; `hold_out` ("threads>=32") keeps rows out of the fit.
/// Throws input::InputError.
[[nodiscard]] FitData read_fit_data(const input::DataTable& table, std::string_view hold_out,
                                    const workload::Workload& workload);

}  // namespace hotline::experiment
