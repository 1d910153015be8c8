#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/experiment/comparison.hpp"
#include "sim/report/narrative.hpp"
#include "sim/report/text_table.hpp"
#include "sim/workload/lesson.hpp"

/// Lessons for people: the question, then what the runs say to it.
namespace hotline::report {

/// Title, what one has to know, and the question with the unit of its answer.
[[nodiscard]] std::string lesson_question_text(const workload::Lesson& lesson, const Style& style);

/// What the runs say, how far the prediction (if any) lies from it, why it is so, and where to
/// look. `file` is the workload.
[[nodiscard]] std::string lesson_answer_text(const workload::Lesson& lesson,
                                             const std::vector<experiment::Check>& answers,
                                             std::optional<double> prediction,
                                             const std::string& file, const Style& style);

/// A lesson as JSON for its page: texts, answers and the stretches to look at.
[[nodiscard]] std::string lesson_json(std::string_view name, const workload::Lesson& lesson,
                                      const std::vector<experiment::Check>& answers,
                                      const std::vector<Narrative>& stretches);

}  // namespace hotline::report
