#include "sim/measure/measurement.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace hotline::measure {

using engine::Duration;
using os::TimeAccounts;

namespace {

void add_to(TimeAccounts& sum, const TimeAccounts& other) {
  for (std::size_t account = 0; account < os::kAccounts; ++account) {
    sum[account] += other[account];
  }
}

void add_to(machine::WordStatistics& sum, const machine::WordStatistics& other) {
  sum.reads += other.reads;
  sum.writes += other.writes;
  sum.stalled += other.stalled;
}

void add_to(machine::LineStatistics& sum, const machine::LineStatistics& other) {
  if (sum.transfers.size() < other.transfers.size()) sum.transfers.resize(other.transfers.size());
  for (std::size_t i = 0; i < other.transfers.size(); ++i) sum.transfers[i] += other.transfers[i];
  sum.from_cache += other.from_cache;
  sum.from_memory += other.from_memory;
  sum.reads += other.reads;
  sum.ownerships += other.ownerships;
  sum.far_atomics += other.far_atomics;
  sum.invalidations += other.invalidations;
  sum.stalled += other.stalled;
  if (sum.words.size() < other.words.size()) sum.words.resize(other.words.size());
  for (std::size_t i = 0; i < other.words.size(); ++i) add_to(sum.words[i], other.words[i]);
}

void add_words(std::vector<WordEntry>& sum, const std::vector<WordEntry>& other) {
  for (const WordEntry& word : other) {
    const auto same = std::find_if(sum.begin(), sum.end(),
                                   [&](const WordEntry& entry) { return entry.name == word.name; });
    if (same == sum.end()) {
      sum.push_back(word);
    } else {
      add_to(same->statistics, word.statistics);
    }
  }
}

void add_to(LineEntry& sum, const LineEntry& other) {
  add_to(sum.statistics, other.statistics);
  add_words(sum.words, other.words);
  if (other.hottest_stalled > sum.hottest_stalled) {
    sum.hottest = other.hottest;
    sum.hottest_stalled = other.hottest_stalled;
  }
}

/// The names of the words in each eight bytes of a line that something happened to.
std::vector<WordEntry> words_of(const machine::LineStatistics& statistics,
                                const std::vector<const workload::WordName*>& names) {
  std::vector<WordEntry> words;
  for (std::size_t i = 0; i < statistics.words.size(); ++i) {
    const machine::WordStatistics& word = statistics.words[i];
    if (word.reads == 0 && word.writes == 0) continue;
    std::set<std::string> here;
    for (const workload::WordName* name : names) {
      if (name->word.offset / 8U == i) here.insert(without_instances(name->name));
    }
    std::string joined;
    for (const std::string& name : here) joined += (joined.empty() ? "" : ", ") + name;
    words.push_back({joined, word});
  }
  return words;
}

std::vector<LineEntry> read_lines(workload::Run& run) {
  std::map<machine::LineId, std::vector<const workload::WordName*>> names;
  for (const workload::WordName& word : run.words()) names[word.word.line].push_back(&word);
  std::map<std::string, LineEntry> by_name;
  const machine::Machine& machine = run.machine();
  for (std::uint32_t line = 0; line < machine.lines(); ++line) {
    const machine::LineStatistics* statistics = machine.statistics({line});
    if (statistics == nullptr) continue;
    std::string name = run.describe_line({line});
    if (name.empty()) name = std::string(machine.owner({line}).label);
    LineEntry entry{without_instances(name), 1,           name,
                    statistics->stalled,     *statistics, words_of(*statistics, names[{line}])};
    const auto [same, is_new] = by_name.try_emplace(entry.name, entry);
    if (is_new) continue;
    add_to(same->second, entry);
    ++same->second.lines;
  }
  std::vector<LineEntry> lines;
  lines.reserve(by_name.size());
  for (auto& [name, entry] : by_name) lines.push_back(std::move(entry));
  return lines;
}

Side side_of(const workload::LockInfo& lock, const workload::CallSite& site) {
  if (!lock.has_readers) return Side::kAll;
  return site.reads ? Side::kReaders : Side::kWriters;
}

std::vector<LockEntry> read_locks(const workload::Run& run, const Recorder& recorder) {
  std::map<std::string, std::uint64_t> instances;
  for (const workload::LockInfo& lock : run.locks()) ++instances[lock.group];
  std::map<std::tuple<std::string, Side, std::string, std::string>, LockEntry> by_name;
  for (const auto& [key, counts] : recorder.locks()) {
    const workload::LockInfo& lock = run.locks()[key.first.value];
    const workload::CallSite& site = run.call_sites()[key.second.value];
    const Side side = side_of(lock, site);
    const auto entry = by_name.try_emplace(
        {lock.group, side, site.name, site.point},
        LockEntry{lock.group, site.name, instances[lock.group], {}, side, lock.model, site.point});
    entry.first->second.counts.add(counts);
  }
  std::vector<LockEntry> locks;
  locks.reserve(by_name.size());
  for (auto& [name, entry] : by_name) locks.push_back(std::move(entry));
  return locks;
}

std::vector<LockInstance> read_instances(const workload::Run& run, const Recorder& recorder) {
  std::vector<LockInstance> instances;
  for (const auto& [key, counts] : recorder.locks()) {
    if (counts.waited == 0) continue;
    const workload::LockInfo& lock = run.locks()[key.first.value];
    if (instances.empty() || instances.back().name != lock.name) {
      instances.push_back({lock.name, lock.model, lock.address, {}});
    }
    instances.back().waits.add({counts.waited, counts.wait.sum(), counts.wait.max()});
  }
  return instances;
}

std::vector<ThreadEntry> read_threads(const workload::Run& run, const Recorder& recorder) {
  std::vector<ThreadEntry> threads;
  for (std::uint32_t i = 0; i < run.threads(); ++i) {
    const workload::ThreadId id{i};
    const os::Thread& thread = run.thread(id);
    ThreadEntry entry{thread.name(),
                      run.group_of(id),
                      thread.cpu().value,
                      thread.node().value,
                      run.works().empty() ? 0 : run.work(workload::WorkId{0}, id),
                      run.accounts(id),
                      recorder.waits_of(id)};
    const TimeAccounts& before = run.accounts_at_start(id);
    for (std::size_t a = 0; a < os::kAccounts; ++a) entry.accounts[a] -= before[a];
    threads.push_back(std::move(entry));
  }
  return threads;
}

/// Adds up two lists of things with names, by name; the result is in the order of `sum`.
template <class Entry, class Add>
void add_by_name(std::vector<Entry>& sum, const std::vector<Entry>& other, Add add) {
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < sum.size(); ++i) place.emplace(sum[i].name, i);
  for (const Entry& entry : other) {
    const auto found = place.find(entry.name);
    if (found == place.end()) {
      sum.push_back(entry);
    } else {
      add(sum[found->second], entry);
    }
  }
}

