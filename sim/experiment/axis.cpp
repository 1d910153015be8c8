#include "sim/experiment/axis.hpp"

#include <algorithm>

#include "sim/input/quantity.hpp"

namespace hotline::experiment {

namespace {

constexpr std::size_t kMostValues = 100'000;

[[noreturn]] void fail(std::string_view origin, std::string_view axis, const std::string& message) {
  input::Diagnostics diagnostics;
  diagnostics.error({std::string(origin), {}, std::string(axis)}, message);
  throw input::InputError(std::move(diagnostics));
}

/// Cuts at commas that stand in no brackets, braces or quotes.
std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth <= 0) {
      parts.emplace_back();
      continue;
    }
    parts.back() += c;
  }
  return parts;
}

/// `first..last`, with or without `:step`.
struct Range {
  std::string first, last, step;
};

std::optional<Range> split_range(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos || text.find_first_of("\"'[{") != std::string::npos) {
    return std::nullopt;
  }
  Range range{text.substr(0, dots), text.substr(dots + 2), ""};
  const std::size_t colon = range.last.find(':');
  if (colon != std::string::npos) {
    range.step = range.last.substr(colon + 1);
    range.last.erase(colon);
  }
  return range;
}

/// Whole numbers, or durations in picoseconds.
struct Scale {
  bool durations = false;

  [[nodiscard]] std::optional<std::uint64_t> read(const std::string& text) const {
    if (!durations) return input::parse_unsigned(text).value;
    const auto found = input::parse_duration(text);
    return found.value ? std::optional(found.value->ps()) : std::nullopt;
  }
  [[nodiscard]] std::string write(std::uint64_t value) const {
    return durations ? input::to_text(engine::Duration::from_ps(value)) : std::to_string(value);
  }
};

class RangeReader {
 public:
  RangeReader(std::string_view origin, Axis& axis, const std::string& text)
      : origin_(origin), axis_(axis), text_(text) {}

  void read(const Range& range) {
    const Scale scale{!input::parse_unsigned(range.first).value};
    const auto first = scale.read(range.first);
    const auto last = scale.read(range.last);
    if (!first || !last) {
      refuse("is no range; write whole numbers or durations, as in 1..16 or 10ns..80ns:log");
    }
    if (*last < *first) refuse("runs backwards");
    if (range.step == "log") {
      if (*first == 0) refuse("cannot double from 0");
      axis_.doubles = true;
      fill(scale, *first, *last, [](std::uint64_t at) { return at; });
      return;
    }
    if (range.step.empty() && scale.durations) {
      refuse("needs a step, as in 10ns..50ns:5ns, or :log to double");
    }
    const auto step = range.step.empty() ? std::optional<std::uint64_t>(1) : scale.read(range.step);
    if (!step || *step == 0) {
      refuse("has the step \"" + range.step + "\"; write log or a " +
             (scale.durations ? "duration" : "whole number") + " above 0");
    }
    fill(scale, *first, *last, [&](std::uint64_t) { return *step; });
  }

 private:
  /// Adds first, first + step(first), ... and last.
  template <class Step>
  void fill(const Scale& scale, std::uint64_t first, std::uint64_t last, Step step) {
    std::uint64_t at = first;
    while (at < last) {
      axis_.values.push_back(scale.write(at));
      if (axis_.values.size() > kMostValues) refuse("has too many values");
      const std::uint64_t by = step(at);
      if (by >= last - at) break;
      at += by;
    }
    axis_.values.push_back(scale.write(last));
  }

  [[noreturn]] void refuse(const std::string& why) const {
    fail(origin_, axis_.name, "\"" + text_ + "\" " + why);
  }

  std::string_view origin_;
  Axis& axis_;
  const std::string& text_;
};

}  // namespace

workload::Change Axis::change(std::size_t value, std::string_view origin) const {
  return workload::parse_change(name + "=" + values[value], origin);
}

Axis parse_axis(std::string_view text, std::string_view origin) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    fail(origin, "", "\"" + std::string(text) + "\" is no change; write path=value");
  }
  Axis axis;
  axis.name = text.substr(0, equals);
  for (const std::string& part : split_list(text.substr(equals + 1))) {
    const auto range = split_range(part);
    if (range) {
      RangeReader(origin, axis, part).read(*range);
    } else {
      axis.values.push_back(part);
    }
  }
  std::vector<std::string> sorted = axis.values;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) fail(origin, axis.name, "\"" + *twice + "\" stands there twice");
  return axis;
}

std::optional<double> number_of(const std::string& value) {
  if (const auto number = input::parse_decimal(value); number.value) return number.value;
  if (const auto time = input::parse_duration(value); time.value) return time.value->ns();
  if (const auto share = input::parse_share(value); share.value) return share.value->of_one;
  if (const auto size = input::parse_bytes(value); size.value) {
    return static_cast<double>(size.value->bytes);
  }
  return std::nullopt;
}

}  // namespace hotline::experiment
