#include "sim/report/format.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace hotline::report {

using engine::Duration;

namespace {

/// Below ten one decimal, else none; what would be rounded to 1000 takes the next unit.
std::string scaled(double number, const std::array<std::string_view, 4>& units) {
  std::size_t unit = 0;
  while (number >= 999.5 && unit + 1 < units.size()) {
    number /= 1000;
    ++unit;
  }
  return number < 9.95 && number != 0 ? fmt::format("{:.1f}{}", number, units[unit])
                                      : fmt::format("{:.0f}{}", number, units[unit]);
}

/// Whole nanoseconds and up to three decimals, without trailing zeros.
std::string nanoseconds(Duration duration) {
  const std::uint64_t whole = duration.ps() / 1000;
  const std::uint64_t part = duration.ps() % 1000;
  if (part == 0) return fmt::format("{}", whole);
  std::string text = fmt::format("{}.{:03}", whole, part);
  while (text.back() == '0') text.pop_back();
  return text;
}

}  // namespace

std::string duration_text(Duration duration) {
  return scaled(duration.ns(), {"ns", "us", "ms", "s"});
}

std::string percent_text(double percent) {
  if (percent == 0) return "0%";
  if (percent < 0.05) return fmt::format("{:.2f}%", percent);
  if (percent >= 999.95) return fmt::format("{:.0f}%", percent);
  return fmt::format("{:.1f}%", percent);
}

std::string si_text(double number) {
  constexpr std::array<std::string_view, 5> kPrefixes{"", " k", " M", " G", " T"};
  std::size_t prefix = 0;
  while (std::abs(number) >= 999.95 && prefix + 1 < kPrefixes.size()) {
    number /= 1000;
    ++prefix;
  }
  const double size = std::abs(number);
  const int decimals = size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3;
  return fmt::format("{:.{}f}{}", number, decimals, kPrefixes[prefix]);
}

std::string count_text(std::uint64_t count) {
  std::string text = fmt::format("{}", count);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

std::string rate_text(const measure::Interval& rate) {
  std::string text = si_text(rate.mean);
  if (rate.has_bounds() && rate.mean != 0) {
    text += fmt::format(" +- {:.1f}%", 100 * rate.half_width() / rate.mean);
  }
  return text;
}

std::string exact_text(const measure::Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return "";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return fmt::format("{}", *count);
  if (const auto* duration = std::get_if<Duration>(&value)) return nanoseconds(*duration);
  return fmt::format("{:.12g}", std::get<double>(value));
}

std::string compact_names(const std::string& names) {
  // Beginnings in the order of their first name, each with its endings.
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(", ", begin), names.size());
    const std::string name = names.substr(begin, end - begin);
    const std::size_t dot = name.rfind('.');
    const std::string front = dot == std::string::npos ? "" : name.substr(0, dot + 1);
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const auto& group) { return group.first == front; });
    if (same == groups.end()) {
      groups.push_back({front, {name.substr(front.size())}});
    } else {
      same->second.push_back(name.substr(front.size()));
    }
    begin = end + 2;
  }
  std::string text;
  for (const auto& [front, endings] : groups) {
    if (!text.empty()) text += ", ";
    const bool braces = endings.size() > 1 && !front.empty();
    text += braces ? front + "{" : front;
    for (std::size_t i = 0; i < endings.size(); ++i) text += (i == 0 ? "" : ", ") + endings[i];
    if (braces) text += "}";
  }
  return text;
}

std::string cut(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  return width <= 3 ? text.substr(0, width) : text.substr(0, width - 3) + "...";
}

}  // namespace hotline::report
