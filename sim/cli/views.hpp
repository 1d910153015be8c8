#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command.hpp"
#include "sim/experiment/parting.hpp"

namespace hotline::cli {

/// Tables in the forms that kernel engineers read, in place of a run's own text: docs/reports.md.
struct Views {
  bool lock_stat = false;
  bool lockmeter = false;
  std::string lock_contention;  ///< caller, task or lock; empty: not asked for
  bool profile = false;
  bool c2c = false;
  bool breakdown = false;
  std::string folded;  ///< file; empty: not asked for
  std::string trace;   ///< likewise
  std::string trace_window;
  std::uint32_t trace_sample = 1;

  void add_to(CLI::App& command);

  /// True if a table is to be printed.
  [[nodiscard]] bool any() const;
  /// Throws report::OutputError or UserError, before a long run, if something cannot be written;
  /// `stdout_taken`: by the option of that name.
  void check_outputs(const std::string& stdout_taken) const;
  /// What of the first replication a trace is made of. Throws UserError.
  [[nodiscard]] measure::TimelineWindow window() const;
  /// Prints the tables and writes the files.
  void write(const experiment::Outcome& outcome,
             const std::vector<experiment::Parting>& partings) const;
};

}  // namespace hotline::cli
