#include "sim/report/grace_period_report.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "sim/report/format.hpp"

namespace hotline::report {

namespace {

using engine::Duration;
using model::Milestone;
using model::Quiescence;
using model::RcuEvent;

/// "0-3, 7" of sorted numbers.
std::string ranges(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (std::size_t from = 0; from < numbers.size();) {
    std::size_t to = from;
    while (to + 1 < numbers.size() && numbers[to + 1] == numbers[to] + 1) ++to;
    text += text.empty() ? "" : ", ";
    text += from == to ? std::to_string(numbers[from])
                       : fmt::format("{}-{}", numbers[from], numbers[to]);
    from = to + 1;
  }
  return text;
}

const char* how(const RcuEvent& event) {
  switch (static_cast<Quiescence>(event.count)) {
    case Quiescence::kReported:
      return "quiescent state, reported";
    case Quiescence::kIdle:
      return "quiescent: found idle";
    case Quiescence::kWasIdle:
      return "quiescent: has been idle meanwhile";
    case Quiescence::kOwn:
      return "quiescent: runs the thread that asks";
    case Quiescence::kInterrupted:
      return "quiescent state, reported by the interrupt's handler";
  }
  return "";
}

std::string scans(std::ptrdiff_t times, std::uint64_t missing) {
  return fmt::format("forced scan for idle CPUs{}; {} missing",
                     times == 1 ? "" : fmt::format(", {} times", times),
                     missing == 1 ? "1 is" : fmt::format("{} are", missing));
}

std::string what(const RcuEvent& event, std::ptrdiff_t times) {
  switch (event.what) {
    case Milestone::kRequested:
      return event.expedited ? "request: a caller wants an expedited grace period"
                             : "request: a caller queues a callback and sleeps";
    case Milestone::kMadeNormal:
      return "request: expedited, which this kernel makes normal";
    case Milestone::kNoticed:
      return "its tick has found the callback and asks for a grace period";
    case Milestone::kStarted:
      return "start";
    case Milestone::kReached:
      return "the node of these CPUs has it";
    case Milestone::kScanned:
      return scans(times, event.count);
    case Milestone::kInterrupted:
      return "interrupted";
    case Milestone::kQuiescent:
      return how(event);
    case Milestone::kPreempted:
      return "a reader is preempted";
    case Milestone::kNodeQuiet:
      return "the node of these CPUs is quiet";
    case Milestone::kEnded:
      return "end";
    case Milestone::kInvoked:
      return event.count == 1 ? "a callback invoked"
                              : fmt::format("{} callbacks invoked", event.count);
    case Milestone::kReturned:
      return "the caller goes on";
    case Milestone::kJoined:
      return "joins a grace period that another caller drives";
  }
  return "";
}

/// What happens to each CPU of a big machine in an expedited grace period fills pages.
bool is_detail(const RcuEvent& event) {
  return event.expedited &&
         (event.what == Milestone::kInterrupted || event.what == Milestone::kQuiescent);
}

bool has_cpu(const RcuEvent& event) {
  return event.what != Milestone::kStarted && event.what != Milestone::kScanned &&
         event.what != Milestone::kEnded;
}

/// Whether both are the same thing about different CPUs.
bool alike(const RcuEvent& a, const RcuEvent& b) {
  const bool groups = has_cpu(a) || a.what == Milestone::kScanned;
  return groups && a.what == b.what && a.count == b.count && a.expedited == b.expedited;
}

std::vector<std::uint32_t> cpus_of(const RcuEvent* first, const RcuEvent* last) {
  std::vector<std::uint32_t> cpus;
  for (const RcuEvent* event = first; event != last; ++event) {
    for (std::uint32_t cpu = event->cpu; cpu <= event->last_cpu; ++cpu) cpus.push_back(cpu);
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string microseconds(Duration duration) {
  return fmt::format("{:.2f}", static_cast<double>(duration.ps()) / 1e6);
}

}  // namespace

std::string grace_period_text(const machine::Topology& topology,
                              const experiment::GracePeriodSetup& setup,
                              const experiment::GracePeriodTimeline& timeline, const Style& style) {
  const std::string callers =
      setup.callers == 1 ? "one caller" : fmt::format("{} callers", setup.callers);
  std::string text = wrap(fmt::format(
      "{}: {} of {} grace period, HZ={}, preemption {}; {} other CPUs of {} compute in {}",
      topology.description().name, callers, setup.expedited ? "an expedited" : "a normal",
      setup.os.hz, os::kPreemptionNames[static_cast<std::size_t>(setup.os.preemption)], setup.busy,
      topology.cpus(), setup.in_kernel ? "the kernel" : "user mode"));
  TextTable table;
  table.column("us", Align::kRight);
  table.column("step", Align::kRight);
  table.column("CPUS", Align::kLeft);
  table.column("WHAT", Align::kLeft);
  Duration before;
  std::vector<RcuEvent> events = timeline.events;
  if (!setup.details) std::erase_if(events, is_detail);
  const RcuEvent* const end = events.data() + events.size();
  for (const RcuEvent* first = events.data(); first != end;) {
    const RcuEvent* last = first + 1;
    while (last != end && alike(*first, *last)) ++last;
    const Duration at = (last - 1)->at - timeline.requested;
    table.row({microseconds(at), microseconds(at - before),
               has_cpu(*first) ? cut(ranges(cpus_of(first, last)), 24) : "",
               what(*first, last - first)});
    before = at;
    first = last;
  }
  text += "\n" + table.text(style);
  const auto interrupts =
      std::count_if(timeline.events.begin(), timeline.events.end(),
                    [](const RcuEvent& event) { return event.what == Milestone::kInterrupted; });
  if (setup.expedited) text += fmt::format("\n{} CPUs interrupted\n", interrupts);
  if (!timeline.over) {
    return text +
           "\nnot over after ten seconds: a CPU neither switches, idles nor returns to user mode\n";
  }
  const Duration latency = timeline.returned - timeline.requested;
  return text + fmt::format("\nlatency {} ({:.2f} ticks)\n", duration_text(latency),
                            latency.ns() * setup.os.hz / 1e9);
}

}  // namespace hotline::report
