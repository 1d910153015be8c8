#include "sim/report/profile.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "sim/measure/rows.hpp"
#include "sim/report/format.hpp"
#include "sim/report/text_table.hpp"

namespace hotline::report {

using engine::Duration;
using measure::Measurement;
using measure::StackEntry;
using os::Account;

namespace {

/// The part of an entry's time during which its thread had a CPU: what a profiler samples.
Duration on_cpu(const StackEntry& entry) {
  Duration sum;
  for (const Account account : {Account::kWork, Account::kLockWait, Account::kLineStall}) {
    sum += entry.accounts[static_cast<std::size_t>(account)];
  }
  return sum;
}

/// A group's own time, outside functions, is a symbol too.
std::string symbol_of(const StackEntry& entry) {
  return entry.frames.size() == 1 ? "(" + entry.frames.front() + "'s own steps)"
                                  : entry.frames.back();
}

/// A function and who called it, inward out.
struct Caller {
  Duration self;
  std::map<std::string, Caller> callers;
};

struct Symbol {
  std::string command;
  std::string name;
  Caller calls;
};

using Callers = std::vector<std::pair<std::string, const Caller*>>;

Callers longest_first(const Caller& of) {
  Callers sorted;
  for (const auto& [name, caller] : of.callers) sorted.emplace_back(name, &caller);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second->self > b.second->self; });
  return sorted;
}

std::vector<Symbol> symbols_of(const Measurement& measurement) {
  std::map<std::pair<std::string, std::string>, Symbol> by_name;
  for (const StackEntry& entry : measurement.stacks) {
    const Duration self = on_cpu(entry);
    if (self == Duration()) continue;
    const std::string name = symbol_of(entry);
    Symbol& symbol = by_name[{entry.frames.front(), name}];
    symbol.command = entry.frames.front();
    symbol.name = name;
    Caller* at = &symbol.calls;
    at->self += self;
    for (std::size_t frame = entry.frames.size(); frame-- > 1;) {
      if (frame + 1 == entry.frames.size()) continue;  // the symbol itself
      at = &at->callers[entry.frames[frame]];
      at->self += self;
    }
  }
  std::vector<Symbol> symbols;
  symbols.reserve(by_name.size());
  for (auto& [key, symbol] : by_name) symbols.push_back(std::move(symbol));
  std::stable_sort(symbols.begin(), symbols.end(),
                   [](const Symbol& a, const Symbol& b) { return a.calls.self > b.calls.self; });
  return symbols;
}

Duration all_cpu_time(const Measurement& measurement) {
  Duration sum;
  for (const StackEntry& entry : measurement.stacks) sum += on_cpu(entry);
  return sum;
}

/// One caller and those outside it: a chain goes on straight down while there is but one.
std::string chain_text(const std::string& name, const Caller& caller, const std::string& margin,
                       double least);

std::string branches_text(const Caller& of, const std::string& margin, double least) {
  Callers shown = longest_first(of);
  std::erase_if(shown, [&](const auto& entry) {
    return measure::percent(entry.second->self, of.self) < least;
  });
  std::string text;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto& [name, caller] = shown[i];
    const std::string share = fmt::format("{:.2f}%", measure::percent(caller->self, of.self));
    text += fmt::format("{0}|\n{0}|--{1}--", margin, share);
    const bool is_last = i + 1 == shown.size();
    const std::string inner = margin + (is_last ? " " : "|") + std::string(share.size() + 4, ' ');
    text += chain_text(name, *caller, inner, least);
  }
  return text;
}

std::string chain_text(const std::string& name, const Caller& caller, const std::string& margin,
                       double least) {
  std::string text = name + "\n";
  const Caller* at = &caller;
  while (at->callers.size() == 1 && at->callers.begin()->second.self == at->self) {
    text += margin + at->callers.begin()->first + "\n";
    at = &at->callers.begin()->second;
  }
  return text + branches_text(*at, margin, least);
}

std::string rule(std::size_t width) { return std::string(width, '.'); }

