#include "sim/report/lesson_report.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/report/format.hpp"

namespace hotline::report {

using experiment::Check;
using measure::Unit;
using workload::Lesson;
using workload::Published;
using workload::Quantity;

namespace {

/// What an answer is counted in, behind a number.
std::string_view unit_of(const Published& answer) {
  if (answer.baseline) return "times";
  switch (answer.quantity.unit()) {
    case Quantity::Unit::kPerSecond:
      return "a second";
    case Quantity::Unit::kNanoseconds:
      return "ns";
    case Quantity::Unit::kPercent:
      return "%";
    case Quantity::Unit::kRatio:
      return "times";
  }
  return "";
}

std::string number_text(double value) {
  const double size = std::abs(value);
  if (size >= 1000) return si_text(value);
  if (size >= 0.001 || size == 0) return fmt::format("{:.3g}", value);
  const int digits = 1 - static_cast<int>(std::floor(std::log10(size)));
  return fmt::format("{:.{}f}", value, digits);  // two that count, without an exponent
}

std::string value_text(const Check& answer) {
  if (!answer.predicted) return "no answer: the run does not have it";
  std::string text =
      fmt::format("{} {}", number_text(answer.predicted->mean), unit_of(answer.published));
  if (answer.predicted->has_bounds()) {
    text += fmt::format(" [{}, {}]", number_text(answer.predicted->low),
                        number_text(answer.predicted->high));
  }
  return text;
}

/// How far off a guess was, in words.
std::string judged(double guess, double truth) {
  if (truth <= 0 || guess <= 0) return "";
  const double factor = guess > truth ? guess / truth : truth / guess;
  if (factor <= 1.15) return "well predicted";
  return fmt::format("the run says {:.2g} times {}", factor, guess > truth ? "less" : "more");
}

struct AnswerRow {
  std::string name;
  std::string unit;
  std::optional<double> value, low, high;

  template <class Visitor>
  static void visit(Visitor&& field) {
    field("name", Unit::kText, "what is answered", &AnswerRow::name);
    field("unit", Unit::kText, "what the answer is in", &AnswerRow::unit);
    field("value", Unit::kRatio, "what the runs say", &AnswerRow::value);
    field("low", Unit::kRatio, "lower end of the 95 % interval", &AnswerRow::low);
    field("high", Unit::kRatio, "upper end of the 95 % interval", &AnswerRow::high);
  }
};

AnswerRow answer_row(const Check& answer) {
  AnswerRow row{answer.published.name, std::string(unit_of(answer.published)), {}, {}, {}};
  if (!answer.predicted) return row;
  row.value = answer.predicted->mean;
  if (answer.predicted->has_bounds()) {
    row.low = answer.predicted->low;
    row.high = answer.predicted->high;
  }
  return row;
}

}  // namespace

std::string lesson_question_text(const Lesson& lesson, const Style& style) {
  std::string text = style.heading(lesson.title) + "\n\n" + wrap(lesson.text, 2) + "\n";
  text += wrap(lesson.question, 2);
  return text + wrap(fmt::format("(a number: {})", unit_of(lesson.answers.front())), 2);
}

std::string lesson_answer_text(const Lesson& lesson, const std::vector<Check>& answers,
                               std::optional<double> prediction, const std::string& file,
                               const Style& style) {
  std::string text = "\n" + style.heading("What the runs say") + "\n";
  for (const Check& answer : answers) {
    text += wrap(answer.published.name + ": " + value_text(answer), 2);
  }
  if (prediction && answers.front().predicted) {
    const std::string verdict = judged(*prediction, answers.front().predicted->mean);
    text +=
        wrap(fmt::format("Your prediction: {} {}{}{}.", number_text(*prediction),
                         unit_of(answers.front().published), verdict.empty() ? "" : "; ", verdict),
             2);
  }
  text += "\n" + style.heading("Why") + "\n" + wrap(lesson.why, 2);
  if (lesson.look_at.empty()) return text;
  text += "\n" + style.heading("Look at it") + "\n";
  for (const workload::Stretch& stretch : lesson.look_at) {
    if (!stretch.what.empty()) text += wrap(stretch.what, 2);
    text += fmt::format("    hotline explain {} --variant {} --from {}ns --to {}ns\n", file,
                        stretch.variant, stretch.from.ns(), stretch.to.ns());
  }
  return text;
}

std::string lesson_json(std::string_view name, const Lesson& lesson,
                        const std::vector<Check>& answers,
                        const std::vector<Narrative>& stretches) {
  Document document;
  document.facts = {{"name", std::string(name)},
                    {"title", lesson.title},
                    {"text", lesson.text},
                    {"question", lesson.question},
                    {"why", lesson.why}};
  std::vector<AnswerRow> rows;
  rows.reserve(answers.size());
  for (const Check& answer : answers) rows.push_back(answer_row(answer));
  append(document, measure::tabulate<AnswerRow>("answers", "what the runs say", rows));
  std::string text = "{\"lesson\": " + to_json(document) + ", \"stretches\": [";
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    Document stretch = narrative_document(stretches[i]);
    stretch.facts.emplace_back("what", lesson.look_at.at(i).what);
    text += (i == 0 ? "" : ",") + to_json(stretch);
  }
  return text + "]}\n";
}

}  // namespace hotline::report
