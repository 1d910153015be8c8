#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/time.hpp"
#include "sim/workload/published.hpp"

namespace hotline::workload {

/// A stretch of one variant's run that is worth looking at step by step.
struct Stretch {
  std::string variant;
  std::string what;  ///< what there is to see
  engine::Duration from, to;
};

/// What a workload teaches: a question whose answer its runs give.
struct Lesson {
  std::string title;
  std::string text;                ///< what one has to know
  std::string question;            ///< its answer is the first of `answers`
  std::vector<Published> answers;  ///< without a published value: the run says it
  std::string why;                 ///< what explains the answer, to be read afterwards
  std::vector<Stretch> look_at;
};

}  // namespace hotline::workload