void add_function(FunctionEntry& sum, const FunctionEntry& other) {
  add_to(sum.accounts, other.accounts);
  sum.calls.merge(other.calls);
  add_by_name(sum.callers, other.callers,
              [](CallerEntry& caller, const CallerEntry& same) { caller.self += same.self; });
}

std::vector<FunctionEntry> read_functions(const workload::Run& run, const Recorder& recorder) {
  Recorder::Functions all(run.functions().size());
  for (const auto& [group, functions] : recorder.functions()) {
    for (std::size_t i = 0; i < functions.size(); ++i) add_to(all[i], functions[i]);
  }
  std::vector<FunctionEntry> functions;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const engine::Duration self = std::accumulate(all[i].begin(), all[i].end(), engine::Duration());
    const Histogram calls = i < recorder.calls().size() ? recorder.calls()[i] : Histogram();
    add_by_name(functions, {{run.functions()[i], all[i], {{run.caller_of({i}), self}}, calls}},
                add_function);
  }
  return functions;
}

/// What the threads did while no function was running. An operation that crosses an end of the
/// window is in its function as a whole and in the threads' accounts in part, hence the clamp.
FunctionEntry outside_functions(const Measurement& measurement) {
  FunctionEntry rest{"(outside functions)", {}};
  for (const ThreadEntry& thread : measurement.threads) add_to(rest.accounts, thread.accounts);
  for (const FunctionEntry& function : measurement.functions) {
    for (std::size_t a = 0; a < os::kAccounts; ++a) {
      rest.accounts[a] -= std::min(rest.accounts[a], function.accounts[a]);
    }
  }
  return rest;
}

SeriesEntry read_series(std::string name, bool is_work, const LevelSeries& levels,
                        Duration length) {
  SeriesEntry entry;
  entry.name = std::move(name);
  entry.is_work = is_work;
  for (std::size_t part = 0; part < SeriesEntry::kParts; ++part) {
    entry.at_end[part] = levels.at(length * (part + 1) / SeriesEntry::kParts);
  }
  entry.at_end.back() = levels.last();  // what happens at the very end is in the window
  return entry;
}

