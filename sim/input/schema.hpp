#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hotline::input {

struct Property;

/// What a value may be, as the reader that reads it declares it; becomes a part of a JSON Schema.
struct Declaration {
  enum class Kind : std::uint8_t {
    kAnything,
    kText,
    kBoolean,
    kInteger,
    kNumber,
    kList,
    kMap,
    kReference,  ///< `reference` names a definition
    kOneOf,      ///< one of `alternatives`
  };

  Kind kind = Kind::kAnything;
  std::string description;
  std::string pattern;               ///< text: an ECMA regular expression
  std::vector<std::string> choices;  ///< text: the spellings allowed
  std::optional<double> least;       ///< numbers: bounds; lists and maps: fewest entries
  std::optional<double> most;
  std::string fallback;  ///< the default as YAML would spell it; empty: none
  std::string reference;
  std::vector<Property> properties;  ///< maps: the keys known
  std::vector<Declaration> entries;  ///< lists, maps with free keys: what an entry may be (0, 1)
  std::vector<Declaration> alternatives;

  /// Adds another form that the value may have; the first one makes up the whole declaration.
  void allow(Declaration form);
};

/// A key of a map.
struct Property {
  std::string key;
  bool required = false;
  Declaration value;
};

/// A whole schema: the document, and the definitions that its references name.
struct Schema {
  std::string title;
  Declaration document;
  std::map<std::string, Declaration, std::less<>> definitions;
};

/// The schema as JSON (draft 2020-12), indented by two spaces.
std::string to_json(const Schema& schema);

}  // namespace hotline::input
