#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/command.hpp"
#include "sim/experiment/outcome.hpp"
#include "sim/report/document.hpp"
#include "sim/workload/workload.hpp"

namespace hotline::cli {

/// What `run` and `compare` have in common.
struct ScenarioOptions {
  std::string file;
  std::vector<std::string> changes;
  std::optional<std::string> machine;
  std::vector<std::string> parameters;
  std::string configs;
  std::vector<std::string> libraries;
  std::optional<std::uint64_t> seed;
  std::optional<std::string> replications;
  std::optional<std::string> precision;
  std::uint32_t max_replications = 100;
  std::string tie_order = "fifo";
  bool no_batching = false;
  unsigned host_threads = 0;
  std::string json;
  std::string csv;
  bool quiet = false;

  /// The workload's file is `optional` where a command can do without.
  void add_to(CLI::App& command, bool optional = false);

  /// Throws what reading throws, and UserError.
  [[nodiscard]] workload::Workload load() const { return load(file); }
  [[nodiscard]] workload::Workload load(const std::string& path) const;
  /// The changes of --machine, --with and --set, in this order.
  [[nodiscard]] workload::Overrides overrides() const;
  /// What the scenario says, unless an option says otherwise.
  [[nodiscard]] experiment::Settings settings(const workload::MeasureSpec& measure) const;

  /// Throws report::OutputError, before a long run, if a file that is asked for cannot be written.
  void check_outputs() const;
  /// "--json" or "--csv" if its data goes to standard output, which then has nothing else.
  [[nodiscard]] std::string takes_stdout() const;
  /// True unless standard output is taken, or nobody wants to read.
  [[nodiscard]] bool wants_text() const { return takes_stdout().empty() && !quiet; }
  /// True if write() will write anything.
  [[nodiscard]] bool wants_data() const { return !json.empty() || !csv.empty(); }
  /// Writes the files that are asked for.
  void write(const report::Document& document) const;
};

/// Models of the tree and of plugins, machines of the usual folders after `configs` (if any).
[[nodiscard]] workload::Library make_library(const std::vector<std::string>& plugins,
                                             const std::string& configs);

/// Writes to standard output for "-", else to a file, whole.
void write_output(const std::string& path, const std::string& text);

}  // namespace hotline::cli
