#include "sim/report/lock_table.hpp"

#include <fmt/format.h>

#include "sim/report/format.hpp"

namespace hotline::report {

namespace {

constexpr const char* kGroups = "SPINLOCKS        HOLD             WAIT";
constexpr const char* kTitles =
    " UTIL   CON     MEAN(  MAX )    MEAN(  MAX )(% CPU)      TOTAL NOWAIT   SPIN RJECT  NAME";

std::string name_of(const measure::LockRow& row, bool is_site) {
  if (is_site) return "  " + row.site;
  std::string name = row.lock;
  if (row.instances > 1) name += fmt::format(" x{}", row.instances);
  return name;
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return percent_text(whole == 0 ? 0
                                 : 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string line_of(const measure::LockRow& row, bool is_site) {
  const std::string line = fmt::format(
      "{:>5} {:>6} {:>7}({:>6}) {:>7}({:>6})({:>6}) {:>10} {:>6} {:>6} {:>5}  {}",
      percent_text(row.utilisation), percent_text(row.contention), duration_text(row.hold_mean),
      duration_text(row.hold_max), duration_text(row.wait_mean), duration_text(row.wait_max),
      percent_text(row.cpu_share), row.total, share(row.nowait, row.total),
      share(row.spin, row.total), share(row.repeated, row.total + row.repeated),
      name_of(row, is_site));
  return cut(line, kPageWidth) + "\n";
}

/// In five columns: "0.81%", "20.7%", "100%".
std::string narrow_percent(double percent) {
  if (percent == 0) return "0%";
  return fmt::format("{:.{}f}%", percent, percent < 9.995 ? 2 : percent < 99.95 ? 1 : 0);
}

std::string narrow_share(std::uint64_t part, std::uint64_t whole) {
  return narrow_percent(whole == 0 ? 0
                                   : 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string lockmeter_line(const measure::LockRow& row, bool is_site) {
  const std::string line = fmt::format(
      "{:>5} {:>5} {:>6}({:>6}) {:>6}({:>6})({:>5}) {:>9} {:>5} {:>5} {:>5}  {}",
      narrow_percent(row.utilisation), narrow_percent(row.contention), duration_text(row.hold_mean),
      duration_text(row.hold_max), duration_text(row.wait_mean), duration_text(row.wait_max),
      narrow_percent(row.cpu_share), row.total, narrow_share(row.nowait, row.total),
      narrow_share(row.spin, row.total), narrow_share(row.repeated, row.total + row.repeated),
      name_of(row, is_site));
  return cut(line, kPageWidth) + "\n";
}

}  // namespace

std::string lockmeter_text(const std::vector<measure::LockRow>& rows, const Style& style) {
  std::string text =
      style.heading("SPINLOCKS         HOLD            WAIT") + "\n" +
      style.heading(
          "UTIL  CON    MEAN(  MAX )   MEAN(  MAX )(% CPU)     TOTAL NOWAIT SPIN RJECT  NAME") +
      "\n\n";
  std::string previous;
  for (const measure::LockRow& row : rows) {
    text += lockmeter_line(row, row.lock == previous);
    previous = row.lock;
  }
  return text;
}

std::string lock_table(const std::vector<measure::LockRow>& rows, std::size_t most,
                       const Style& style) {
  if (rows.empty()) return "";
  std::string text = style.heading(kGroups) + "\n" + style.heading(kTitles) + "\n";
  std::size_t locks = 0;
  std::size_t hidden = 0;
  std::string previous;
  for (const measure::LockRow& row : rows) {
    const bool is_site = locks > 0 && row.lock == previous;
    if (!is_site) ++locks;
    previous = row.lock;
    if (locks > most) {
      hidden += is_site ? 0 : 1;
      continue;
    }
    text += line_of(row, is_site);
  }
  if (hidden > 0) text += fmt::format("({} locks with less waiting are not shown)\n", hidden);
  return text;
}

}  // namespace hotline::report
