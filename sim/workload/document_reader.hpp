#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/input/reader.hpp"
#include "sim/workload/workload.hpp"

namespace hotline::workload {

class GroupReader;

/// What one workload document says.
struct Document {
  std::string name;
  std::string description;
  std::vector<Variant> variants;
  std::vector<Point> points;
  std::vector<Published> published;
  std::optional<Lesson> lesson;
  std::vector<Range> ranges;
  Scenario scenario;  ///< of the document as it stands
};

/// Reads a workload document: the one definition of the language, of which a dry reading gives the
/// schema.
class DocumentReader {
 public:
  /// `folder` is where the names of recorded traces start; both must outlive the reader.
  DocumentReader(const Library& library, const std::filesystem::path& folder)
      : library_(library), folder_(folder) {}

  void read(input::MapReader& map);
  /// What was read; to be used only if nothing was reported.
  Document take() { return std::move(document_); }

 private:
  void read_machine(input::MapReader& map);
  void read_variables(input::MapReader& map, std::string_view key, std::string_view description);
  void read_measure(input::MapReader& map);
  void read_warm_up(const input::Value& value, Duration longest);
  void read_variants(input::MapReader& map);
  void read_points(input::MapReader& map);
  void read_ranges(input::MapReader& map);
  void read_published(input::MapReader& map);
  void read_lesson(input::MapReader& map);
  void read_answers(input::MapReader& map, Lesson& lesson) const;
  void read_stretches(input::MapReader& map, Lesson& lesson) const;
  static void declare_machine(const input::Value& value);
  void check_variable(std::string_view name, const input::Value& value) const;
  void check_threads(const input::MapReader& map);
  void read_programs(input::MapReader& map, GroupReader& groups);
  void check_published(const input::MapReader& map, const Published& figure) const;
  void check_variant(const input::MapReader& map, std::string_view key,
                     const std::string& name) const;
  void add_built_ins();
  std::vector<std::int64_t> values() const;

  const Library& library_;
  const std::filesystem::path& folder_;
  Document document_;
  std::optional<machine::Topology> topology_;
  std::optional<std::uint32_t> asked_threads_;  // measure.threads
  Scope counts_;                                // what counts may use: nothing of one thread
};

/// Reads which figure is meant: its name, variant, baseline, quantity and point.
Published read_figure_asked(input::MapReader& map);

/// Reads a list of changes, `path: value`.
std::vector<Change> read_changes(input::MapReader& map, std::string_view key,
                                 std::string_view description);

}  // namespace hotline::workload
