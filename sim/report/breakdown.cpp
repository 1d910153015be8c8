#include "sim/report/breakdown.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sim/measure/breakdown.hpp"
#include "sim/report/format.hpp"

namespace hotline::report {

using engine::Duration;
using measure::Breakdown;
using measure::BreakdownEntry;
using measure::TimeKind;

namespace {

constexpr std::size_t kBarWidth = 50;

/// A stall's letter is the place of its source among the stalls: a, b, c from near to far.
std::vector<char> letters_of(const std::vector<TimeKind>& kinds) {
  std::vector<char> letters;
  char stall = 'a';
  for (const TimeKind& kind : kinds) {
    switch (kind.kind) {
      case TimeKind::Class::kWork:
        letters.push_back('W');
        break;
      case TimeKind::Class::kStall:
        letters.push_back(stall++);
        break;
      case TimeKind::Class::kSpinning:
        letters.push_back('S');
        break;
      case TimeKind::Class::kBlocked:
        letters.push_back('B');
        break;
      case TimeKind::Class::kScheduling:
        letters.push_back('R');
        break;
      default:
        letters.push_back('.');
    }
  }
  return letters;
}

std::string coloured(TimeKind::Class kind, const std::string& text, const Style& style) {
  switch (kind) {
    case TimeKind::Class::kWork:
      return style.good(text);
    case TimeKind::Class::kStall:
    case TimeKind::Class::kSpinning:
      return style.bad(text);
    default:
      return text;
  }
}

/// Whole characters by the method of largest remainders, so that the bar is as long as it should
/// be.
std::vector<std::size_t> widths_of(const std::vector<Duration>& times, std::size_t width) {
  const double whole = std::accumulate(times.begin(), times.end(), Duration()).ns();
  std::vector<std::size_t> widths(times.size());
  std::vector<std::pair<double, std::size_t>> left;
  std::size_t used = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double exact = whole == 0 ? 0 : times[i].ns() / whole * static_cast<double>(width);
    widths[i] = static_cast<std::size_t>(exact);
    used += widths[i];
    left.emplace_back(static_cast<double>(widths[i]) - exact, i);
  }
  std::stable_sort(left.begin(), left.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; whole != 0 && i < left.size() && used < width; ++i, ++used) {
    ++widths[left[i].second];
  }
  return widths;
}

std::string bar_text(const Breakdown& breakdown, const BreakdownEntry& entry, std::size_t width,
                     const Style& style) {
  const std::vector<char> letters = letters_of(breakdown.kinds);
  const std::vector<std::size_t> widths = widths_of(entry.times, width);
  std::string bar;
  std::size_t used = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (widths[i] > 0) {
      bar += coloured(breakdown.kinds[i].kind, std::string(widths[i], letters[i]), style);
    }
    used += widths[i];
  }
  return bar + std::string(kBarWidth - std::min(used, kBarWidth), ' ');
}

std::string legend(const Breakdown& breakdown, const BreakdownEntry& entry) {
  const std::vector<char> letters = letters_of(breakdown.kinds);
  std::string text;
  for (std::size_t i = 0; i < breakdown.kinds.size(); ++i) {
    const double share =
        entry.total() == Duration() ? 0 : 100 * entry.times[i].ns() / entry.total().ns();
    if (entry.times[i] == Duration()) continue;
    text += fmt::format("{}{} {} {}", text.empty() ? "" : "; ", letters[i], breakdown.kinds[i].name,
                        percent_text(share));
  }
  return wrap(text, 2);
}

}  // namespace

std::string breakdown_text(const experiment::Outcome& outcome, std::size_t most,
                           const Style& style) {
  const Breakdown breakdown = measure::breakdown_of(outcome.total);
  const Duration all = breakdown.all.total();
  std::string text = style.heading("Time of all threads (bars: 50 characters are all of it)") +
                     "\n|" + bar_text(breakdown, breakdown.all, kBarWidth, style) +
                     "| 100.0%  all\n" + legend(breakdown, breakdown.all);
  for (std::size_t i = 0; i < breakdown.functions.size() && i < most; ++i) {
    const BreakdownEntry& function = breakdown.functions[i];
    const double share = all == Duration() ? 0 : 100 * function.total().ns() / all.ns();
    const auto width =
        static_cast<std::size_t>(std::lround(share / 100 * static_cast<double>(kBarWidth)));
    text += cut(fmt::format("|{}| {:>6}  {}", bar_text(breakdown, function, width, style),
                            percent_text(share), function.name),
                style.colours ? std::string::npos : kPageWidth) +
            "\n";
  }
  return text;
}

std::string breakdown_text(const std::vector<experiment::Outcome>& outcomes, const Style& style) {
  std::string text;
  for (const experiment::Outcome& outcome : outcomes) {
    const Breakdown breakdown = measure::breakdown_of(outcome.total);
    text +=
        fmt::format("|{}| {} at {} threads\n", bar_text(breakdown, breakdown.all, kBarWidth, style),
                    outcome.variant, outcome.threads) +
        legend(breakdown, breakdown.all);
  }
  return text;
}

}  // namespace hotline::report
