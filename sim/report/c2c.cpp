#include "sim/report/c2c.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/report/format.hpp"
#include "sim/report/verdict.hpp"

namespace hotline::report {

using engine::Duration;
using experiment::Outcome;
using experiment::Parting;
using measure::SharedLine;
using measure::SharingCounts;
using measure::SharingEntry;

namespace {

std::string share(std::uint64_t part, std::uint64_t whole) {
  return percent_text(whole == 0 ? 0
                                 : 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string share(Duration part, Duration whole) {
  return percent_text(whole == Duration() ? 0 : 100 * part.ns() / whole.ns());
}

std::string title(const char* text, const Style& style) { return style.heading(text) + "\n"; }

std::string line_list(const std::vector<SharedLine>& lines, std::size_t most, const Style& style) {
  SharingCounts all;
  for (const SharedLine& line : lines) all.add(line.total());
  TextTable table;
  for (const char* name :
       {"INDEX", "HITM", "REMOTE", "LOCAL", "% HITM", "LOADS", "STORES", "STALLS"}) {
    table.column(name, Align::kRight);
  }
  table.column("LINE", Align::kLeft);
  for (std::size_t i = 0; i < lines.size() && i < most; ++i) {
    const SharingCounts counts = lines[i].total();
    table.row({std::to_string(i), std::to_string(counts.hitm()), std::to_string(counts.remote_hitm),
               std::to_string(counts.local_hitm), share(counts.hitm(), all.hitm()),
               std::to_string(counts.loads), std::to_string(counts.stores),
               share(counts.stalled, all.stalled), compact_names(lines[i].name)});
  }
  return table.text(style);
}

std::string place_of(const SharingEntry& entry) {
  const std::string word = entry.word.empty() ? "(unnamed)" : compact_names(entry.word);
  return (entry.function.empty() ? "the program" : entry.function) + ": " + word;
}

std::string access_of(const SharingCounts& counts) {
  const bool writes = counts.stores > 0 || counts.buffered > 0;
  if (counts.loads == 0) return "W";
  return writes ? "RW" : "R";
}

std::string offsets(const SharedLine& line, const Style& style) {
  const SharingCounts all = line.total();
  TextTable table;
  for (const char* name :
       {"OFFSET", "REMOTE", "LOCAL", "MISSES", "STALLS", "FALSE", "CPUS", "NODES"}) {
    table.column(name, Align::kRight);
  }
  table.column("RW", Align::kLeft);
  table.column("FUNCTION AND WORD", Align::kLeft);
  for (const SharingEntry& entry : line.entries) {
    const SharingCounts& counts = entry.counts;
    table.row({fmt::format("{:#x}", entry.offset), share(counts.remote_hitm, all.remote_hitm),
               share(counts.local_hitm, all.local_hitm), std::to_string(counts.misses()),
               share(counts.stalled, all.stalled), share(counts.falsely, counts.misses()),
               std::to_string(counts.cpus.size()), std::to_string(counts.nodes.size()),
               access_of(counts), place_of(entry)});
  }
  return table.text(style);
}

/// "a", "a and b", "a, b and c".
std::string list_text(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::string sharing_text(const SharedLine& line, const Style& style) {
  if (!line.is_shared_by_fields()) return "";
  const SharingCounts all = line.total();
  return style.bad(
      wrap(fmt::format(
               "FALSE SHARING: the fields {} of {} share this line, and different CPUs use them. "
               "At {} of its misses nobody had written the bytes that were wanted since the core "
               "had lost the line.",
               list_text(line.fields()), line.object, share(all.falsely, all.misses())),
           2));
}

std::string parting_text(const Parting& parting, const Outcome& outcome) {
  const measure::Interval& ratio = parting.contrast.ratio;
  std::string interval;
  if (ratio.has_bounds()) interval = fmt::format(" [{:.2f}, {:.2f}]", ratio.low, ratio.high);
  experiment::Contrast contrast = parting.contrast;
  contrast.variant = "Parting them";
  const std::vector<std::string> moved(parting.fields.begin() + 1, parting.fields.end());
  return wrap(
      fmt::format("Parted, simulated again with {} on {} of {} own: {} {}/s instead of {}, {:.2f} "
                  "times{}. {}.",
                  list_text(moved), moved.size() == 1 ? "a line" : "lines",
                  moved.size() == 1 ? "its" : "their", si_text(parting.after), outcome.work(),
                  si_text(parting.before), ratio.mean, interval, verdict_text(contrast)),
      2);
}

}  // namespace

std::string c2c_text(const Outcome& outcome, const std::vector<Parting>& partings, std::size_t most,
                     const Style& style) {
  std::vector<SharedLine> lines = outcome.sharing;
  std::erase_if(lines, [](const SharedLine& line) { return line.total().misses() == 0; });
  if (lines.empty()) return "no line was missed\n";
  std::string text =
      title("Shared lines (HITM: hits in a line that another core had modified)", style) +
      line_list(lines, most, style);
  for (std::size_t i = 0; i < lines.size() && i < most; ++i) {
    text += fmt::format("\n{} {}\n", style.heading(fmt::format("Line {}:", i)),
                        cut(compact_names(lines[i].name), kPageWidth - 12));
    text += offsets(lines[i], style) + sharing_text(lines[i], style);
    const auto parted = std::find_if(partings.begin(), partings.end(), [&](const Parting& parting) {
      return parting.line == lines[i].name;
    });
    if (parted != partings.end()) text += parting_text(*parted, outcome);
  }
  return text;
}

}  // namespace hotline::report
