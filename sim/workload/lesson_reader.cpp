#include "sim/input/types.hpp"
#include "sim/workload/document_reader.hpp"

// What a workload teaches.
namespace hotline::workload {

using input::MapReader;
using input::Value;

namespace {

Stretch read_stretch(MapReader& map) {
  Stretch stretch;
  stretch.variant = map.require("variant", input::text(), "of which variant");
  stretch.what = map.get("what", input::text(), "", "what there is to see");
  stretch.from = map.require("from", input::duration(), "time since the start of the run");
  stretch.to = map.require("to", input::duration(), "time since the start of the run");
  return stretch;
}

}  // namespace

void DocumentReader::read_lesson(MapReader& map) {
  map.map("lesson", "a question that this workload answers: hotline learn", [&](MapReader& inside) {
    Lesson lesson;
    lesson.title = inside.require("title", input::text(), "a few words");
    lesson.text = inside.require("text", input::text(), "what one has to know");
    lesson.question = inside.require("question", input::text(), "to be predicted");
    read_answers(inside, lesson);
    lesson.why = inside.require("why", input::text(), "what explains the answer");
    read_stretches(inside, lesson);
    document_.lesson = std::move(lesson);
  });
}

void DocumentReader::read_answers(MapReader& map, Lesson& lesson) const {
  const auto read_one = [&](const Value& one) {
    one.map([&](MapReader& answer) {
      lesson.answers.push_back(read_figure_asked(answer));
      if (!answer.is_dry()) check_published(answer, lesson.answers.back());
    });
  };
  map.require_value("answers", "what the runs say; the first answers the question",
                    [&](const Value& list) {
                      list.list(read_one, {1, 20});
                    });
}

void DocumentReader::read_stretches(MapReader& map, Lesson& lesson) const {
  const auto read_one = [&](const Value& one) {
    one.map([&](MapReader& inside) {
      const Stretch stretch = read_stretch(inside);
      lesson.look_at.push_back(stretch);
      if (inside.is_dry()) return;
      check_variant(inside, "variant", stretch.variant);
      if (stretch.from >= stretch.to) inside.error_at("to", "must be later than from");
    });
  };
  map.value("look_at", "stretches of time to look at step by step",
            [&](const Value& list) { list.list(read_one); });
}

}  // namespace hotline::workload
