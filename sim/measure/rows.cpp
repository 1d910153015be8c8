#include "sim/measure/rows.hpp"

#include <algorithm>
#include <numeric>

namespace hotline::measure {

using engine::Duration;
using os::Account;
using os::TimeAccounts;

namespace {

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

Duration of(const TimeAccounts& accounts, Account account) {
  return accounts[static_cast<std::size_t>(account)];
}

Duration total(const TimeAccounts& accounts) {
  return std::accumulate(accounts.begin(), accounts.end(), Duration());
}

Duration cpu_time(const Measurement& measurement) { return measurement.length * measurement.cpus; }

Duration thread_time(const Measurement& measurement) {
  return measurement.length * measurement.threads.size();
}

std::uint64_t transfers_of(const LineEntry& line) {
  const auto& transfers = line.statistics.transfers;
  return std::accumulate(transfers.begin(), transfers.end(), std::uint64_t{0});
}

std::vector<const LineEntry*> hottest_first(const Measurement& measurement) {
  std::vector<const LineEntry*> lines;
  lines.reserve(measurement.lines.size());
  for (const LineEntry& line : measurement.lines) lines.push_back(&line);
  std::stable_sort(lines.begin(), lines.end(), [](const LineEntry* a, const LineEntry* b) {
    if (a->statistics.stalled != b->statistics.stalled) {
      return a->statistics.stalled > b->statistics.stalled;
    }
    return transfers_of(*a) > transfers_of(*b);
  });
  return lines;
}

template <class Row>
void fill_accounts(Row& row, const TimeAccounts& accounts) {
  row.work = of(accounts, Account::kWork);
  row.lock_wait = of(accounts, Account::kLockWait) + of(accounts, Account::kLockSleep);
  row.line_stall = of(accounts, Account::kLineStall);
  row.scheduling = of(accounts, Account::kScheduling);
  row.other = of(accounts, Account::kOther);
}

}  // namespace

double percent(Duration part, Duration whole) {
  return whole == Duration() ? 0 : 100 * part.ns() / whole.ns();
}

std::string_view account_name(Account account) {
  switch (account) {
    case Account::kWork:
      return "work";
    case Account::kLockWait:
      return "lock wait";
    case Account::kLineStall:
      return "line stall";
    case Account::kScheduling:
      return "scheduling";
    case Account::kOther:
      return "other";
    case Account::kLockSleep:
      return "lock sleep";
  }
  return "";
}

std::vector<LineRow> line_rows(const Measurement& measurement) {
  Duration all;
  for (const LineEntry& line : measurement.lines) all += line.statistics.stalled;
  std::vector<LineRow> rows;
  for (const LineEntry* line : hottest_first(measurement)) {
    const machine::LineStatistics& counts = line->statistics;
    LineRow row;
    row.line = line->name;
    row.lines = line->lines;
    row.hottest = line->hottest;
    row.stall_share = percent(counts.stalled, all);
    row.cpu_share = percent(counts.stalled, cpu_time(measurement));
    row.stalled = counts.stalled;
    row.transfers = transfers_of(*line);
    row.from_cache = counts.from_cache;
    row.from_memory = counts.from_memory;
    row.reads = counts.reads;
    row.ownerships = counts.ownerships;
    row.far_atomics = counts.far_atomics;
    row.invalidations = counts.invalidations;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<TransferRow> transfer_rows(const Measurement& measurement) {
  std::vector<TransferRow> rows;
  for (const LineEntry* line : hottest_first(measurement)) {
    const std::uint64_t all = transfers_of(*line);
    for (std::size_t i = 0; i < line->statistics.transfers.size(); ++i) {
      const std::uint64_t transfers = line->statistics.transfers[i];
      if (transfers == 0) continue;
      rows.push_back({line->name, measurement.distances.at(i), transfers, percent(transfers, all)});
    }
  }
  return rows;
}

std::vector<WordRow> word_rows(const Measurement& measurement) {
  std::vector<WordRow> rows;
  for (const LineEntry* line : hottest_first(measurement)) {
    std::vector<const WordEntry*> words;
    words.reserve(line->words.size());
    for (const WordEntry& word : line->words) words.push_back(&word);
    std::stable_sort(words.begin(), words.end(), [](const WordEntry* a, const WordEntry* b) {
      return a->statistics.stalled > b->statistics.stalled;
    });
    for (const WordEntry* word : words) {
      const machine::WordStatistics& counts = word->statistics;
      rows.push_back({line->name, word->name, counts.reads, counts.writes, counts.stalled,
                      percent(counts.stalled, line->statistics.stalled)});
    }
  }
  return rows;
}

std::vector<AccountRow> account_rows(const Measurement& measurement) {
  TimeAccounts sum{};
  for (const ThreadEntry& thread : measurement.threads) {
    for (std::size_t a = 0; a < os::kAccounts; ++a) sum[a] += thread.accounts[a];
  }
  constexpr auto kSleep = static_cast<std::size_t>(Account::kLockSleep);
  sum[static_cast<std::size_t>(Account::kLockWait)] += sum[kSleep];
  std::vector<AccountRow> rows;
  rows.reserve(kSleep);
  for (std::size_t a = 0; a < kSleep; ++a) {
    rows.push_back({std::string(account_name(static_cast<Account>(a))), sum[a],
                    percent(sum[a], thread_time(measurement))});
  }
  return rows;
}

std::vector<FunctionRow> function_rows(const Measurement& measurement) {
  std::vector<FunctionRow> rows;
  for (const FunctionEntry& function : measurement.functions) {
    const Duration self = total(function.accounts);
    if (self == Duration() && function.calls.count() == 0) continue;
    FunctionRow row;
    row.function = function.name;
    row.share = percent(self, thread_time(measurement));
    fill_accounts(row, function.accounts);
    row.calls = function.calls.count();
    row.call_mean = function.calls.mean();
    row.call_max = function.calls.max();
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const FunctionRow& a, const FunctionRow& b) { return a.share > b.share; });
  return rows;
}

std::vector<SeriesRow> series_rows(const Measurement& measurement) {
  constexpr double kPicosecondsPerSecond = 1e12;
  std::vector<SeriesRow> rows;
  for (const SeriesEntry& entry : measurement.series) {
    const auto windows = static_cast<double>(entry.windows);
    std::int64_t before = 0;
    for (std::size_t part = 0; part < SeriesEntry::kParts; ++part) {
      SeriesRow row;
      row.name = entry.name;
      row.until = measurement.length / entry.windows * (part + 1) / SeriesEntry::kParts;
      const std::int64_t now = entry.at_end[part];
      if (entry.is_work) {
        row.rate = static_cast<double>(now - before) * SeriesEntry::kParts * kPicosecondsPerSecond /
                   static_cast<double>(measurement.length.ps());
      } else {
        row.value = static_cast<double>(now) / windows;
      }
      before = now;
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<CallerRow> caller_rows(const Measurement& measurement) {
  std::vector<CallerRow> rows;
  for (const FunctionRow& row : function_rows(measurement)) {
    const auto function =
        std::find_if(measurement.functions.begin(), measurement.functions.end(),
                     [&](const FunctionEntry& entry) { return entry.name == row.function; });
    const std::size_t begin = rows.size();
    const Duration self = total(function->accounts);
    for (const CallerEntry& caller : function->callers) {
      if (caller.self == Duration()) continue;
      rows.push_back({row.function, caller.name, percent(caller.self, thread_time(measurement)),
                      percent(caller.self, self)});
    }
    std::stable_sort(rows.begin() + static_cast<std::ptrdiff_t>(begin), rows.end(),
                     [](const CallerRow& a, const CallerRow& b) { return a.share > b.share; });
    if (rows.size() == begin + 1) rows.pop_back();
  }
  return rows;
}

std::vector<ThreadRow> thread_rows(const Measurement& measurement) {
  std::vector<ThreadRow> rows;
  for (const ThreadEntry& thread : measurement.threads) {
    ThreadRow row;
    row.thread = thread.name;
    row.group = thread.group;
    row.cpu = thread.cpu;
    row.node = thread.node;
    row.work_done = thread.work;
    fill_accounts(row, thread.accounts);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<double> work_shares(const Measurement& measurement) {
  std::vector<double> shares;
  shares.reserve(measurement.threads.size());
  for (const ThreadEntry& thread : measurement.threads) {
    shares.push_back(static_cast<double>(thread.work));
  }
  return shares;
}

}  // namespace hotline::measure
