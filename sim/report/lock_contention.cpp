#include "sim/report/lock_contention.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/report/format.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

using engine::Duration;
using measure::Contention;
using measure::Measurement;
using measure::Side;

namespace {

struct Row {
  Contention waits;
  std::string key;   ///< the column before the last: type, number or address
  std::string name;  ///< the last
};

/// Two decimals in the greatest unit that the time fills.
std::string time_text(Duration time) {
  constexpr std::array<std::pair<double, std::string_view>, 3> kUnits{
      {{1e9, "s "}, {1e6, "ms"}, {1e3, "us"}}};
  for (const auto& [ns, unit] : kUnits) {
    if (time.ns() >= ns) return fmt::format("{:.2f} {}", time.ns() / ns, unit);
  }
  return fmt::format("{:.0f} ns", time.ns());
}

std::string type_of(const std::string& model, Side side) {
  if (side == Side::kReaders) return model + ":R";
  return side == Side::kWriters ? model + ":W" : model;
}

std::vector<Row> by_caller(const Measurement& measurement) {
  std::map<std::pair<std::string, std::string>, Contention> sums;
  for (const measure::LockEntry& entry : measurement.locks) {
    const measure::Histogram& wait = entry.counts.wait;
    sums[{type_of(entry.model, entry.side), entry.point}].add(
        {wait.count(), wait.sum(), wait.max()});
  }
  std::vector<Row> rows;
  rows.reserve(sums.size());
  for (const auto& [key, waits] : sums) rows.push_back({waits, key.first, key.second});
  return rows;
}

std::vector<Row> by_task(const Measurement& measurement) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < measurement.threads.size(); ++i) {
    rows.push_back({measurement.threads[i].waits, std::to_string(i), measurement.threads[i].name});
  }
  return rows;
}

std::vector<Row> by_lock(const Measurement& measurement) {
  std::vector<Row> rows;
  for (const measure::LockInstance& lock : measurement.lock_instances) {
    rows.push_back(
        {lock.waits, fmt::format("{:x}", lock.address), lock.name + " (" + lock.model + ")"});
  }
  return rows;
}

std::string table(std::vector<Row> rows, std::string_view key_title, std::string_view name_title) {
  std::erase_if(rows, [](const Row& row) { return row.waits.count == 0; });
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.waits.total > b.waits.total; });
  std::size_t width = 12;
  for (const Row& row : rows) width = std::max(width, row.key.size());
  const auto line = [&](std::string_view count, const std::array<std::string, 3>& times,
                        std::string_view key, std::string_view name) {
    const std::string text = fmt::format("{:>10} {:>12} {:>12} {:>12} {:>{}}   {}", count, times[0],
                                         times[1], times[2], key, width, name);
    return cut(text, kPageWidth) + "\n";
  };
  std::string text =
      line("contended", {"total wait", "max wait", "avg wait"}, key_title, name_title) + "\n";
  for (const Row& row : rows) {
    const Contention& waits = row.waits;
    text +=
        line(std::to_string(waits.count),
             {time_text(waits.total), time_text(waits.max), time_text(waits.total / waits.count)},
             row.key, row.name);
  }
  return text;
}

}  // namespace

std::string lock_contention_text(const Measurement& measurement, ContentionBy by) {
  switch (by) {
    case ContentionBy::kTask:
      return table(by_task(measurement), "pid", "comm");
    case ContentionBy::kLock:
      return table(by_lock(measurement), "address", "symbol");
    default:
      return table(by_caller(measurement), "type", "caller");
  }
}

}  // namespace hotline::report
