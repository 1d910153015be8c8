#pragma once

#include <optional>
#include <string>

#include "sim/input/types.hpp"
#include "sim/workload/expression.hpp"

namespace hotline::workload {

/// An expression as a scalar of a workload file: one of the types that input::MapReader reads.
struct Formula {
  using type = Expression;
  const Scope* scope = nullptr;
  std::optional<Unit> unit;  ///< what it must be; nothing: either

  std::optional<Expression> read(const input::Value& value) const;
  input::Declaration declare() const;
  std::string print(const Expression& expression) const;
  bool is_figure() const { return false; }
};

inline Formula number(const Scope& scope) { return {&scope, Unit::kNumber}; }
inline Formula time_span(const Scope& scope) { return {&scope, Unit::kDuration}; }
inline Formula any_value(const Scope& scope) { return {&scope, {}}; }

/// Parses part of a scalar, from `offset` on; reports what is wrong at its column.
std::optional<Expression> parse_formula(const input::Value& value, std::string_view text,
                                        std::size_t offset, const Formula& formula);

}  // namespace hotline::workload
