#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// The one way this project reads YAML: documents with positions, quantities with units, typed
/// reads that declare what they read, and all problems of a file at once.
namespace hotline::input {

/// A place in a file, counted from 1; line 0 means that there is none (a command line, say).
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend constexpr auto operator<=>(Position, Position) = default;
};

struct Member;

/// One value of a document: a scalar's text, a list, or a map in the order of the file.
struct Node {
  enum class Kind : std::uint8_t { kNull, kScalar, kList, kMap };

  Kind kind = Kind::kNull;
  bool quoted = false;  ///< the scalar stood in quotes
  Position position;
  std::shared_ptr<const std::string> file;  ///< the name to print in messages
  std::string text;                         ///< scalars only
  std::vector<Node> items;                  ///< lists only
  std::vector<Member> members;              ///< maps only; keys are unique

  bool is_null() const { return kind == Kind::kNull; }
  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_map() const { return kind == Kind::kMap; }

  /// The value of a key of a map; null if there is none or this is no map.
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);

  /// What stands here, for messages: `"4"`, "a list", "a map", "nothing".
  std::string found() const;
};

/// A key and its value.
struct Member {
  std::string key;
  Position position;
  Node value;
};

/// A scalar that stands in no file, such as a command line's `--with sockets=64`; `origin` is
/// printed where a file's name would be.
Node make_scalar(std::string text, std::string_view origin);

/// Lays `over` upon `base`: maps key by key at every depth, anything else is replaced. Keys that
/// only `over` has come last.
Node merge(Node base, const Node& over);

}  // namespace hotline::input