/// Shares by function, over all groups of threads.
std::map<std::string, double> shares_of(const Measurement& measurement) {
  const Duration all = all_cpu_time(measurement);
  std::map<std::string, double> shares;
  for (const StackEntry& entry : measurement.stacks) {
    shares[symbol_of(entry)] += measure::percent(on_cpu(entry), all);
  }
  return shares;
}

struct DiffRow {
  double before = 0;
  double after = 0;
  std::string name;
};

std::string diff_text(const Measurement& baseline, const Measurement& other) {
  std::map<std::string, DiffRow> rows;
  for (const auto& [name, share] : shares_of(baseline)) rows[name].before = share;
  for (const auto& [name, share] : shares_of(other)) rows[name].after = share;
  std::vector<DiffRow> sorted;
  for (auto& [name, row] : rows) {
    row.name = name;
    sorted.push_back(row);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const DiffRow& a, const DiffRow& b) {
    return std::max(a.before, a.after) > std::max(b.before, b.after);
  });
  std::string text = "# Baseline  Delta Abs  Symbol\n# ........  .........  " + rule(40) + "\n#\n";
  for (const DiffRow& row : sorted) {
    if (row.before == 0 && row.after == 0) continue;
    const std::string share = row.before == 0 ? "" : fmt::format("{:.2f}%", row.before);
    text += cut(fmt::format("{:>10}  {:>+8.2f}%  {}", share, row.after - row.before, row.name),
                kPageWidth) +
            "\n";
  }
  return text;
}

}  // namespace

std::string profile_text(const Measurement& measurement, double least) {
  const Duration all = all_cpu_time(measurement);
  const std::vector<Symbol> symbols = symbols_of(measurement);
  std::size_t width = std::string("Command").size();
  for (const Symbol& symbol : symbols) width = std::max(width, symbol.command.size());
  std::string text = fmt::format("# Total CPU time: {}\n#\n# Overhead  {:<{}}  Symbol\n",
                                 duration_text(all), "Command", width);
  text += fmt::format("# ........  {}  {}\n#\n", rule(width), rule(40));
  std::size_t hidden = 0;
  for (const Symbol& symbol : symbols) {
    const double share = measure::percent(symbol.calls.self, all);
    if (share < least) {
      ++hidden;
      continue;
    }
    const std::string line =
        fmt::format("{:>9.2f}%  {:<{}}  {}", share, symbol.command, width, symbol.name);
    text += cut(line, kPageWidth) + "\n";
    if (symbol.calls.callers.empty()) continue;
    constexpr const char* kMargin = "            ";
    text += std::string(kMargin) + "|\n" + kMargin + "---" +
            chain_text(symbol.name, symbol.calls, std::string(kMargin) + "   ", least) + "\n";
  }
  if (hidden > 0) text += fmt::format("\n# {} symbols below {}% are not shown\n", hidden, least);
  return text;
}

std::string folded_text(const Measurement& measurement) {
  std::string text;
  for (const StackEntry& entry : measurement.stacks) {
    std::string stack = entry.folded();
    std::replace(stack.begin(), stack.end(), ' ', '_');
    for (std::size_t account = 0; account < os::kAccounts; ++account) {
      const std::uint64_t ns = (entry.accounts[account].ps() + 500) / 1000;
      if (ns == 0) continue;
      const auto kind = static_cast<Account>(account);
      std::string leaf;
      if (kind != Account::kWork) {
        leaf = fmt::format(";[{}]", measure::account_name(kind));
        std::replace(leaf.begin(), leaf.end(), ' ', '_');
      }
      text += fmt::format("{}{} {}\n", stack, leaf, ns);
    }
  }
  return text;
}

std::string profile_diffs_text(const experiment::Comparison& comparison) {
  std::string text;
  for (const experiment::ComparedPoint& point : comparison.points) {
    const experiment::Outcome& baseline = point.outcomes.front();
    for (std::size_t i = 1; i < point.outcomes.size(); ++i) {
      text += fmt::format("{}# {} to {} at {} threads: shares of CPU time\n#\n",
                          text.empty() ? "" : "\n", baseline.variant, point.outcomes[i].variant,
                          point.threads) +
              diff_text(baseline.total, point.outcomes[i].total);
    }
  }
  return text;
}

}  // namespace hotline::report
