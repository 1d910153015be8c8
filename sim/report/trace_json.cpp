#include "sim/report/trace_json.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

#include "sim/measure/view_rows.hpp"

namespace hotline::report {

using engine::SimTime;
using measure::Timeline;
using measure::TimelineArrow;
using measure::TimelineLevel;
using measure::TimelineSpan;
using measure::TrackId;

namespace {

std::string quoted(const std::string& text) {
  return boost::json::serialize(boost::json::value(text));
}

std::string microseconds(std::uint64_t ps) {
  return fmt::format("{}.{:06}", ps / 1'000'000, ps % 1'000'000);
}

std::uint32_t process_of(TrackId::Kind kind) { return static_cast<std::uint32_t>(kind) + 1; }

std::string place(TrackId track) {
  return fmt::format("\"pid\":{},\"tid\":{}", process_of(track.kind), track.index);
}

/// Writes the events one after another, with commas between them.
class Writer {
 public:
  void event(const std::string& members) {
    text_ += (text_.empty() ? "\n{" : ",\n{") + members + "}";
  }

  void metadata(const char* what, const std::string& where, const std::string& name) {
    event(fmt::format("\"ph\":\"M\",\"name\":\"{}\",{},\"args\":{{\"name\":{}}}", what, where,
                      quoted(name)));
  }

  void span(const TimelineSpan& span) {
    event(fmt::format("\"ph\":\"X\",\"cat\":\"{}\",\"name\":{},{},\"ts\":{},\"dur\":{}",
                      measure::span_name(span.kind), quoted(span.name), place(span.track),
                      microseconds(span.begin.ps()), microseconds((span.end - span.begin).ps())));
  }

  void level(const TimelineLevel& level, const std::string& lock) {
    event(fmt::format("\"ph\":\"C\",\"name\":{},{},\"ts\":{},\"args\":{{\"waiting\":{}}}",
                      quoted("waiting for " + lock), place(level.track),
                      microseconds(level.when.ps()), level.waiting));
  }

  void arrow(const TimelineArrow& arrow, std::size_t id) {
    const char* kind = arrow.kind == TimelineArrow::Kind::kHandOver ? "hand-over" : "invalidation";
    const auto end = [&](const char* ph, TrackId track, SimTime when) {
      event(fmt::format("\"ph\":\"{}\",\"cat\":\"{}\",\"name\":{},\"id\":{},{},\"ts\":{}{}", ph,
                        kind, quoted(arrow.name), id, place(track), microseconds(when.ps()),
                        ph[0] == 'f' ? ",\"bp\":\"e\"" : ""));
    };
    end("s", arrow.from, arrow.left);
    end("f", arrow.to, arrow.arrived);
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::string trace_json(const Timeline& timeline, const std::string& title) {
  Writer writer;
  constexpr std::pair<TrackId::Kind, const char*> kProcesses[] = {
      {TrackId::Kind::kCpu, "CPUs"},
      {TrackId::Kind::kLock, "Locks"},
      {TrackId::Kind::kLine, "Cache lines"}};
  for (const auto& [kind, name] : kProcesses) {
    writer.metadata("process_name", fmt::format("\"pid\":{}", process_of(kind)), name);
  }
  for (const auto& [track, name] : timeline.tracks) {
    writer.metadata("thread_name", place(track), name);
  }
  for (const TimelineSpan& span : timeline.spans) writer.span(span);
  for (const TimelineLevel& level : timeline.levels) {
    writer.level(level, timeline.tracks.at(level.track));
  }
  for (std::size_t i = 0; i < timeline.arrows.size(); ++i) {
    writer.arrow(timeline.arrows[i], i + 1);
  }
  return fmt::format(
      "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"title\":{},\"complete\":{}}},"
      "\"traceEvents\":[{}\n]}}\n",
      quoted(title), timeline.complete, writer.text());
}

}  // namespace hotline::report
