#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/input/diagnostics.hpp"
#include "sim/input/node.hpp"
#include "sim/machine/reader.hpp"
#include "sim/model/catalog.hpp"
#include "sim/workload/lesson.hpp"
#include "sim/workload/published.hpp"
#include "sim/workload/scenario.hpp"

namespace hotline::workload {

/// A change to a workload: what stands at `path` ("objects.ns.fields.hits.model") becomes `value`.
struct Change {
  std::string path;
  input::Node value;
};

/// A named list of changes to the base: a patch.
struct Variant {
  std::string name;
  std::string description;
  std::vector<Change> changes;
  bool hangs = false;  ///< that is what it is there to show: it is not compared
};

/// A point at which to run every variant: a number of threads, perhaps on another machine.
struct Point {
  std::uint32_t threads = 1;
  std::string label;  ///< "hypothetical: 4 sockets"; may be empty
  std::vector<Change> changes;
};

/// How far a figure of the workload may be off: what `sensitivity` and `uncertainty` vary, and
/// between what `fit` looks.
struct Range {
  std::string path;  ///< "variables.hold", or the name of a variable for short
  std::string least;
  std::string most;
  input::Position position;
};

/// What a user asks for on top of a variant. Later changes win.
struct Overrides {
  std::optional<std::uint32_t> threads;
  std::vector<Change> changes;
};

/// What workloads refer to by name.
struct Library {
  std::shared_ptr<const model::Catalog> models;
  machine::Folders machines;
};

/// The models of the tree, and machines from the usual folders (machine::machine_folders()).
Library standard_library();

/// A workload file: the base, its variants, its points, and what was published. Immutable; one can
/// be read by many host threads at once.
class Workload {
 public:
  /// Reads and checks the base, every variant and every point. Throws input::InputError with
  /// everything that is wrong.
  static Workload load(const std::filesystem::path& file, Library library = standard_library());
  /// The same for text in memory; `name` stands in messages where the file's name would.
  static Workload parse(std::string_view text, std::string_view name,
                        Library library = standard_library());

  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  /// At least one: a file without variants has one named "base".
  const std::vector<Variant>& variants() const { return variants_; }
  /// In the order of the file; if it has none, the one point of its default number of threads.
  const std::vector<Point>& points() const { return points_; }
  const std::vector<Published>& published() const { return published_; }
  const std::optional<Lesson>& lesson() const { return lesson_; }
  const std::vector<Range>& ranges() const { return ranges_; }
  /// What stands at a path of the base (a variable's name is short for its path); null if nothing.
  const input::Node* at(std::string_view path) const;
  const Library& models_and_machines() const { return library_; }
  const std::string& file() const { return file_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

  /// One variant with its overrides, ready to run. Throws input::InputError: an unknown variant,
  /// a path that does not exist (with the nearest spelling), or a value that is wrong there.
  Scenario scenario(std::string_view variant, const Overrides& overrides = {}) const;
  /// The same at one of points(); `overrides` win over the point's changes.
  Scenario scenario(std::string_view variant, const Point& point,
                    const Overrides& overrides = {}) const;

  /// The document that scenario(variant, overrides) would read, unread. Throws input::InputError:
  /// an unknown variant, or a path that does not exist.
  input::Node document(std::string_view variant, const Overrides& overrides) const;
  const Library& library() const { return library_; }
  /// Where the file lies; files that it names are looked for there.
  const std::filesystem::path& folder() const { return folder_; }

 private:
  explicit Workload(Library library) : library_(std::move(library)) {}
  void read(input::Diagnostics& diagnostics);
  input::Node changed(const Variant& variant, const Point* point, const Overrides& overrides,
                      input::Diagnostics& diagnostics) const;
  Scenario build(std::string_view variant, const Point* point, const Overrides& overrides) const;
  const Variant& find_variant(std::string_view name) const;
  void check_range(const Range& range, bool base_is_good, input::Diagnostics& diagnostics) const;

  Library library_;
  input::Node document_;
  std::string file_;
  std::string name_;
  std::string description_;
  std::vector<Variant> variants_;
  std::vector<Point> points_;
  std::vector<Published> published_;
  std::optional<Lesson> lesson_;
  std::vector<Range> ranges_;
  std::vector<std::string> warnings_;
  std::filesystem::path folder_;  // of the file, for recorded traces
};

/// Reads `path=value` as a command line gives it; the value is YAML. `threads` and the name of a
/// variable are short for their paths. `origin` ("--set") stands in messages. Throws
/// input::InputError.
Change parse_change(std::string_view text, std::string_view origin);

/// The JSON Schema of workload files, made from the definitions that the reader uses.
std::string schema(const Library& library = standard_library());

}  // namespace hotline::workload
