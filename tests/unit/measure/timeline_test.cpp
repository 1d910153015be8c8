#include "sim/measure/timeline.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/unit/workload/support.hpp"

using hotline::engine::Duration;
using hotline::engine::SimTime;
using hotline::measure::Timeline;
using hotline::measure::TimelineArrow;
using hotline::measure::TimelineRecorder;
using hotline::measure::TimelineSpan;
using hotline::measure::TimelineWindow;
using hotline::measure::TrackId;

namespace {

SimTime us(std::uint64_t time) { return SimTime::from_ps(time * 1'000'000); }

constexpr Duration kWhole = Duration::from_ps(100'000'000);

Timeline timeline(TimelineWindow window, std::optional<Duration> warm_up = {}) {
  const auto scenario = hotline::tests::scenario(R"(objects:
  gate: {model: ticket}
threads:
  worker:
    count: 3
    program:
      - loop:
          times: 50
          do: [{with: {lock: gate, do: [{compute: 100ns}]}}, {compute: 20ns}]
)");
  TimelineRecorder recorder(window);
  hotline::workload::Run run(
      scenario,
      {.warm_up = warm_up, .observer = &recorder, .probe = &recorder, .cpu_watcher = &recorder});
  recorder.attend(run);
  run.run();
  return recorder.take();
}

std::vector<TimelineSpan> on(const Timeline& timeline, TrackId::Kind kind) {
  std::vector<TimelineSpan> spans;
  for (const TimelineSpan& span : timeline.spans) {
    if (span.track.kind == kind) spans.push_back(span);
  }
  return spans;
}

}  // namespace

TEST_CASE("a timeline shows who runs, who waits, who holds and whose the line is") {
  const Timeline whole = timeline({us(0), kWhole});
  CHECK(whole.complete);
  const auto held = on(whole, TrackId::Kind::kLock);
  CHECK(held.size() == 150);
  for (std::size_t i = 1; i < held.size(); ++i) CHECK(held[i].begin >= held[i - 1].end);
  const auto count = [&](TimelineSpan::Kind kind) {
    return std::count_if(whole.spans.begin(), whole.spans.end(),
                         [&](const TimelineSpan& span) { return span.kind == kind; });
  };
  CHECK(count(TimelineSpan::Kind::kRunning) == 3);
  CHECK(count(TimelineSpan::Kind::kSpinning) > 100);
  CHECK(count(TimelineSpan::Kind::kOwned) > 100);  // each acquisition takes the line
  CHECK(on(whole, TrackId::Kind::kLine).size() > 100);
  CHECK(whole.levels.size() == 300);
  CHECK(whole.levels.back().waiting == 0);
  CHECK(std::any_of(whole.arrows.begin(), whole.arrows.end(), [](const TimelineArrow& arrow) {
    return arrow.kind == TimelineArrow::Kind::kHandOver && arrow.from != arrow.to &&
           arrow.arrived > arrow.left;
  }));
}

TEST_CASE("a window bounds a timeline, and so do sampling and the most events") {
  const Timeline whole = timeline({us(0), kWhole});
  const Timeline part = timeline({us(2), Duration::from_ps(2'000'000)});
  CHECK(part.spans.size() < whole.spans.size() / 2);
  for (const TimelineSpan& span : part.spans) {
    CHECK(span.begin >= us(2));
    CHECK(span.end <= us(4));
    CHECK(span.begin < span.end);
  }
  const auto lines = on(whole, TrackId::Kind::kLine).size();
  const auto sampled = on(timeline({us(0), kWhole, 10}), TrackId::Kind::kLine).size();
  CHECK(sampled < lines / 5);
  CHECK(sampled > lines / 20);
}

TEST_CASE("a timeline that is full ends there, with what is under way") {
  const Timeline whole = timeline({us(0), kWhole});
  const Timeline few = timeline({us(0), kWhole, 1, 200});
  CHECK_FALSE(few.complete);
  CHECK(few.to < whole.to);
  const std::size_t kept = few.spans.size() + few.levels.size() + few.arrows.size();
  CHECK(kept >= 190);
  CHECK(kept < 220);
  CHECK(std::all_of(few.spans.begin(), few.spans.end(),
                    [&](const TimelineSpan& span) { return span.end <= few.to; }));
  const auto cpus = on(few, TrackId::Kind::kCpu);
  CHECK(std::count_if(cpus.begin(), cpus.end(), [&](const TimelineSpan& span) {
          return span.kind == TimelineSpan::Kind::kRunning && span.end == few.to;
        }) == 3);
}

TEST_CASE("without a begin, a timeline begins where the measuring does") {
  const Timeline part =
      timeline({std::nullopt, Duration::from_ps(3'000'000)}, Duration::from_ps(1'000'000));
  CHECK(part.from == us(1));
  CHECK(part.to == us(4));
  CHECK(std::all_of(part.spans.begin(), part.spans.end(), [](const TimelineSpan& span) {
    return span.begin >= us(1) && span.end <= us(4);
  }));
  CHECK(part.spans.size() > 20);
}
