#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/engine/time.hpp"

/// Numbers and quantities as people write them. Every parser takes the whole text or nothing:
/// decimal digits, at most one point, no exponent, no sign but `-` for integers, and a unit where
/// one belongs.
namespace hotline::input {

using engine::Duration;

/// Thousandths of a clock cycle.
struct CycleCount {
  std::uint64_t milli = 0;
  friend constexpr auto operator<=>(CycleCount, CycleCount) = default;
};

/// A fixed time plus cycles of whoever pays it: `5ns`, `18cyc`, `5ns+3cyc`.
struct TimeAndCycles {
  Duration time;
  CycleCount cycles;
  friend constexpr bool operator==(const TimeAndCycles&, const TimeAndCycles&) = default;
};

struct Frequency {
  std::uint64_t hertz = 0;
  friend constexpr auto operator<=>(Frequency, Frequency) = default;
};

struct ByteCount {
  std::uint64_t bytes = 0;
  friend constexpr auto operator<=>(ByteCount, ByteCount) = default;
};

/// A part of a whole: `12.5%` is 0.125.
struct Share {
  double of_one = 0;
  friend constexpr auto operator<=>(Share, Share) = default;
};

/// A value, or what is wrong with the text (a clause such as `has no unit; write ...`).
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string problem;
};

Parsed<std::int64_t> parse_integer(std::string_view text);
Parsed<std::uint64_t> parse_unsigned(std::string_view text);
Parsed<double> parse_decimal(std::string_view text);
/// `350ps`, `47ns`, `1.5us`, `4ms`, `2s`; to the nearest picosecond.
Parsed<Duration> parse_duration(std::string_view text);
/// `18cyc`; to the nearest thousandth.
Parsed<CycleCount> parse_cycles(std::string_view text);
/// A duration, cycles, or both joined by `+`.
Parsed<TimeAndCycles> parse_latency(std::string_view text);
/// `2.3GHz`, `2300MHz`, `100kHz`, `250Hz`.
Parsed<Frequency> parse_frequency(std::string_view text);
/// `64B`, `4KiB`, `8MiB`, `1GiB`.
Parsed<ByteCount> parse_bytes(std::string_view text);
/// `12.5%`.
Parsed<Share> parse_share(std::string_view text);

/// The shortest text that the parser of the same type reads back to the same value.
std::string to_text(Duration duration);
std::string to_text(CycleCount cycles);
std::string to_text(const TimeAndCycles& latency);
std::string to_text(Frequency frequency);
std::string to_text(ByteCount bytes);
std::string to_text(Share share);
std::string to_text(double number);

}  // namespace hotline::input
