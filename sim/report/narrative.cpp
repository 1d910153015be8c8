#include "sim/report/narrative.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "sim/machine/transfer.hpp"
#include "sim/model/model.hpp"

namespace hotline::report {

using engine::Duration;
using engine::SimTime;
using machine::CoreId;
using machine::LineId;
using machine::Op;
using machine::Request;
using measure::Journey;
using measure::Step;
using Kind = Step::Kind;

namespace {

std::string core_text(CoreId core) { return fmt::format("core {}", core.value); }

std::string ns_text(Duration length) { return fmt::format("{:.1f} ns", length.ns()); }

bool is_about_lock(Kind kind) {
  return kind == Kind::kWants || kind == Kind::kHolds || kind == Kind::kReleases;
}

bool is_fence(const Step& step) {
  return step.kind == Kind::kPerformed && step.access.op == Op::kFence;
}

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::kAsked:
      return "asks";
    case Kind::kTakenUp:
      return "taken up";
    case Kind::kGaveUp:
      return "gives up";
    case Kind::kShared:
      return "shares";
    case Kind::kFilled:
      return "has it";
    case Kind::kPerformed:
      return "performs";
    case Kind::kCommitted:
      return "store seen";
    case Kind::kWants:
      return "wants";
    case Kind::kHolds:
      return "holds";
    case Kind::kReleases:
      return "releases";
  }
  return "";
}

/// Puts steps into words.
class Teller {
 public:
  Teller(const workload::Run& run, const std::vector<Step>& steps)
      : run_(run), legs_(run.topology()) {
    for (const workload::WordName& word : run.words()) words_.try_emplace(word.word, word.name);
    for (const Step& step : steps) {
      cores_.insert(step.core);
      if (step.other) cores_.insert(*step.other);
      if (!is_about_lock(step.kind) && !is_fence(step)) lines_.try_emplace(step.line, "");
    }
    std::size_t count = 0;
    for (auto& [line, letter] : lines_) letter = letter_of(count++);
  }

  ToldStep tell(const Step& step) const {
    ToldStep told;
    told.at = step.at;
    told.kind = kind_name(step.kind);
    told.core = step.core.value;
    told.text = text_of(step);
    if (is_about_lock(step.kind) || is_fence(step)) return told;
    told.line = letter(step.line);
    if (step.kind != Kind::kTakenUp) {
      told.before = step.before;
      told.after = step.after;
    }
    if (step.kind == Kind::kFilled) told.legs = legs_of(step.journey);
    return told;
  }

  std::vector<ToldCore> cores() const {
    std::vector<ToldCore> told;
    for (const CoreId core : cores_) {
      std::string threads;
      for (std::uint32_t i = 0; i < run_.threads(); ++i) {
        const os::Thread& thread = run_.thread({i});
        if (run_.topology().core_of(thread.cpu()) != core) continue;
        threads += (threads.empty() ? "" : ", ") + thread.name();
      }
      told.push_back({core.value, threads});
    }
    return told;
  }

  std::vector<ToldLine> lines() const {
    std::vector<ToldLine> told;
    for (const auto& [line, letter] : lines_) told.push_back({letter, run_.describe_line(line)});
    return told;
  }

 private:
  static std::string letter_of(std::size_t index) {
    constexpr std::size_t kLetters = 26;
    const std::string letter(1, static_cast<char>('A' + index % kLetters));
    return index < kLetters ? letter : letter + std::to_string(index / kLetters);
  }

  const std::string& letter(LineId line) const { return lines_.at(line); }

  std::string word_name(const machine::Word& word) const {
    const auto found = words_.find(word);
    return found == words_.end() ? fmt::format("{}+{}", letter(word.line), word.offset)
                                 : found->second;
  }

  static std::string value_text(machine::Value value, const machine::Word& word) {
    constexpr std::int64_t kLong = 1'000'000'000;
    const std::int64_t number = model::signed_value(word, value);
    return number > -kLong && number < kLong ? fmt::format("{}", number)
                                             : fmt::format("{:#x}", value);
  }

  std::string text_of(const Step& step) const {
    switch (step.kind) {
      case Kind::kAsked:
        return asked_text(step);
      case Kind::kTakenUp:
        return taken_up_text(step);
      case Kind::kGaveUp:
        return gave_up_text(step);
      case Kind::kShared:
        return fmt::format("shares {} with {} ({} to {})", letter(step.line),
                           core_text(*step.other), step.before, step.after);
      case Kind::kFilled:
        return fmt::format("has {} ({} to {}), {} after it asked", letter(step.line), step.before,
                           step.after, ns_text(step.journey.filled - step.journey.asked));
      case Kind::kPerformed:
        return performed_text(step);
      case Kind::kCommitted:
        return fmt::format("writes {} to {} from its store buffer: now others can see it ({})",
                           value_text(step.access.operand, step.access.word),
                           word_name(step.access.word), step.after);
      default:
        return lock_text(step);
    }
  }

