#pragma once

#include <string>
#include <vector>

#include "sim/machine/legs.hpp"
#include "sim/measure/steps.hpp"
#include "sim/report/document.hpp"
#include "sim/report/text_table.hpp"

/// A stretch of a run told step by step.
namespace hotline::report {

/// A part of the time that a request took.
struct ToldLeg {
  std::string what;  ///< "to socket agent 1"
  engine::Duration length;
  bool waits = false;  ///< for a request that came before
};

/// One step in words.
struct ToldStep {
  engine::SimTime at;
  std::string kind;  ///< "asks", "gives up", ...: the column of measure::Step::Kind
  std::uint32_t core = 0;
  std::string line;  ///< its letter; empty if no line changes
  std::string text;
  char before = 0;  ///< state of the core's copy; 0 if the step does not touch it
  char after = 0;
  std::vector<ToldLeg> legs;
};

/// A core or a line that takes part.
struct ToldCore {
  std::uint32_t core = 0;
  std::string threads;
};
struct ToldLine {
  std::string letter;
  std::string name;
};

struct Narrative {
  std::string workload, variant, machine;
  engine::SimTime from, to;
  std::vector<ToldCore> cores;
  std::vector<ToldLine> lines;
  std::vector<ToldStep> steps;
  bool is_cut = false;  ///< there was more than could be kept
};

/// Tells the steps of a run that has ended.
[[nodiscard]] Narrative narrate(const workload::Run& run, const std::vector<measure::Step>& steps,
                                engine::SimTime from, engine::SimTime to, bool is_cut);

[[nodiscard]] std::string narrative_text(const Narrative& narrative, const Style& style);

/// Tables "cores", "lines", "steps" and "legs".
[[nodiscard]] Document narrative_document(const Narrative& narrative);

}  // namespace hotline::report
