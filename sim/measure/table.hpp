#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/engine/time.hpp"
#include "sim/measure/interval.hpp"

/// Statistics are plain structs that list their fields once, in a static `visit`; the tables that
/// text, CSV and JSON are printed from are made from that list.
namespace hotline::measure {

/// What a field counts.
enum class Unit : std::uint8_t { kText, kCount, kNanoseconds, kPercent, kRatio, kPerSecond };

/// "text", "count", "ns", "%", "ratio", "1/s".
[[nodiscard]] std::string_view unit_name(Unit unit);

/// A field as its struct declares it.
struct Field {
  std::string_view name;
  Unit unit = Unit::kText;
  std::string_view description;
};

/// One value, or none; a duration keeps its picoseconds and is printed in nanoseconds.
using Value = std::variant<std::monostate, std::string, std::uint64_t, double, engine::Duration>;

/// Rows of one kind, ready to be printed in any format.
struct Table {
  std::string name;
  std::string_view description;
  std::vector<Field> fields;
  std::vector<std::vector<Value>> rows;
};

namespace detail {

inline Value to_value(const std::string& text) { return text; }
inline Value to_value(std::string_view text) { return std::string(text); }
inline Value to_value(double number) { return number; }
inline Value to_value(engine::Duration duration) { return duration; }
inline Value to_value(std::optional<double> number) { return number ? Value(*number) : Value(); }
template <std::unsigned_integral Count>
Value to_value(Count count) {
  return static_cast<std::uint64_t>(count);
}

}  // namespace detail

/// The fields of Row in the order of its `visit`.
template <class Row>
[[nodiscard]] std::vector<Field> fields_of() {
  std::vector<Field> fields;
  Row::visit([&](std::string_view name, Unit unit, std::string_view description, auto /*member*/) {
    fields.push_back({name, unit, description});
  });
  return fields;
}

/// The values of one row, in the same order. A member may be data or a function without arguments.
template <class Row>
[[nodiscard]] std::vector<Value> values_of(const Row& row) {
  std::vector<Value> values;
  Row::visit([&](std::string_view, Unit, std::string_view, auto member) {
    values.push_back(detail::to_value(std::invoke(member, row)));
  });
  return values;
}

/// A table of all rows.
template <class Row>
[[nodiscard]] Table tabulate(std::string name, std::string_view description,
                             std::span<const Row> rows) {
  Table table{std::move(name), description, fields_of<Row>(), {}};
  for (const Row& row : rows) table.rows.push_back(values_of(row));
  return table;
}

}  // namespace hotline::measure
