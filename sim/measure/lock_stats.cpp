#include "sim/measure/lock_stats.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace hotline::measure {

using engine::Duration;

namespace {

double percent(double part, double whole) { return whole == 0 ? 0 : 100 * part / whole; }

std::string_view suffix(Side side) {
  switch (side) {
    case Side::kWriters:
      return "-W";
    case Side::kReaders:
      return "-R";
    default:
      return "";
  }
}

double as_double(std::uint64_t count) { return static_cast<double>(count); }

/// The entries of one lock summed up, and each site's own.
struct Group {
  LockEntry all;
  std::map<std::string, LockEntry> sites;
};

LockRow to_row(const LockEntry& entry, Window window) {
  const LockCounts& counts = entry.counts;
  LockRow row;
  row.lock = entry.lock + std::string(suffix(entry.side));
  row.site = entry.site;
  row.instances = entry.instances;
  row.utilisation =
      percent(counts.held.ns(),
              window.length.ns() * as_double(std::max<std::uint64_t>(entry.instances, 1)));
  row.contention = percent(as_double(counts.waited), as_double(counts.total));
  row.hold_mean = counts.hold.mean();
  row.hold_p50 = counts.hold.quantile(0.5);
  row.hold_p99 = counts.hold.quantile(0.99);
  row.hold_p999 = counts.hold.quantile(0.999);
  row.hold_max = counts.hold.max();
  row.wait_mean = counts.wait.mean();
  row.wait_p50 = counts.wait.quantile(0.5);
  row.wait_p99 = counts.wait.quantile(0.99);
  row.wait_p999 = counts.wait.quantile(0.999);
  row.wait_max = counts.wait.max();
  row.cpu_share = percent(counts.waiting.ns(), window.length.ns() * as_double(window.cpus));
  row.total = counts.total;
  row.nowait = counts.total - counts.waited;
  row.spin = counts.waited;
  row.repeated = counts.repeated;
  return row;
}

std::vector<Group> grouped(const std::vector<LockEntry>& entries) {
  std::map<std::pair<std::string, Side>, Group> by_lock;
  for (const LockEntry& entry : entries) {
    Group& group = by_lock[{entry.lock, entry.side}];
    group.all.lock = entry.lock;
    group.all.side = entry.side;
    group.all.site = "all";
    group.all.instances = std::max(group.all.instances, entry.instances);
    group.all.counts.add(entry.counts);
    const auto [site, is_new] = group.sites.try_emplace(entry.site, entry);
    if (!is_new) site->second.counts.add(entry.counts);
  }
  std::vector<Group> groups;
  groups.reserve(by_lock.size());
  for (auto& [name, group] : by_lock) groups.push_back(std::move(group));
  return groups;
}

/// The locks that were used; those that took most time on both sides, which stay together, first.
std::vector<Group> most_waited_first(const std::vector<LockEntry>& entries) {
  std::vector<Group> groups = grouped(entries);
  std::map<std::string, Duration> waiting;
  for (const Group& group : groups) waiting[group.all.lock] += group.all.counts.waiting;
  std::stable_sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) {
    return waiting[a.all.lock] > waiting[b.all.lock];
  });
  std::erase_if(groups, [](const Group& group) {
    return group.all.counts.total == 0 && group.all.counts.held == Duration();
  });
  return groups;
}

}  // namespace

void LockCounts::add(const LockCounts& other) {
  total += other.total;
  waited += other.waited;
  repeated += other.repeated;
  acq_bounces += other.acq_bounces;
  con_bounces += other.con_bounces;
  kept_out += other.kept_out;
  wait.merge(other.wait);
  hold.merge(other.hold);
  waiting += other.waiting;
  held += other.held;
}

void Contention::add(const Contention& other) {
  count += other.count;
  total += other.total;
  max = std::max(max, other.max);
}

std::vector<LockRow> lock_rows(const std::vector<LockEntry>& entries, Window window) {
  std::vector<LockRow> rows;
  for (const Group& group : most_waited_first(entries)) {
    rows.push_back(to_row(group.all, window));
    if (group.sites.size() == 1) {
      rows.back().site = group.sites.begin()->first;
      continue;
    }
    for (const auto& [name, entry] : group.sites) rows.push_back(to_row(entry, window));
  }
  return rows;
}

std::vector<WaitRow> wait_rows(const std::vector<LockEntry>& entries) {
  std::vector<WaitRow> rows;
  for (const Group& group : most_waited_first(entries)) {
    const std::string lock = group.all.lock + std::string(suffix(group.all.side));
    for (const Histogram::Bucket& bucket : group.all.counts.wait.quarter_octaves()) {
      rows.push_back({lock, bucket.from, bucket.to, bucket.count});
    }
  }
  return rows;
}

}  // namespace hotline::measure
