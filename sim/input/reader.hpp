#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/input/diagnostics.hpp"
#include "sim/input/figure.hpp"
#include "sim/input/node.hpp"
#include "sim/input/schema.hpp"

namespace hotline::input {

class MapReader;

/// What all reads of one document share.
///
/// With `schema` set the reading is a dry one: there is no document, every read returns its
/// default, every block is entered once, and what is read is declared in the schema. So a reader
/// function is at the same time the definition of its part of the language.
struct Reading {
  Diagnostics& diagnostics;
  Figures* figures = nullptr;  ///< set: figures may carry sources, and are collected here
  Schema* schema = nullptr;
};

/// How many entries a list or map may have.
struct Size {
  std::size_t least = 0;
  std::size_t most = std::numeric_limits<std::size_t>::max();
};

/// One value of a document, with its path and its place. Callbacks get it by reference and must
/// not keep it.
class Value {
 public:
  /// A value of a document; `node` must outlive it.
  Value(Reading& reading, const Node& node, std::string path)
      : reading_(&reading), node_(&node), path_(std::move(path)) {}
  /// A value that a dry reading declares.
  Value(Reading& reading, Declaration& declaration, std::string path)
      : reading_(&reading), declaration_(&declaration), path_(std::move(path)) {}

  bool is_dry() const { return node_ == nullptr; }
  /// The node; null in a dry reading.
  const Node* node() const { return node_; }
  const std::string& path() const { return path_; }
  Reading& reading() const { return *reading_; }
  Place place() const;

  /// Whether it is worth trying to read it so; always in a dry reading, which wants all forms.
  bool may_be_scalar() const { return is_dry() || node_->is_scalar(); }
  bool may_be_list() const { return is_dry() || node_->is_list(); }
  bool may_be_map() const { return is_dry() || node_->is_map(); }

  /// Reports a problem here; `message` follows the path. Silent in a dry reading.
  void error(std::string message) const;
  void warning(std::string message) const;

  /// Reads one of the types of types.hpp; nothing (and a message) if it is not one.
  template <class Type>
  std::optional<typename Type::type> as(const Type& type) const;

  /// Reads a map: `read(MapReader&)`, then reports the keys that it did not read. With a
  /// `definition`, the schema says it once under that name and refers to it: needed for recursion.
  template <class Read>
  void map(Read&& read, std::string_view definition = {}) const;

  /// Reads a list: `read(const Value&)` for each item.
  template <class Read>
  void list(Read&& read, Size size = {}) const;

  /// Reads a map whose keys are names that the user chooses: `read(name, const Value&)` for each.
  template <class Read>
  void entries(Read&& read, Size size = {}) const;

 private:
  friend class MapReader;

  /// A figure's scalar and its origin: the value itself, or its key `is` with what stands beside.
  struct FigureParts {
    const Node* scalar = nullptr;
    const Node* range = nullptr;
    Origin origin;
  };

  bool expect(Node::Kind kind, std::size_t found, Size size) const;
  Value child(const Node& node, std::string path) const;
  /// Begins a map in the schema; null if the definition is there already.
  Declaration* begin_map(std::string_view definition) const;
  /// Declares a list or map of entries of one form; returns the place of that form.
  Declaration& begin_entries(Declaration::Kind kind, Size size) const;
  std::optional<FigureParts> figure_parts() const;
  void declare_long_form() const;
  template <class Type>
  std::optional<typename Type::type> figure(const Type& type) const;
  template <class Type>
  void check_range(const Type& type, const typename Type::type& value, FigureParts& parts) const;

  Reading* reading_;
  const Node* node_ = nullptr;
  Declaration* declaration_ = nullptr;
  std::string path_;
  std::shared_ptr<const Origin> origin_;  // of figures that state none themselves
};

/// Reads a map key by key. Every read declares its key; finish() reports the keys that nobody read.
class MapReader {
 public:
  /// Reads `value`; reports it if it is not a map and then acts as an empty one without complaint.
  explicit MapReader(const Value& value);
  /// Declares a map in a dry reading.
  MapReader(const Value& value, Declaration& declaration);

  /// The value of a key that must be there; a default-constructed one (and a message) without it.
  template <class Type>
  typename Type::type require(std::string_view key, const Type& type, std::string_view description);
  /// The value of a key, or `fallback` without it.
  template <class Type>
  typename Type::type get(std::string_view key, const Type& type, typename Type::type fallback,
                          std::string_view description);
  /// The value of a key, if it is there.
  template <class Type>
  std::optional<typename Type::type> find(std::string_view key, const Type& type,
                                          std::string_view description);

  /// Enters a key's value: `read(const Value&)`. Returns whether the key is there.
  template <class Read>
  bool value(std::string_view key, std::string_view description, Read&& read);
  /// The same for a key that must be there.
  template <class Read>
  bool require_value(std::string_view key, std::string_view description, Read&& read);
  /// Enters a map: `read(MapReader&)`.
  template <class Read>
  bool map(std::string_view key, std::string_view description, Read&& read,
           std::string_view definition = {});
  template <class Read>
  bool require_map(std::string_view key, std::string_view description, Read&& read,
                   std::string_view definition = {});

  bool is_dry() const { return whole_.is_dry(); }
  /// Whether the document has the key; does not count as reading it. False in a dry reading.
  bool has(std::string_view key) const;
  /// The map itself, for messages about it as a whole.
  const Value& whole() const { return whole_; }
  /// Reports a problem with one of the keys; `message` follows the path.
  void error_at(std::string_view key, std::string message) const;
  void warning_at(std::string_view key, std::string message) const;

  /// Takes the keys that were not read as read: they make no sense because of another mistake.
  void ignore_rest() { ignores_rest_ = true; }

  /// Reports every key that was not read, with the nearest one that was. Called for you by
  /// Value::map() and read().
  void finish();

 private:
  void read_origin();
  /// Notes a key as known; its node, or null if it is not there.
  const Node* take(std::string_view key);
  void missing(std::string_view key, std::string_view description) const;
  std::string path_of(std::string_view key) const;
  Place place_of(std::string_view key) const;
  Declaration& declare(std::string_view key, std::string_view description, bool required);
  /// Calls `read` with the value of the key, declared and marked as read, if there is one.
  template <class Read>
  bool visit(std::string_view key, std::string_view description, bool required, Read&& read);

  Value whole_;
  Declaration* declaration_ = nullptr;
  const Node* node_ = nullptr;  // null: dry, or not a map
  std::vector<std::string> known_;
  bool ignores_rest_ = false;
};

/// Reads a whole document: `read(MapReader&)`, then reports the keys that it did not read.
template <class Read>
void read(Reading& reading, const Node& document, Read&& read_document) {
  Value(reading, document, {}).map(std::forward<Read>(read_document));
}

/// Whether the figures of a language may carry sources, as those of machine files do.
enum class Sources : std::uint8_t { kNone, kAllowed };

/// The schema of the language that `read_document(MapReader&)` reads, by a dry reading.
template <class Read>
Schema schema_of(std::string title, Read&& read_document, Sources sources = Sources::kNone) {
  Schema schema;
  schema.title = std::move(title);
  Diagnostics unused;
  Figures figures;
  Reading reading{unused, sources == Sources::kAllowed ? &figures : nullptr, &schema};
  Value(reading, schema.document, {}).map(std::forward<Read>(read_document));
  return schema;
}

}  // namespace hotline::input

#include "sim/input/reader_impl.hpp"
