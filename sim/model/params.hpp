#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/engine/time.hpp"

namespace hotline::model {

/// A parameter as a model declares it by reading it.
struct ParamSpec {
  std::string name;
  std::string type;         ///< "integer", "duration", "boolean", "choice"
  std::string fallback;     ///< the default, as YAML would spell it
  std::string bounds;       ///< "1 to 4096", "tight | pause", or empty
  std::string description;  ///< one line
};

using ParamValue = std::variant<std::int64_t, bool, engine::Duration, std::string>;
using ParamValues = std::map<std::string, ParamValue, std::less<>>;

/// A parameter that a model cannot take: the name, what was given, what is expected.
struct ParamProblem {
  std::string name;
  std::string message;
};

/// Hands a model its parameters. Reading one declares it: name, default, bounds, description; what
/// the user gave but no model read, or gave out of bounds, is kept in problems().
class ParamReader {
 public:
  ParamReader() = default;
  explicit ParamReader(ParamValues given) : given_(std::move(given)) {}

  std::int64_t integer(std::string_view name, std::int64_t fallback, std::int64_t least,
                       std::int64_t most, std::string_view description);
  engine::Duration duration(std::string_view name, engine::Duration fallback,
                            std::string_view description);
  bool boolean(std::string_view name, bool fallback, std::string_view description);
  /// The index of the chosen spelling.
  std::size_t choice(std::string_view name, std::size_t fallback,
                     const std::vector<std::string_view>& spellings, std::string_view description);

  /// What a model says to a place or a combination of parameters that it cannot work with; `name`
  /// is the parameter to point at, or "model".
  void reject(std::string_view name, std::string message);

  const std::vector<ParamSpec>& declared() const { return declared_; }
  /// Everything wrong with what was given, unknown names last; call after the model is built.
  std::vector<ParamProblem> problems() const;

 private:
  /// What was given under that name, or null; a value of another type becomes a problem.
  template <class T>
  const T* find(std::string_view name, std::string_view expected);

  ParamValues given_;
  std::vector<ParamSpec> declared_;
  std::vector<ParamProblem> problems_;
};

}  // namespace hotline::model
