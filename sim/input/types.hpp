#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/input/quantity.hpp"
#include "sim/input/reader.hpp"

/// The scalar types that Value::as() and MapReader read. Each is an object with
///   using type          what is read,
///   read(const Value&)  the value, or nothing and a message,
///   declare()           its part of the schema,
///   print(value)        the value as YAML spells it,
///   is_figure()         whether it is a figure of a machine, which may carry a source.
/// Other layers may add their own.
namespace hotline::input {

/// Any text that is not empty.
struct Text {
  using type = std::string;
  std::optional<std::string> read(const Value& value) const;
  Declaration declare() const;
  std::string print(const std::string& text) const { return text; }
  bool is_figure() const { return false; }
};

/// `true` or `false`.
struct Boolean {
  using type = bool;
  std::optional<bool> read(const Value& value) const;
  Declaration declare() const;
  std::string print(bool value) const { return value ? "true" : "false"; }
  bool is_figure() const { return false; }
};

/// A whole number from `least` to `most`.
template <class T>
struct Integer {
  using type = T;
  T least = std::numeric_limits<T>::min();
  T most = std::numeric_limits<T>::max();
  bool figure = false;

  std::optional<T> read(const Value& value) const;
  Declaration declare() const;
  std::string print(T number) const { return std::to_string(number); }
  bool is_figure() const { return figure; }
};

/// A number with or without a point from `least` to `most`.
struct Decimal {
  using type = double;
  double least = std::numeric_limits<double>::lowest();
  double most = std::numeric_limits<double>::max();
  bool figure = false;

  std::optional<double> read(const Value& value) const;
  Declaration declare() const;
  std::string print(double number) const { return to_text(number); }
  bool is_figure() const { return figure; }
};

/// A number with a unit; T is one of the types of quantity.hpp.
template <class T>
struct Quantity {
  using type = T;
  std::optional<T> least;
  std::optional<T> most;
  bool figure = true;

  std::optional<T> read(const Value& value) const;
  Declaration declare() const;
  std::string print(const T& quantity) const { return to_text(quantity); }
  bool is_figure() const { return figure; }
};

/// One of several spellings, each with its meaning.
template <class T>
struct Choice {
  using type = T;
  std::vector<std::pair<std::string, T>> spellings;

