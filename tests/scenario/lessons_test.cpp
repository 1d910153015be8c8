#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/experiment/comparison.hpp"
#include "sim/experiment/runner.hpp"
#include "tests/catch.hpp"
#include "tests/scenario/support.hpp"

// The lessons on hangs: the broken variant stops with its diagnosis, the cured one gets work done.
namespace hotline::tests {
namespace {

struct Lesson {
  workload::Ending ending = workload::Ending::kTimeUp;
  std::uint64_t work = 0;
  std::vector<std::string> stuck;
};

Lesson lesson(const std::string& file, std::string_view variant) {
  const auto read = workload::Workload::load("workloads/lessons/" + file);
  workload::Run run(read.scenario(variant), {});
  Lesson lesson;
  lesson.ending = run.run();
  lesson.work = run.work({0});
  if (lesson.ending == workload::Ending::kStuck) lesson.stuck = run.stuck();
  return lesson;
}

void check_cured(const std::string& file, std::string_view variant) {
  const Lesson cured = lesson(file, variant);
  CHECK(cured.ending == workload::Ending::kTimeUp);
  CHECK(cured.work > 100);
}

}  // namespace

TEST_CASE("a lock inversion is reported as the cycle it is, with both call chains") {
  const Lesson broken = lesson("lock-inversion.yaml", "inverted");
  REQUIRE(broken.ending == workload::Ending::kStuck);
  REQUIRE(broken.stuck.size() == 3);
  CHECK(broken.stuck[0] ==
        "deadlock: payer[0] waits for journal, which auditor[0] holds; auditor[0] waits for "
        "accounts, which payer[0] holds");
  CHECK_THAT(broken.stuck[1], contains_text("payer[0]: CPU 0, spinning; holds accounts; waits for "
                                            "journal, held by auditor[0], since "));
  CHECK_THAT(broken.stuck[1], contains_text("; in pay; at workloads/lessons/lock-inversion.yaml:"));
  CHECK_THAT(broken.stuck[2], contains_text("; in audit; at "));
  check_cured("lock-inversion.yaml", "ordered");
}

TEST_CASE("a lost wake-up is reported with who sleeps") {
  const Lesson broken = lesson("lost-wake-up.yaml", "lost");
  REQUIRE(broken.ending == workload::Ending::kStuck);
  CHECK(broken.stuck[0] == "lost wake-up: consumer[0] waits for a wake");
  CHECK_THAT(broken.stuck[1], contains_text("consumer[0]: CPU 0, asleep; waits for a wake since "));
  CHECK_THAT(broken.stuck[1], contains_text("; in take; at "));
  check_cured("lost-wake-up.yaml", "prepared");
}

TEST_CASE("signals to the wrong side of a queue are reported as lost wake-ups") {
  const Lesson broken = lesson("bounded-queue.yaml", "one-condition");
  REQUIRE(broken.ending == workload::Ending::kStuck);
  REQUIRE(broken.stuck.size() == 16);
  CHECK(broken.stuck[0] == "lost wake-up: producers[0] waits for a signal of not_empty");
  CHECK_THAT(broken.stuck[8], contains_text("producers[0]: CPU "));
  CHECK_THAT(broken.stuck[8], contains_text("asleep; waits for a signal of not_empty since "));
  CHECK_THAT(broken.stuck[8], contains_text("; in put > wait_for_room; at "));
  check_cured("bounded-queue.yaml", "signal");
}

TEST_CASE("a queue lock that forgets its waiters hangs with nobody holding it") {
  const Lesson broken = lesson("forgotten-waiter.yaml", "broken");
  REQUIRE(broken.ending == workload::Ending::kStuck);
  CHECK(broken.stuck[0] ==
        "lost hand-over: workers[0] and 15 more wait for inode_sb_list_lock, which nobody holds");
  CHECK_THAT(broken.stuck.back(), contains_text("spinning; waits for inode_sb_list_lock since "));
  check_cured("forgotten-waiter.yaml", "whole");
}

TEST_CASE("priority inversion is reported with the holder and who has its CPU") {
  const Lesson broken = lesson("priority-inversion.yaml", "inverted");
  REQUIRE(broken.ending == workload::Ending::kStuck);
  CHECK(broken.stuck[0] ==
        "starvation: low[0], which holds lock, is ready to run but has no CPU: middle[0] "
        "(real-time 50) has CPU 0");
  check_cured("priority-inversion.yaml", "elsewhere");
}

TEST_CASE("a fair lock collapses with more threads than CPUs, an unfair one does not") {
  const auto rate = [](std::string_view variant, std::uint32_t threads) {
    const Request request{.file = "lessons/too-many-threads.yaml",
                          .variant = variant,
                          .threads = threads,
                          .scale = 0.5};
    return run(request).work_per_us;
  };
  CHECK(rate("ticket", 4) > 20 * rate("ticket", 5));
  CHECK(rate("ttas", 4) < 3 * rate("ttas", 5));
}

TEST_CASE("every lesson has an answer to each of its questions, and they lie the right way") {
  // The direction that the lesson's explanation claims; how far is the run's to say.
  const std::map<std::string, std::pair<double, double>> claimed{
      {"false-sharing", {1.5, 1000}},
      {"read-then-write", {1.05, 10}},
      {"ticket-against-mcs", {1.1, 100}},
      {"test-and-set-release", {1.2, 1000}},
      {"readers-lock-against-rcu", {2, 1000}},
      {"percpu-counter", {2, 1000}},
      {"numa-home", {0.05, 0.95}},
      {"store-buffer", {0.05, 0.95}},
      {"bounded-queue", {1.05, 100}},
      {"lock-holder-preemption", {0, 0.5}}};
  for (const auto& [name, range] : claimed) {
    CAPTURE(name);
    const auto read = workload::Workload::load("workloads/lessons/" + name + ".yaml");
    REQUIRE(read.lesson());
    const auto& asked = read.lesson()->answers;
    std::vector<experiment::ComparedPoint> points;
    for (const auto& one : experiment::needed_for(asked, read.points())) {
      std::vector<experiment::Case> cases;
      for (const std::string& variant : one.variants) {
        cases.push_back({read.scenario(variant, *one.point), "", experiment::figures_of(asked)});
      }
      experiment::Settings settings;
      settings.replications = 2;
      points.push_back(experiment::compare_point(experiment::run_cases(cases, settings)));
    }
    const auto answers = experiment::check_published(asked, points);
    for (const auto& answer : answers) {
      CAPTURE(answer.published.name);
      CHECK(answer.predicted);
    }
    REQUIRE(answers.front().predicted);
    CHECK(answers.front().predicted->mean >= range.first);
    CHECK(answers.front().predicted->mean <= range.second);
  }
}

}  // namespace hotline::tests
