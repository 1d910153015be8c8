#include "tests/model/trace.hpp"

#include <algorithm>
#include <sstream>

#include "sim/model/model.hpp"

namespace hotline::tests {

namespace {

using machine::Op;

constexpr const char* kRepeated = " ...";
constexpr std::size_t kLongestLoop = 12;

std::string number(machine::Value value, const machine::Word& word) {
  const std::int64_t as_signed = model::signed_value(word, value);
  if (as_signed > -1000 && as_signed < 256) return std::to_string(as_signed);
  std::ostringstream hex;
  hex << "0x" << std::hex << value;
  return hex.str();
}

std::string width(const machine::Word& word) {
  return word.size == 8 ? "" : std::to_string(8 * word.size);
}

const char* mnemonic(Op op) {
  switch (op) {
    case Op::kLoad:
      return "ld";
    case Op::kStore:
      return "st";
    case Op::kAdd:
      return "add";
    case Op::kFetchAdd:
      return "faa";
    case Op::kFetchAnd:
      return "fand";
    case Op::kFetchOr:
      return "for";
    case Op::kExchange:
      return "xchg";
    case Op::kCompareExchange:
      return "cas";
    case Op::kFence:
      return "fence";
    case Op::kPrefetchRead:
      return "prefetch";
    case Op::kPrefetchWrite:
      return "prefetchw";
    case Op::kSpin:
      return "WAIT";
  }
  return "?";
}

/// What is written between the word's name and the result.
std::string operands(const machine::Access& access) {
  const std::string operand = number(access.operand, access.word);
  switch (access.op) {
    case Op::kStore:
    case Op::kExchange:
      return " = " + operand;
    case Op::kAdd:
    case Op::kFetchAdd:
      return " += " + operand;
    case Op::kFetchAnd:
      return " &= " + operand;
    case Op::kFetchOr:
      return " |= " + operand;
    case Op::kCompareExchange:
      return " : " + number(access.expected, access.word) + " > " + operand;
    default:
      return "";
  }
}

bool has_result(Op op) {
  return op != Op::kStore && op != Op::kAdd && op != Op::kFence && op != Op::kPrefetchRead &&
         op != Op::kPrefetchWrite;
}

/// Without the result.
std::string beginning(const std::string& line) { return line.substr(0, line.find(" ->")); }

bool is_operation(const std::string& line) { return line.starts_with("    "); }

/// Whether the `period` operations from `at` on come once more right behind.
bool comes_again(const std::vector<std::string>& lines, std::size_t at, std::size_t period) {
  if (at + 2 * period > lines.size()) return false;
  const auto first = lines.begin() + static_cast<std::ptrdiff_t>(at);
  const auto second = first + static_cast<std::ptrdiff_t>(period);
  return std::equal(first, second, second) && std::all_of(first, second, is_operation);
}

/// How many lines from `at` on a loop repeats, or 0.
std::size_t period_at(const std::vector<std::string>& lines, std::size_t at) {
  for (std::size_t period = 2; period <= kLongestLoop; ++period) {
    if (comes_again(lines, at, period)) return period;
  }
  return 0;
}

}  // namespace

Trace::Trace(const std::vector<model::NamedWord>& words) {
  for (const model::NamedWord& each : words) names_.emplace(each.word, each.name);
}

std::string Trace::line(const machine::Access& access, machine::Value result) const {
  std::string text = mnemonic(access.op) + width(access.word);
  if (access.op == Op::kFence) return text;
  const auto name = names_.find(access.word);
  text += ' ' + (name == names_.end() ? std::string("?") : name->second) + operands(access);
  if (has_result(access.op)) text += " -> " + number(result, access.word);
  const bool failed = access.op == Op::kCompareExchange && result != access.expected;
  return failed ? text + " (fail)" : text;
}

void Trace::append(std::uint32_t cpu, const std::string& line) {
  if (lines_.size() <= cpu) lines_.resize(cpu + 1);
  std::vector<std::string>& lines = lines_[cpu];
  if (!lines.empty() && lines.back() == line + kRepeated) return;
  if (!lines.empty() && lines.back() == line) {
    lines.back() += kRepeated;
  } else {
    lines.push_back(line);
  }
}

void Trace::performed(machine::CpuId cpu, const machine::Access& access, machine::Value result,
                      bool, engine::SimTime) {
  const std::string text = "    " + line(access, result);
  // Of the looks of one spin loop, the last one is what the program sees.
  const bool looks_again = access.op == Op::kSpin && cpu.value < lines_.size() &&
                           beginning(lines_[cpu.value].back()) == beginning(text);
  if (looks_again) lines_[cpu.value].pop_back();
  append(cpu.value, text);
}

void Trace::heading(std::uint32_t cpu, const std::string& text) { append(cpu, "  " + text); }

std::string Trace::looped(const std::vector<std::string>& lines) {
  std::string all;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t period = period_at(lines, at);
    for (std::size_t k = 0; k < std::max<std::size_t>(period, 1); ++k) all += lines[at + k] + "\n";
    if (period > 0) {
      all += "    (these " + std::to_string(period) + " again and again)\n";
      while (comes_again(lines, at, period)) at += period;
    }
    at += std::max<std::size_t>(period, 1);
  }
  return all;
}

std::string Trace::text() const {
  std::string all;
  for (std::size_t cpu = 0; cpu < lines_.size(); ++cpu) {
    if (lines_[cpu].empty()) continue;
    all += "thread " + std::to_string(cpu) + "\n";
    all += looped(lines_[cpu]);
  }
  return all;
}

}  // namespace hotline::tests
