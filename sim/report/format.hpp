#pragma once

#include <cstdint>
#include <string>

#include "sim/engine/time.hpp"
#include "sim/measure/interval.hpp"
#include "sim/measure/table.hpp"

/// Numbers as people read them; the machine-readable formats use exact_text.
namespace hotline::report {

/// "47 ns" as "47ns", "2.9us", "146us", "4.0ms": three digits and the unit.
[[nodiscard]] std::string duration_text(engine::Duration duration);

/// "20.7%"; "0%" for exactly nothing.
[[nodiscard]] std::string percent_text(double percent);

/// "1.234 M", "987.6 k", "12.0": four digits and a prefix.
[[nodiscard]] std::string si_text(double number);

/// "12,345,678".
[[nodiscard]] std::string count_text(std::uint64_t count);

/// "1.234 M +- 0.5%": the mean and half the interval's width relative to it, where there is one.
[[nodiscard]] std::string rate_text(const measure::Interval& rate);

/// A value to twelve significant digits and no further, so that compilers do not differ; durations
/// in nanoseconds, to the picosecond.
[[nodiscard]] std::string exact_text(const measure::Value& value);

/// A list of dotted names with common beginnings said once: "ns.a, ns.b" as "ns.{a, b}".
[[nodiscard]] std::string compact_names(const std::string& names);

/// `text` cut to `width` characters, the last three of them dots if it was longer.
[[nodiscard]] std::string cut(const std::string& text, std::size_t width);

}  // namespace hotline::report