std::vector<SeriesEntry> read_series(const workload::Run& run, const Recorder& recorder,
                                     Duration length) {
  std::vector<SeriesEntry> series;
  for (std::size_t i = 0; i < recorder.works().size(); ++i) {
    series.push_back(read_series(run.works()[i], true, recorder.works()[i], length));
  }
  for (const workload::SharedVariable& variable : run.shared_variables()) {
    const auto found = recorder.variables().find(variable.slot);
    if (found == recorder.variables().end()) continue;
    series.push_back(read_series(variable.name, false, found->second, length));
  }
  return series;
}

void add_series(SeriesEntry& sum, const SeriesEntry& other) {
  sum.windows += other.windows;
  for (std::size_t part = 0; part < SeriesEntry::kParts; ++part) {
    sum.at_end[part] += other.at_end[part];
  }
}

/// Of the first kind of work.
Halves halves_of(const std::vector<SeriesEntry>& series) {
  if (series.empty() || !series.front().is_work) return {};
  const auto& at_end = series.front().at_end;
  const std::int64_t half = at_end[SeriesEntry::kParts / 2 - 1];
  return {static_cast<std::uint64_t>(half), static_cast<std::uint64_t>(at_end.back() - half)};
}

void add_locks(std::vector<LockEntry>& sum, const std::vector<LockEntry>& other) {
  for (const LockEntry& entry : other) {
    const auto same = std::find_if(sum.begin(), sum.end(), [&](const LockEntry& known) {
      return known.lock == entry.lock && known.side == entry.side && known.site == entry.site &&
             known.point == entry.point;
    });
    if (same == sum.end()) {
      sum.push_back(entry);
    } else {
      same->counts.add(entry.counts);
    }
  }
}

}  // namespace

std::string without_instances(const std::string& name) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    result += name[i];
    if (name[i] != '[') continue;
    std::size_t end = i + 1;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0) ++end;
    if (end == i + 1 || end == name.size() || name[end] != ']') continue;
    result += "*]";
    i = end;
  }
  return result;
}

void Measurement::add(const Measurement& other) {
  length += other.length;
  const auto add_work = [](WorkEntry& sum, const WorkEntry& entry) { sum.count += entry.count; };
  add_by_name(works, other.works, add_work);
  for (std::size_t i = 0; i < threads.size() && i < other.threads.size(); ++i) {
    threads[i].work += other.threads[i].work;
    add_to(threads[i].accounts, other.threads[i].accounts);
    threads[i].waits.add(other.threads[i].waits);
  }
  add_by_name(series, other.series, add_series);
  halves = halves_of(series);
  add_locks(locks, other.locks);
  add_by_name(lock_instances, other.lock_instances,
              [](LockInstance& sum, const LockInstance& same) { sum.waits.add(same.waits); });
  add_by_name(lines, other.lines,
              [](LineEntry& sum, const LineEntry& entry) { add_to(sum, entry); });
  add_by_name(functions, other.functions, add_function);
  traffic.resize(other.traffic.size());
  for (std::size_t i = 0; i < other.traffic.size(); ++i) traffic[i] += other.traffic[i];
  add_stacks(stacks, other.stacks);
  events += other.events;
  operations += other.operations;
  fingerprint = combine_fingerprints(fingerprint, other.fingerprint);
}

std::uint64_t combine_fingerprints(std::uint64_t before, std::uint64_t last) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
  return (before ^ (last >> 32U)) * kOdd ^ last;
}

Measurement read_off(workload::Run& run, const Recorder& recorder) {
  Measurement result;
  result.length = run.measured_to() - run.measured_from();
  for (std::uint32_t i = 0; i < run.works().size(); ++i) {
    result.works.push_back({run.works()[i], run.work(workload::WorkId{i})});
  }
  result.series = read_series(run, recorder, result.length);
  result.halves = halves_of(result.series);
  result.threads = read_threads(run, recorder);
  std::set<std::uint32_t> cpus;
  for (const ThreadEntry& thread : result.threads) cpus.insert(thread.cpu);
  result.cpus = static_cast<std::uint32_t>(cpus.size());
  result.locks = read_locks(run, recorder);
  result.lock_instances = read_instances(run, recorder);
  result.lines = read_lines(run);
  result.functions = read_functions(run, recorder);
  if (!result.functions.empty()) result.functions.push_back(outside_functions(result));
  result.stacks = read_stacks(run, recorder);
  for (const auto& distance : run.topology().distance_classes()) {
    result.distances.push_back(distance.name);
  }
  result.traffic = run.machine().traffic();
  result.events = run.simulator().events();
  result.operations = run.machine().counts().operations;
  result.fingerprint = run.simulator().fingerprint();
  return result;
}

}  // namespace hotline::measure
