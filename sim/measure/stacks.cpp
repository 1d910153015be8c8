#include "sim/measure/stacks.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace hotline::measure {

using os::TimeAccounts;

namespace {

/// What is known of one stack.
struct Times {
  TimeAccounts accounts{};
  std::vector<engine::Duration> stalls;
};

using Stacks = std::map<std::vector<std::string>, Times>;

void add_to(std::vector<engine::Duration>& sum, const std::vector<engine::Duration>& other) {
  if (other.size() > sum.size()) sum.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) sum[i] += other[i];
}

void add_to(TimeAccounts& sum, const TimeAccounts& other) {
  for (std::size_t account = 0; account < os::kAccounts; ++account) sum[account] += other[account];
}

bool is_nothing(const TimeAccounts& accounts) {
  return std::all_of(accounts.begin(), accounts.end(),
                     [](engine::Duration time) { return time == engine::Duration(); });
}

std::vector<std::string> frames_of(const workload::Run& run, const std::string& group,
                                   os::FunctionId function) {
  std::vector<std::string> frames;
  for (const os::FunctionId frame : run.calls_of(function)) {
    frames.push_back(run.functions()[frame.value]);
  }
  frames.insert(frames.begin(), group);
  return frames;
}

/// All the time of each group, of which the functions' is then taken away.
Stacks groups(workload::Run& run) {
  Stacks stacks;
  for (std::uint32_t i = 0; i < run.threads(); ++i) {
    const workload::ThreadId id{i};
    TimeAccounts own = run.accounts(id);
    for (std::size_t a = 0; a < os::kAccounts; ++a) own[a] -= run.accounts_at_start(id)[a];
    add_to(stacks[{run.group_of(id)}].accounts, own);
  }
  return stacks;
}

std::vector<StackEntry> in_order(const Stacks& stacks) {
  std::vector<StackEntry> entries;
  for (const auto& [frames, times] : stacks) {
    if (!is_nothing(times.accounts)) entries.push_back({frames, times.accounts, times.stalls});
  }
  return entries;
}

}  // namespace

engine::Duration StackEntry::self() const {
  return std::accumulate(accounts.begin(), accounts.end(), engine::Duration());
}

std::string StackEntry::folded() const {
  std::string text;
  for (const std::string& frame : frames) text += (text.empty() ? "" : ";") + frame;
  return text;
}

std::vector<StackEntry> read_stacks(workload::Run& run, const Recorder& recorder) {
  Stacks stacks = groups(run);
  for (const auto& [group, functions] : recorder.functions()) {
    TimeAccounts& outside = stacks[{group}].accounts;
    for (std::uint32_t i = 0; i < functions.size(); ++i) {
      add_to(stacks[frames_of(run, group, {i})].accounts, functions[i]);
      for (std::size_t a = 0; a < os::kAccounts; ++a) outside[a] -= functions[i][a];
    }
  }
  for (const auto& [group, functions] : recorder.stalls()) {
    if (!functions.empty()) add_to(stacks[{group}].stalls, functions.front());
    for (std::uint32_t i = 1; i < functions.size(); ++i) {
      add_to(stacks[frames_of(run, group, {i - 1})].stalls, functions[i]);
    }
  }
  return in_order(stacks);
}

void add_stacks(std::vector<StackEntry>& sum, const std::vector<StackEntry>& other) {
  Stacks stacks;
  for (const std::vector<StackEntry>* entries :
       {static_cast<const std::vector<StackEntry>*>(&sum), &other}) {
    for (const StackEntry& entry : *entries) {
      Times& times = stacks[entry.frames];
      add_to(times.accounts, entry.accounts);
      add_to(times.stalls, entry.stalls);
    }
  }
  sum = in_order(stacks);
}

}  // namespace hotline::measure
