#include "sim/input/quantity.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <span>
#include <system_error>

namespace hotline::input {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

/// A unit, its worth in the smallest one (a picosecond, a thousandth of a cycle, ...).
struct Unit {
  std::string_view name;
  std::uint64_t worth;
};

constexpr std::array kTime = {Unit{"ps", 1}, Unit{"ns", 1000}, Unit{"us", 1'000'000},
                              Unit{"ms", 1'000'000'000}, Unit{"s", 1'000'000'000'000}};
constexpr std::array kCycles = {Unit{"cyc", 1000}};
constexpr std::array kFrequency = {Unit{"Hz", 1}, Unit{"kHz", 1000}, Unit{"MHz", 1'000'000},
                                   Unit{"GHz", 1'000'000'000}};
constexpr std::array kBytes = {Unit{"B", 1}, Unit{"KiB", 1U << 10U}, Unit{"MiB", 1U << 20U},
                               Unit{"GiB", 1U << 30U}};
// A millionth of a per cent, so that 0.000001% is the finest share.
constexpr std::array kShare = {Unit{"%", 1'000'000}};

/// A kind of quantity: its units and how a bare number would be written, `{}` being the number.
struct Quantity {
  std::span<const Unit> units;
  std::string_view first_example;
  std::string_view second_example;
};

constexpr Quantity kDurationQuantity{kTime, "ns", "us"};
constexpr Quantity kCyclesQuantity{kCycles, "cyc", ""};
constexpr Quantity kLatencyQuantity{kTime, "ns", "cyc"};
constexpr Quantity kFrequencyQuantity{kFrequency, "GHz", "MHz"};
constexpr Quantity kBytesQuantity{kBytes, "B", "KiB"};
constexpr Quantity kShareQuantity{kShare, "%", ""};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The length of the number at the start of the text: digits, and a point between digits.
std::size_t number_length(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == 0 || end + 1 >= text.size() || text[end] != '.' || !is_digit(text[end + 1]))
    return end;
  ++end;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end;
}

// Wide enough for a fraction's digits times any unit's worth.
__extension__ using Wide = unsigned __int128;

/// The part after the point, in the smallest unit, to the nearest.
std::uint64_t scale_fraction(std::string_view digits, std::uint64_t worth) {
  std::uint64_t part = 0;
  std::uint64_t denominator = 1;
  for (const char c : digits) {
    if (denominator > worth) break;  // what follows is far below half a unit
    denominator *= 10;
    part = part * 10 + static_cast<std::uint64_t>(c - '0');
  }
  const Wide doubled = Wide{part} * worth * 2 + denominator;
  return static_cast<std::uint64_t>(doubled / (Wide{denominator} * 2));
}

/// number * worth, to the nearest; nothing if it does not fit.
std::optional<std::uint64_t> scale(std::string_view number, std::uint64_t worth) {
  const std::size_t point = number.find('.');
  std::uint64_t sum = 0;
  for (const char c : number.substr(0, point)) {
    const std::uint64_t add = static_cast<std::uint64_t>(c - '0') * worth;
    if (sum > (kMost - add) / 10) return std::nullopt;
    sum = sum * 10 + add;
  }
  if (point == std::string_view::npos) return sum;
  const std::uint64_t add = scale_fraction(number.substr(point + 1), worth);
  if (sum > kMost - add) return std::nullopt;
  return sum + add;
}

std::string unit_names(const Quantity& quantity) {
  std::string names;
  for (const Unit& unit : quantity.units) {
    names += (names.empty() ? "" : ", ") + std::string(unit.name);
  }
  return names;
}

std::string how_to_write(std::string_view number, const Quantity& quantity) {
  std::string text = "write " + std::string(number) + std::string(quantity.first_example);
  if (!quantity.second_example.empty()) {
    text += " or " + std::string(number) + std::string(quantity.second_example);
  }
  return text;
}

std::string unknown_unit(std::string_view unit, std::string_view number, const Quantity& quantity) {
  if (unit.empty()) return "has no unit; " + how_to_write(number, quantity);
  std::string text = "has the unknown unit \"" + std::string(unit) + "\"; expected ";
  text += (quantity.units.size() > 1 ? "one of " : "") + unit_names(quantity);
  return text;
}

/// Reads `number unit` in the smallest unit.
Parsed<std::uint64_t> parse_quantity(std::string_view text, const Quantity& quantity) {
  const std::size_t end = number_length(text);
  if (end == 0) {
    return {{}, "is not a number with a unit; " + how_to_write("12", quantity) + ", for example"};
  }
  const std::string_view number = text.substr(0, end);
  const std::string_view unit = text.substr(end);
  for (const Unit& known : quantity.units) {
    if (known.name != unit) continue;
    const auto value = scale(number, known.worth);
    if (!value) return {{}, "is too large"};
    return {value, {}};
  }
  return {{}, unknown_unit(unit, number, quantity)};
}

template <class T>
Parsed<T> parse_whole(std::string_view text, std::string_view what) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) return {{}, "is too large"};
  if (error != std::errc{} || end != text.data() + text.size()) {
    return {{}, "is not " + std::string(what)};
  }
  return {value, {}};
}

/// value in the largest unit that gives at most three digits after the point.
std::string in_largest_unit(std::uint64_t value, std::span<const Unit> units) {
  const Unit* best = &units.front();
  for (const Unit& unit : units) {
    const bool short_enough = value % unit.worth % ((unit.worth + 999) / 1000) == 0;
    if (value >= unit.worth && short_enough) best = &unit;
  }
  std::string text = std::to_string(value / best->worth);
  if (const std::uint64_t rest = value % best->worth; rest != 0) {
    // worth / 1000 divides rest by the choice above.
    std::string digits = std::to_string(rest / (best->worth / 1000));
    digits.insert(0, 3 - digits.size(), '0');
    while (digits.back() == '0') digits.pop_back();
    text += "." + digits;
  }
  return text + std::string(best->name);
}

}  // namespace

Parsed<std::int64_t> parse_integer(std::string_view text) {
  return parse_whole<std::int64_t>(text, "a whole number");
}

Parsed<std::uint64_t> parse_unsigned(std::string_view text) {
  return parse_whole<std::uint64_t>(text, "a whole number of at least 0");
}

Parsed<double> parse_decimal(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  const std::string_view digits = text.substr(negative ? 1 : 0);
  if (digits.empty() || number_length(digits) != digits.size()) {
    return {{}, "is not a decimal number"};
  }
  return parse_whole<double>(text, "a decimal number");
}

Parsed<Duration> parse_duration(std::string_view text) {
  const auto ps = parse_quantity(text, kDurationQuantity);
  if (!ps.value) return {{}, ps.problem};
  if (*ps.value > Duration::max().ps()) return {{}, "is longer than a run can be"};
  return {Duration::from_ps(*ps.value), {}};
}

Parsed<CycleCount> parse_cycles(std::string_view text) {
  const auto milli = parse_quantity(text, kCyclesQuantity);
  if (!milli.value) return {{}, milli.problem};
  return {CycleCount{*milli.value}, {}};
}

Parsed<TimeAndCycles> parse_latency(std::string_view text) {
  const std::size_t plus = text.find('+');
  if (plus != std::string_view::npos) {
    const auto time = parse_duration(text.substr(0, plus));
    if (!time.value) return {{}, "before \"+\": " + time.problem};
    const auto cycles = parse_cycles(text.substr(plus + 1));
    if (!cycles.value) return {{}, "after \"+\": " + cycles.problem};
    return {TimeAndCycles{*time.value, *cycles.value}, {}};
  }
  if (text.ends_with("cyc")) {
    const auto cycles = parse_cycles(text);
    if (!cycles.value) return {{}, cycles.problem};
    return {TimeAndCycles{{}, *cycles.value}, {}};
  }
  const auto ps = parse_quantity(text, kLatencyQuantity);
  if (!ps.value) {
    const bool unit_unknown = ps.problem.starts_with("has the unknown");
    return {{}, ps.problem + (unit_unknown ? ", cyc" : "")};
  }
  if (*ps.value > Duration::max().ps()) return {{}, "is longer than a run can be"};
  return {TimeAndCycles{Duration::from_ps(*ps.value), {}}, {}};
}

Parsed<Frequency> parse_frequency(std::string_view text) {
  const auto hertz = parse_quantity(text, kFrequencyQuantity);
  if (!hertz.value) return {{}, hertz.problem};
  return {Frequency{*hertz.value}, {}};
}

Parsed<ByteCount> parse_bytes(std::string_view text) {
  const auto bytes = parse_quantity(text, kBytesQuantity);
  if (!bytes.value) return {{}, bytes.problem};
  return {ByteCount{*bytes.value}, {}};
}

Parsed<Share> parse_share(std::string_view text) {
  const auto parts = parse_quantity(text, kShareQuantity);
  if (!parts.value) return {{}, parts.problem};
  return {Share{static_cast<double>(*parts.value) / 1e8}, {}};
}

std::string to_text(Duration duration) { return in_largest_unit(duration.ps(), kTime); }
std::string to_text(CycleCount cycles) { return in_largest_unit(cycles.milli, kCycles); }

std::string to_text(const TimeAndCycles& latency) {
  if (latency.cycles.milli == 0) return to_text(latency.time);
  if (latency.time == Duration{}) return to_text(latency.cycles);
  return to_text(latency.time) + "+" + to_text(latency.cycles);
}

std::string to_text(Frequency frequency) { return in_largest_unit(frequency.hertz, kFrequency); }

std::string to_text(ByteCount bytes) {
  const Unit* best = &kBytes.front();
  for (const Unit& unit : kBytes) {
    if (bytes.bytes >= unit.worth && bytes.bytes % unit.worth == 0) best = &unit;
  }
  return std::to_string(bytes.bytes / best->worth) + std::string(best->name);
}

std::string to_text(Share share) { return to_text(share.of_one * 100) + "%"; }

std::string to_text(double number) {
  std::array<char, 64> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                          std::chars_format::fixed, 6);
  if (error != std::errc{}) return "a number out of range";
  std::string text(buffer.data(), end);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace hotline::input
