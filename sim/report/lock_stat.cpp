#include "sim/report/lock_stat.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include <fmt/format.h>

namespace hotline::report {

using engine::Duration;
using measure::LockStatClass;
using measure::LockStatFile;
using measure::LockStatPoint;
using measure::LockStatTimes;
using measure::Side;

namespace {

constexpr std::size_t kNameWidth = 40;
constexpr std::size_t kNumberWidth = 14;
constexpr std::size_t kWidth = kNameWidth + measure::kLockStatColumns.size() * (kNumberWidth + 1);

/// FNV-1a of 32 bits (Fowler, Noll, Vo): the same on every host.
std::string address_of(const std::string& name) {
  std::uint32_t hash = 2166136261U;
  for (const char character : name) {
    hash = (hash ^ static_cast<unsigned char>(character)) * 16777619U;
  }
  return fmt::format("{:016x}", hash);
}

/// All that is known of one lock on one side, and where it was waited for and taken.
struct Group {
  measure::LockCounts counts;
  std::map<std::string, std::uint64_t> waiters;
  std::map<std::string, std::uint64_t> holders;
};

/// The sides of one lock, writers first.
using Sides = std::map<Side, Group>;

LockStatTimes times_of(const measure::Histogram& histogram) {
  return {histogram.min(), histogram.max(), histogram.sum(), histogram.mean()};
}

std::vector<LockStatPoint> points_of(const Sides& sides,
                                     std::map<std::string, std::uint64_t> Group::*list) {
  std::map<std::string, std::uint64_t> sum;
  for (const auto& [side, group] : sides) {
    for (const auto& [name, count] : group.*list) sum[name] += count;
  }
  std::vector<LockStatPoint> points;
  for (const auto& [name, count] : sum) {
    if (count > 0) points.push_back({count, address_of(name), name});
  }
  std::stable_sort(
      points.begin(), points.end(),
      [](const LockStatPoint& a, const LockStatPoint& b) { return a.count > b.count; });
  return points;
}

/// Writers have their side in the name only beside readers.
std::string name_of(const std::string& lock, Side side, const Sides& sides) {
  if (side == Side::kReaders) return lock + "-R";
  return side == Side::kWriters && sides.size() > 1 ? lock + "-W" : lock;
}

/// The rows of one lock; the contention points of both sides stand below the last.
std::vector<LockStatClass> classes_of(const std::string& lock, const Sides& sides) {
  std::vector<LockStatClass> rows;
  for (const auto& [side, group] : sides) {
    const measure::LockCounts& counts = group.counts;
    LockStatClass row;
    row.name = name_of(lock, side, sides);
    row.con_bounces = counts.con_bounces;
    row.contentions = counts.wait.count();
    row.wait = times_of(counts.wait);
    row.acq_bounces = counts.acq_bounces;
    row.acquisitions = counts.hold.count();
    row.hold = times_of(counts.hold);
    rows.push_back(std::move(row));
  }
  rows.back().waiters = points_of(sides, &Group::waiters);
  rows.back().holders = points_of(sides, &Group::holders);
  return rows;
}

std::uint64_t contentions(const std::vector<LockStatClass>& rows) {
  std::uint64_t sum = 0;
  for (const LockStatClass& row : rows) sum += row.contentions;
  return sum;
}

/// Microseconds to the nearest hundredth.
std::string time_text(Duration time) {
  const std::uint64_t hundredths = (time.ps() + 5'000) / 10'000;
  return fmt::format(" {:>14}", fmt::format("{}.{:02}", hundredths / 100, hundredths % 100));
}

std::string times_text(const LockStatTimes& times) {
  return time_text(times.min) + time_text(times.max) + time_text(times.total) +
         time_text(times.average);
}

std::string row_text(const LockStatClass& row) {
  return fmt::format("{:>40} {:>14} {:>14}", row.name + ":", row.con_bounces, row.contentions) +
         times_text(row.wait) + fmt::format(" {:>14} {:>14}", row.acq_bounces, row.acquisitions) +
         times_text(row.hold) + "\n";
}

std::string points_text(const std::string& name, const std::vector<LockStatPoint>& points) {
  std::string text = fmt::format("{:>40}\n", std::string(name.size(), '-'));
  for (const LockStatPoint& point : points) {
    text += fmt::format("{:>40} {:>14} {:>29} {}\n", name, point.count, "[<" + point.address + ">]",
                        point.symbol);
  }
  return text;
}

std::string titles() {
  std::string text = fmt::format("{:>40}", "class name");
  for (const std::string_view title : measure::kLockStatColumns) {
    text += fmt::format(" {:>14}", title);
  }
  return text + "\n";
}

}  // namespace

LockStatFile lock_stat_of(const measure::Measurement& measurement) {
  std::map<std::string, Sides> locks;
  for (const measure::LockEntry& entry : measurement.locks) {
    Group& group = locks[entry.lock][entry.side];
    group.counts.add(entry.counts);
    group.waiters[entry.point] += entry.counts.wait.count();
    group.holders[entry.point] += entry.counts.kept_out;
  }
  std::vector<std::vector<LockStatClass>> classes;
  classes.reserve(locks.size());
  for (const auto& [lock, sides] : locks) classes.push_back(classes_of(lock, sides));
  std::stable_sort(classes.begin(), classes.end(),
                   [](const auto& a, const auto& b) { return contentions(a) > contentions(b); });
  LockStatFile file;
  for (auto& rows : classes) {
    std::move(rows.begin(), rows.end(), std::back_inserter(file.classes));
  }
  return file;
}

std::string lock_stat_text(const LockStatFile& file) {
  const std::string rule = std::string(kWidth, '-') + "\n";
  std::string text = "lock_stat version " + file.version + "\n" + rule + titles() + rule;
  for (std::size_t i = 0; i < file.classes.size(); ++i) {
    const LockStatClass& row = file.classes[i];
    text += (i == 0 ? "\n" : "") + row_text(row);
    const bool goes_on =
        i + 1 < file.classes.size() && row.name.ends_with("-W") &&
        measure::without_side(file.classes[i + 1].name) == measure::without_side(row.name);
    if (goes_on) continue;
    const std::string name(measure::without_side(row.name));
    if (row.contentions > 0 || !row.waiters.empty()) {
      text += points_text(name, row.waiters) + points_text(name, row.holders);
    }
    text += "\n" + std::string(kWidth, '.') + "\n\n";
  }
  return text;
}

}  // namespace hotline::report
