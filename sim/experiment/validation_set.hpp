#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/experiment/ping_pong.hpp"
#include "sim/input/csv.hpp"
#include "sim/input/diagnostics.hpp"
#include "sim/workload/published.hpp"
#include "sim/workload/workload.hpp"

/// Comparisons with hardware, each one YAML file that says which measurements a simulation is held
/// against (docs/validation.md is made from them, tests/validation/README.md is their language).
namespace hotline::experiment {

/// Which rows of a table are meant: those whose cell in each column is one of the texts, or a
/// number in a range.
struct RowFilter {
  struct Condition {
    std::size_t column = 0;
    std::vector<std::string> texts;
    std::optional<double> least;
    std::optional<double> most;
  };
  std::vector<Condition> conditions;

  [[nodiscard]] bool holds(const input::DataTable::Row& row) const;
};

/// A change whose value may hold cells of the row: "[{src_cpu}]".
struct Template {
  std::string path;
  std::string value;
  input::Position position;
};

/// Changes for those rows that a filter holds for.
struct RowChanges {
  RowFilter rows;
  std::vector<Template> changes;
};

/// A measurement that somebody made, and how it is simulated.
struct DataColumns {
  std::optional<std::size_t> threads;  ///< without it, the workload's own number
  std::optional<std::size_t> x;        ///< the axis of curves; without it, threads
  std::vector<std::size_t> series;     ///< whose cells name the curve
  std::size_t measured = 0;
  std::optional<std::size_t> low;
  std::optional<std::size_t> high;
  double spread = 0;  ///< share by which a figure may be off where there is no low and high
  double scale = 1;   ///< from the column's unit to ns, 1/s or ratios
};

/// A ping-pong between cores instead of a workload.
struct PingPongColumns {
  std::optional<std::size_t> distance;  ///< name of a distance class: the median over its pairs
  std::optional<std::size_t> home;      ///< with it: cells `remote` mean a home on another node
  std::optional<std::size_t> from;      ///< or between two CPUs
  std::optional<std::size_t> to;
  std::vector<std::pair<std::string, Turn>> turns;  ///< by the row's series; empty: blind
};

/// What an error may be at most.
struct Bounds {
  double median = 0.15;
  double ninetieth = 0.40;  ///< percentile of the points
  double tau = 0.9;         ///< at least
};

struct ValidationSet {
  std::string name;  ///< the file's
  std::string file;
  std::string title;
  std::string source;
  std::string calibration;  ///< what was calibrated on what
  std::string missed;       ///< the suspected mechanism where the set misses the target
  std::string notes;

  input::DataTable data;
  RowFilter rows;
  std::vector<RowFilter> calibrated;  ///< rows that went into the calibration
  bool is_calibrated = false;         ///< all of them did
  DataColumns columns;
  std::vector<std::pair<std::size_t, std::string>> over;  ///< both sides are divided by this row's

  std::optional<PingPongColumns> ping_pong;
  std::string workload;  ///< path; relative to the set's folder
  std::string machine;   ///< instead of the workload's; may hold cells
  std::string variant;   ///< may hold cells
  std::vector<std::pair<std::string, std::string>> variants;  ///< by series
  std::vector<Template> changes;
  std::vector<RowChanges> row_changes;
  workload::Quantity quantity;
  bool is_published = false;  ///< the points are the workload's own published figures
  std::uint32_t replications = 1;
  bool is_curve = true;  ///< its x axis orders points, so that they can be drawn and collapse

  Bounds target;                   ///< beyond it, the set misses
  std::optional<Bounds> recorded;  ///< what was last accepted; beyond it, the errors have grown
  std::optional<std::size_t> collapses;  ///< at least so many collapses in place (recorded)
};

/// Reads one file and its data; everything wrong is reported. The result is not to be used then.
[[nodiscard]] ValidationSet read_validation_set(const std::filesystem::path& file,
                                                input::Diagnostics& diagnostics);

/// The same for text in memory: data and workloads are looked for from `folder`.
[[nodiscard]] ValidationSet parse_validation_set(std::string_view text, std::string_view name,
                                                 const std::filesystem::path& folder,
                                                 input::Diagnostics& diagnostics);

/// All sets of a folder, by name. Throws input::InputError.
[[nodiscard]] std::vector<ValidationSet> read_validation_sets(const std::filesystem::path& folder);

/// `text` with each {column} replaced by the row's cell.
[[nodiscard]] std::string filled(const std::string& text, const input::DataTable& data,
                                 const input::DataTable::Row& row);

/// What names the row's curve: its cells in the columns of the series.
[[nodiscard]] std::string series_of(const ValidationSet& set, const input::DataTable::Row& row);

}  // namespace hotline::experiment
