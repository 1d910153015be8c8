#include <fmt/format.h>

#include "sim/report/format.hpp"
#include "sim/report/narrative.hpp"

namespace hotline::report {

using measure::Unit;

namespace {

struct CoreRow {
  std::uint64_t core = 0;
  std::string threads;

  template <class Visitor>
  static void visit(Visitor&& field) {
    field("core", Unit::kCount, "number of the core", &CoreRow::core);
    field("threads", Unit::kText, "threads that are on it at the end", &CoreRow::threads);
  }
};

struct LineRow {
  std::string line;
  std::string name;

  template <class Visitor>
  static void visit(Visitor&& field) {
    field("line", Unit::kText, "its letter", &LineRow::line);
    field("name", Unit::kText, "objects and fields on it", &LineRow::name);
  }
};

struct StepRow {
  std::uint64_t step = 0;
  engine::Duration at;
  std::uint64_t core = 0;
  std::string kind, line, before, after, text;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("step", kCount, "from 0", &StepRow::step);
    field("at", kNanoseconds, "simulated time since the start of the run", &StepRow::at);
    field("core", kCount, "who does it, or whose request it is", &StepRow::core);
    field("kind", kText, "what it is", &StepRow::kind);
    field("line", kText, "letter of the line, if it is about one", &StepRow::line);
    field("before", kText, "state of the core's copy before", &StepRow::before);
    field("after", kText, "and after", &StepRow::after);
    field("text", kText, "in words", &StepRow::text);
  }
};

struct LegRow {
  std::uint64_t step = 0;
  std::string leg;
  engine::Duration length;
  std::string waits;

  template <class Visitor>
  static void visit(Visitor&& field) {
    using enum Unit;
    field("step", kCount, "the step with which the request ended", &LegRow::step);
    field("leg", kText, "part of its way", &LegRow::leg);
    field("length", kNanoseconds, "what it took", &LegRow::length);
    field("waits", kText, "yes: it waited for requests before it", &LegRow::waits);
  }
};

std::string state_text(char state) { return state == 0 ? "" : std::string(1, state); }

std::string legs_text(const std::vector<ToldLeg>& legs) {
  std::string text;
  for (const ToldLeg& leg : legs) {
    text += fmt::format("{}{:.1f} {}", text.empty() ? "" : "; ", leg.length.ns(), leg.what);
  }
  return text;
}

}  // namespace

std::string narrative_text(const Narrative& narrative, const Style& style) {
  std::string text = wrap(fmt::format("{}, variant {}, on {}: from {:.1f} to {:.1f} ns",
                                      narrative.workload, narrative.variant, narrative.machine,
                                      narrative.from.ns(), narrative.to.ns()));
  for (const ToldCore& core : narrative.cores) {
    text += wrap(fmt::format("core {}: {}", core.core, core.threads), 2);
  }
  for (const ToldLine& line : narrative.lines) {
    text += wrap(fmt::format("line {}: {}", line.letter, compact_names(line.name)), 2);
  }
  text += "\n" + style.heading("        ns  core  ") + "\n";
  constexpr std::size_t kIndent = 18;
  for (const ToldStep& step : narrative.steps) {
    const std::string words = wrap(step.text, kIndent);
    text += fmt::format("{:>10.1f}  {:>4}  ", step.at.ns(), step.core) + words.substr(kIndent);
    if (!step.legs.empty()) text += wrap(legs_text(step.legs), kIndent + 2);
  }
  if (narrative.steps.empty()) text += "  nothing happens in this time\n";
  if (narrative.is_cut) text += "  ... and more: ask for a shorter time\n";
  return text;
}

Document narrative_document(const Narrative& narrative) {
  Document document;
  document.facts = {{"workload", narrative.workload},
                    {"variant", narrative.variant},
                    {"machine", narrative.machine},
                    {"from_ns", narrative.from - engine::SimTime()},
                    {"to_ns", narrative.to - engine::SimTime()}};
  std::vector<CoreRow> cores;
  for (const ToldCore& core : narrative.cores) cores.push_back({core.core, core.threads});
  std::vector<LineRow> lines;
  for (const ToldLine& line : narrative.lines) lines.push_back({line.letter, line.name});
  std::vector<StepRow> steps;
  std::vector<LegRow> legs;
  for (const ToldStep& step : narrative.steps) {
    const std::uint64_t number = steps.size();
    steps.push_back({number, step.at - engine::SimTime(), step.core, step.kind, step.line,
                     state_text(step.before), state_text(step.after), step.text});
    for (const ToldLeg& leg : step.legs) {
      legs.push_back({number, leg.what, leg.length, leg.waits ? "yes" : "no"});
    }
  }
  append(document, measure::tabulate<CoreRow>("cores", "cores that take part", cores));
  append(document, measure::tabulate<LineRow>("lines", "lines that take part", lines));
  append(document, measure::tabulate<StepRow>("steps", "what happens, in order of time", steps));
  append(document, measure::tabulate<LegRow>("legs", "what requests took, part by part", legs));
  return document;
}

}  // namespace hotline::report
