#include "sim/measure/breakdown.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace hotline::measure {

using engine::Duration;
using os::Account;

namespace {

using Class = TimeKind::Class;

/// Work, stalls without a source known, one kind a source, spinning, blocked, scheduling, idle.
std::vector<TimeKind> kinds_of(const Measurement& measurement) {
  std::vector<TimeKind> kinds{{"work", Class::kWork},
                              {"store buffer, upgrades and far atomics", Class::kStall},
                              {"line from the domain's cache", Class::kStall},
                              {"line from memory", Class::kStall}};
  for (const std::string& distance : measurement.distances) {
    kinds.push_back({"line from " + distance, Class::kStall});
  }
  kinds.push_back({"spinning", Class::kSpinning});
  kinds.push_back({"blocked", Class::kBlocked});
  kinds.push_back({"scheduling", Class::kScheduling});
  kinds.push_back({"idle", Class::kIdle});
  return kinds;
}

Duration of(const StackEntry& entry, Account account) {
  return entry.accounts[static_cast<std::size_t>(account)];
}

/// The times of one stack, in the order of kinds_of().
std::vector<Duration> times_of(const StackEntry& entry, std::size_t distances) {
  std::vector<Duration> times{of(entry, Account::kWork)};
  std::vector<Duration> stalls = entry.stalls;
  stalls.resize(os::kFirstDistance + distances);
  const Duration known = std::accumulate(stalls.begin(), stalls.end(), Duration());
  // What was under way at an end of the window has no source yet.
  stalls.front() += of(entry, Account::kLineStall) - known;
  times.insert(times.end(), stalls.begin(), stalls.end());
  for (const Account account :
       {Account::kLockWait, Account::kLockSleep, Account::kScheduling, Account::kOther}) {
    times.push_back(of(entry, account));
  }
  return times;
}

void add_to(std::vector<Duration>& sum, const std::vector<Duration>& times) {
  if (sum.empty()) sum.resize(times.size());
  for (std::size_t i = 0; i < times.size(); ++i) sum[i] += times[i];
}

std::string name_of(const StackEntry& entry) {
  return entry.frames.size() == 1 ? "(" + entry.frames.front() + "'s own steps)"
                                  : entry.frames.back();
}

/// Leaves out the kinds that took no time at all.
void drop_empty(Breakdown& breakdown) {
  for (std::size_t i = breakdown.kinds.size(); i-- > 0;) {
    if (breakdown.all.times[i] != Duration()) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    breakdown.kinds.erase(breakdown.kinds.begin() + at);
    breakdown.all.times.erase(breakdown.all.times.begin() + at);
    for (BreakdownEntry& entry : breakdown.functions) entry.times.erase(entry.times.begin() + at);
  }
}

}  // namespace

Duration BreakdownEntry::total() const {
  return std::accumulate(times.begin(), times.end(), Duration());
}

Breakdown breakdown_of(const Measurement& measurement) {
  Breakdown result;
  result.kinds = kinds_of(measurement);
  result.all.name = "all";
  result.all.times.resize(result.kinds.size());
  std::map<std::string, BreakdownEntry> functions;
  for (const StackEntry& stack : measurement.stacks) {
    const std::vector<Duration> times = times_of(stack, measurement.distances.size());
    add_to(result.all.times, times);
    BreakdownEntry& function = functions[name_of(stack)];
    function.name = name_of(stack);
    add_to(function.times, times);
  }
  for (auto& [name, entry] : functions) result.functions.push_back(std::move(entry));
  std::stable_sort(
      result.functions.begin(), result.functions.end(),
      [](const BreakdownEntry& a, const BreakdownEntry& b) { return a.total() > b.total(); });
  drop_empty(result);
  return result;
}

}  // namespace hotline::measure