  std::string lock_text(const Step& step) const {
    const std::string& lock = run_.locks()[step.lock.value].name;
    if (step.kind == Kind::kHolds) return "holds lock " + lock;
    if (step.kind == Kind::kReleases) return "begins to release lock " + lock;
    return fmt::format("wants lock {}, which {} holds", lock, core_text(*step.other));
  }

  std::string asked_text(const Step& step) const {
    const std::string& line = letter(step.line);
    switch (step.journey.what) {
      case Request::kCopy:
        return fmt::format("misses: asks for a copy of {} (it has none: {})", line, step.before);
      case Request::kFarAtomic:
        return fmt::format("has an atomic on {} executed at its agent or home", line);
      case Request::kOwnership:
        break;
    }
    return fmt::format("misses: asks for ownership of {} (it has {}: {})", line,
                       step.before == 'I' ? "no copy" : "a copy it may not write", step.before);
  }

  std::string taken_up_text(const Step& step) const {
    const Journey::Visit& visit = step.journey.visits.back();
    std::string text = fmt::format("{} takes up the request for {}",
                                   machine::keeper_name(legs_, visit.keeper), letter(step.line));
    if (visit.taken_up > visit.arrived) {
      text += fmt::format(", which has waited {} there", ns_text(visit.taken_up - visit.arrived));
      if (visit.behind) text += " behind that of " + core_text(*visit.behind);
    }
    return text;
  }

  std::string gave_up_text(const Step& step) const {
    std::string text = fmt::format("loses {} ({} to I)", letter(step.line), step.before);
    if (step.other) text += fmt::format(": {} is going to write it", core_text(*step.other));
    return text;
  }

  std::string performed_text(const Step& step) const {
    const machine::Access& access = step.access;
    const std::string word = access.op == Op::kFence ? "" : word_name(access.word);
    const std::string saw = value_text(step.result, access.word);
    const std::string operand = value_text(access.operand, access.word);
    switch (access.op) {
      case Op::kLoad:
        return fmt::format("loads {}: {}", word, saw);
      case Op::kStore:
        return fmt::format("stores {} to {}, into its store buffer", operand, word);
      case Op::kAdd:
      case Op::kFetchAdd:
        return fmt::format("adds {} to {}: was {} ({})", operand, word, saw, step.after);
      case Op::kFetchAnd:
        return fmt::format("ands {} with {}: was {} ({})", word, operand, saw, step.after);
      case Op::kFetchOr:
        return fmt::format("ors {} with {}: was {} ({})", word, operand, saw, step.after);
      case Op::kExchange:
        return fmt::format("exchanges {} for {}: was {} ({})", word, operand, saw, step.after);
      case Op::kCompareExchange:
        return fmt::format(
            "compares {} with {}: was {}, {} ({})", word, value_text(access.expected, access.word),
            saw, step.result == access.expected ? "now " + operand : "so it fails", step.after);
      case Op::kSpin:
        return fmt::format("sees {} in {} and stops spinning", saw, word);
      default:
        return "passes a fence: its store buffer is empty";
    }
  }

  std::vector<ToldLeg> legs_of(const Journey& journey) const {
    std::vector<ToldLeg> told;
    const auto add = [&](std::string what, SimTime begin, SimTime end, bool waits = false) {
      if (end > begin) told.push_back({std::move(what), end - begin, waits});
    };
    add("the request leaves the core", journey.asked, journey.departed);
    SimTime last = journey.departed;
    for (const Journey::Visit& visit : journey.visits) {
      const std::string name = machine::keeper_name(legs_, visit.keeper);
      const bool is_first = &visit == &journey.visits.front();
      add((is_first ? "to " : "look-up, and to ") + name, last, visit.arrived);
      add(fmt::format("waits at {}{}", name,
                      visit.behind ? " behind " + core_text(*visit.behind) : ""),
          visit.arrived, visit.taken_up, true);
      last = visit.taken_up;
    }
    if (journey.supplier && journey.supplied >= last) {
      add("look-up, and snoop to " + core_text(*journey.supplier), last, journey.supplied);
      add(fmt::format("answer and data of {}, until the first use", core_text(*journey.supplier)),
          journey.supplied, journey.filled);
    } else {
      add("look-up, answers and data, until the first use", last, journey.filled);
    }
    return told;
  }

  const workload::Run& run_;
  machine::Legs legs_;
  std::map<machine::Word, std::string> words_;
  std::set<CoreId> cores_;
  std::map<LineId, std::string> lines_;
};

}  // namespace

Narrative narrate(const workload::Run& run, const std::vector<Step>& steps, SimTime from,
                  SimTime to, bool is_cut) {
  const workload::Scenario& scenario = run.scenario();
  const Teller teller(run, steps);
  Narrative narrative{scenario.workload,
                      scenario.variant,
                      scenario.machine.name,
                      from,
                      to,
                      teller.cores(),
                      teller.lines(),
                      {},
                      is_cut};
  for (const Step& step : steps) narrative.steps.push_back(teller.tell(step));
  return narrative;
}

}  // namespace hotline::report