  std::optional<T> read(const Value& value) const;
  Declaration declare() const;
  std::string print(const T& meaning) const;
  bool is_figure() const { return false; }
};

inline Text text() { return {}; }
inline Boolean boolean() { return {}; }

template <class T>
Integer<T> integer(T least = std::numeric_limits<T>::min(),
                   T most = std::numeric_limits<T>::max()) {
  return {least, most, false};
}
/// A count that a machine file must give a source for.
template <class T>
Integer<T> count(T least, T most) {
  return {least, most, true};
}
inline Decimal decimal(double least = std::numeric_limits<double>::lowest(),
                       double most = std::numeric_limits<double>::max()) {
  return {least, most, false};
}
inline Quantity<Duration> duration(std::optional<Duration> least = {},
                                   std::optional<Duration> most = {}) {
  return {least, most, true};
}
inline Quantity<CycleCount> cycles() { return {}; }
inline Quantity<TimeAndCycles> latency() { return {}; }
inline Quantity<Frequency> frequency(std::optional<Frequency> least = {},
                                     std::optional<Frequency> most = {}) {
  return {least, most, true};
}
inline Quantity<ByteCount> bytes(std::optional<ByteCount> least = {},
                                 std::optional<ByteCount> most = {}) {
  return {least, most, true};
}
inline Quantity<Share> share_of(std::optional<Share> least = {}, std::optional<Share> most = {}) {
  return {least, most, true};
}
template <class T>
Choice<T> choice(std::initializer_list<std::pair<std::string, T>> spellings) {
  return {spellings};
}

namespace detail {

/// The text of a scalar; nothing (and a message that names `expected`) if it is not one.
std::optional<std::string_view> scalar(const Value& value, std::string_view expected);
/// Reports `"found" problem`.
void reject(const Value& value, const std::string& problem);
std::optional<std::int64_t> read_signed(const Value& value, std::int64_t least, std::int64_t most);
std::optional<std::uint64_t> read_unsigned(const Value& value, std::uint64_t least,
                                           std::uint64_t most);
/// The index of the spelling chosen.
std::optional<std::size_t> read_choice(const Value& value,
                                       const std::vector<std::string>& spellings);
std::string out_of_bounds(bool too_small, const std::string& bound);

/// Parser, example for messages and schema pattern of each kind of quantity.
template <class T>
struct QuantityTraits;
template <>
struct QuantityTraits<Duration> {
  static constexpr auto kParse = parse_duration;
  static constexpr std::string_view kExpected = "a duration such as 47ns or 1.5us";
  static constexpr std::string_view kPattern = "^[0-9]+(\\.[0-9]+)?(ps|ns|us|ms|s)$";
};
template <>
struct QuantityTraits<CycleCount> {
  static constexpr auto kParse = parse_cycles;
  static constexpr std::string_view kExpected = "clock cycles such as 18cyc";
  static constexpr std::string_view kPattern = "^[0-9]+(\\.[0-9]+)?cyc$";
};
template <>
struct QuantityTraits<TimeAndCycles> {
  static constexpr auto kParse = parse_latency;
  static constexpr std::string_view kExpected = "a latency such as 5ns, 18cyc or 5ns+3cyc";
  static constexpr std::string_view kPattern =
      "^[0-9]+(\\.[0-9]+)?((ps|ns|us|ms|s)(\\+[0-9]+(\\.[0-9]+)?cyc)?|cyc)$";
};
template <>
struct QuantityTraits<Frequency> {
  static constexpr auto kParse = parse_frequency;
  static constexpr std::string_view kExpected = "a frequency such as 2.3GHz";
  static constexpr std::string_view kPattern = "^[0-9]+(\\.[0-9]+)?(Hz|kHz|MHz|GHz)$";
};
template <>
struct QuantityTraits<ByteCount> {
  static constexpr auto kParse = parse_bytes;
  static constexpr std::string_view kExpected = "a size such as 64B or 4KiB";
  static constexpr std::string_view kPattern = "^[0-9]+(\\.[0-9]+)?(B|KiB|MiB|GiB)$";
};
template <>
struct QuantityTraits<Share> {
  static constexpr auto kParse = parse_share;
  static constexpr std::string_view kExpected = "a percentage such as 12.5%";
  static constexpr std::string_view kPattern = "^[0-9]+(\\.[0-9]+)?%$";
};

}  // namespace detail

template <class T>
std::optional<T> Integer<T>::read(const Value& value) const {
  if constexpr (std::numeric_limits<T>::is_signed) {
    const auto number = detail::read_signed(value, least, most);
    return number ? std::optional(static_cast<T>(*number)) : std::nullopt;
  } else {
    const auto number = detail::read_unsigned(value, least, most);
    return number ? std::optional(static_cast<T>(*number)) : std::nullopt;
  }
}

template <class T>
Declaration Integer<T>::declare() const {
  Declaration form;
  form.kind = Declaration::Kind::kInteger;
  if (least != std::numeric_limits<T>::min() || least == 0) form.least = static_cast<double>(least);
  if (most != std::numeric_limits<T>::max()) form.most = static_cast<double>(most);
  return form;
}

template <class T>
std::optional<T> Quantity<T>::read(const Value& value) const {
  using Traits = detail::QuantityTraits<T>;
  const auto found = detail::scalar(value, Traits::kExpected);
  if (!found) return std::nullopt;
  const Parsed<T> parsed = Traits::kParse(*found);
  if (!parsed.value) {
    detail::reject(value, parsed.problem);
    return std::nullopt;
  }
  if constexpr (requires(T a, T b) { a < b; }) {
    const bool too_small = least && *parsed.value < *least;
    const bool too_large = most && *most < *parsed.value;
    if (too_small || too_large) {
      detail::reject(value, detail::out_of_bounds(too_small, to_text(too_small ? *least : *most)));
      return std::nullopt;
    }
  }
  return parsed.value;
}

template <class T>
Declaration Quantity<T>::declare() const {
  Declaration form;
  form.kind = Declaration::Kind::kText;
  form.pattern = detail::QuantityTraits<T>::kPattern;
  return form;
}

template <class T>
std::optional<T> Choice<T>::read(const Value& value) const {
  const auto index = detail::read_choice(value, declare().choices);
  return index ? std::optional(spellings[*index].second) : std::nullopt;
}

template <class T>
Declaration Choice<T>::declare() const {
  Declaration form;
  form.kind = Declaration::Kind::kText;
  for (const auto& [spelling, meaning] : spellings) form.choices.push_back(spelling);
  return form;
}

template <class T>
std::string Choice<T>::print(const T& meaning) const {
  for (const auto& [spelling, known] : spellings) {
    if (known == meaning) return spelling;
  }
  return {};
}

}  // namespace hotline::input
