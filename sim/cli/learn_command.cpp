#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "sim/cli/command.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/scenario_options.hpp"
#include "sim/cli/terminal.hpp"
#include "sim/cli/workload_files.hpp"
#include "sim/experiment/comparison.hpp"
#include "sim/experiment/runner.hpp"
#include "sim/experiment/stretch.hpp"
#include "sim/input/quantity.hpp"
#include "sim/input/suggest.hpp"
#include "sim/report/lesson_report.hpp"
#include "sim/report/page.hpp"
#include "sim/report/whole_file.hpp"

namespace hotline::cli {

namespace {

namespace fs = std::filesystem;
using workload::Workload;

struct LearnOptions {
  std::string name;
  std::optional<double> prediction;
  std::string pages;
};

/// A lesson with the file it stands in.
struct LessonFile {
  std::string name;
  fs::path file;
  Workload workload;

  [[nodiscard]] const workload::Lesson& lesson() const { return *workload.lesson(); }
};

std::vector<LessonFile> lesson_files() {
  std::vector<LessonFile> lessons;
  for (const fs::path& file : workload_files(workload_folder() / "lessons")) {
    Workload workload = Workload::load(file);
    if (workload.lesson()) lessons.push_back({file.stem().string(), file, std::move(workload)});
  }
  return lessons;
}

LessonFile find_lesson(const std::string& name) {
  std::vector<LessonFile> lessons = lesson_files();
  std::vector<std::string> names;
  for (LessonFile& lesson : lessons) {
    if (lesson.name == name) return std::move(lesson);
    names.push_back(lesson.name);
  }
  throw UserError("there is no lesson \"" + name + "\"; " + input::suggestion(name, names));
}

int list_lessons() {
  report::TextTable table;
  table.column("LESSON", report::Align::kLeft);
  table.column("QUESTION", report::Align::kLeft);
  for (const LessonFile& lesson : lesson_files()) {
    table.row({lesson.name, lesson.lesson().question});
  }
  std::cout << table.text(terminal_style()) << "\nhotline learn LESSON asks it.\n";
  return kDone;
}

/// Runs what the answers need.
std::vector<experiment::Check> answers_of(const LessonFile& lesson) {
  const std::vector<workload::Published>& asked = lesson.lesson().answers;
  const auto figures = experiment::figures_of(asked);
  const auto needed = experiment::needed_for(asked, lesson.workload.points());
  std::vector<experiment::Case> cases;
  for (const experiment::Needed& one : needed) {
    for (const std::string& variant : one.variants) {
      cases.push_back({lesson.workload.scenario(variant, *one.point), one.point->label, figures});
    }
  }
  std::vector<experiment::ComparedPoint> points;
  if (!cases.empty()) {
    const workload::MeasureSpec& measure = cases.front().scenario.measure;
    experiment::Settings settings;
    settings.seed = measure.seed;
    settings.replications = measure.replications;
    ProgressLine progress("learn " + lesson.name);
    std::vector<experiment::Outcome> outcomes = experiment::run_cases(
        cases, settings, [&](std::size_t done, std::size_t all) { progress.update(done, all); });
    auto next = outcomes.begin();
    for (const experiment::Needed& one : needed) {
      const auto end = next + static_cast<std::ptrdiff_t>(one.variants.size());
      points.push_back(
          experiment::compare_point({std::make_move_iterator(next), std::make_move_iterator(end)}));
      next = end;
    }
  }
  return experiment::check_published(asked, points);
}

/// Asks for a number on a terminal; an empty line predicts nothing.
std::optional<double> ask() {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) return std::nullopt;
  for (;;) {
    std::cout << "\n  Your prediction (Enter: none): " << std::flush;
    std::string line;
    if (!std::getline(std::cin, line) || line.empty()) return std::nullopt;
    const input::Parsed<double> number = input::parse_decimal(line);
    if (number.value) return number.value;
    std::cout << "  " << number.problem << "\n";
  }
}

int teach(const LearnOptions& options) {
  const LessonFile lesson = find_lesson(options.name);
  const report::Style style = terminal_style();
  std::cout << report::lesson_question_text(lesson.lesson(), style);
  const std::optional<double> prediction = options.prediction ? options.prediction : ask();
  std::cout << std::flush;
  std::cout << report::lesson_answer_text(lesson.lesson(), answers_of(lesson), prediction,
                                          lesson.file.string(), style);
  return kDone;
}

std::string page_of(const LessonFile& lesson) {
  std::vector<report::Narrative> stretches;
  for (const workload::Stretch& stretch : lesson.lesson().look_at) {
    const workload::Scenario scenario = lesson.workload.scenario(stretch.variant);
    const engine::SimTime from = engine::SimTime() + stretch.from;
    const engine::SimTime to = engine::SimTime() + stretch.to;
    const experiment::WatchedRun watched =
        experiment::watch(scenario, scenario.measure.seed, from, to);
    stretches.push_back(report::narrate(*watched.run, watched.steps, from, to, watched.is_cut));
  }
  return report::lesson_page(
      report::lesson_json(lesson.name, lesson.lesson(), answers_of(lesson), stretches));
}

int write_pages(const LearnOptions& options) {
  if (!report::has_page()) throw UserError(report::kNoPage);
  std::vector<LessonFile> lessons;
  if (options.name.empty()) {
    lessons = lesson_files();
  } else {
    lessons.push_back(find_lesson(options.name));
  }
  for (const LessonFile& lesson : lessons) {
    const fs::path file = fs::path(options.pages) / (lesson.name + ".html");
    report::check_can_write(file);
    report::write_whole(file, page_of(lesson));
    std::cout << file.string() << "\n";
  }
  return kDone;
}

}  // namespace

void add_learn(CLI::App& app, Work& work) {
  auto options = std::make_shared<LearnOptions>();
  CLI::App* command = app.add_subcommand("learn", "List the lessons, or take one");
  command->add_option("lesson", options->name, "which")->type_name("LESSON");
  command->add_option("--predict", options->prediction, "your answer, before the run gives its own")
      ->type_name("NUMBER");
  command
      ->add_option("--pages", options->pages,
                   "write the lesson, or all of them, as HTML pages into this folder")
      ->type_name("FOLDER");
  command->footer(
      "Examples:\n"
      "  hotline learn false-sharing --predict 2\n"
      "  hotline learn --pages docs/lessons");
  command->callback([options, &work] {
    work = [options] {
      if (!options->pages.empty()) return write_pages(*options);
      return options->name.empty() ? list_lessons() : teach(*options);
    };
  });
}

}  // namespace hotline::cli
