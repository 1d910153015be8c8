#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/machine/probe.hpp"
#include "sim/os/scheduler.hpp"
#include "sim/workload/observer.hpp"
#include "sim/workload/run.hpp"

/// What happens in a window of a run, kept in memory: for traces and pictures.
namespace hotline::measure {

using engine::SimTime;

/// What to keep.
struct TimelineWindow {
  /// Since the start of the run; nothing: where the measuring begins.
  std::optional<SimTime> from = std::nullopt;
  engine::Duration length = engine::Duration::from_ps(50'000'000);
  std::uint32_t sample = 1;  ///< only each so manieth change of a line is kept
  /// Spans, levels and arrows: when there are so many, the window ends, and what is under way then
  /// is kept up to there.
  std::size_t most = 1'000'000;
};

/// Who has tracks: `index` is a CpuId, LockId or LineId.
struct TrackId {
  enum class Kind : std::uint8_t { kCpu, kLock, kLine };
  Kind kind = Kind::kCpu;
  std::uint32_t index = 0;
  friend constexpr auto operator<=>(TrackId, TrackId) = default;
};

/// Something that lasts: on a CPU what its thread does, on a lock who holds it, on a line its state
/// and owner. Spans of a track lie inside each other or apart.
struct TimelineSpan {
  enum class Kind : std::uint8_t { kRunning, kSpinning, kBlocked, kHeld, kOwned, kShared };
  TrackId track;
  Kind kind = Kind::kRunning;
  SimTime begin, end;
  std::string name;
};

/// How many threads wait for a lock, from `when` on.
struct TimelineLevel {
  TrackId track;
  SimTime when;
  std::uint32_t waiting = 0;
};

/// From one CPU to another: a lock handed over, or a line that one lost to the other.
struct TimelineArrow {
  enum class Kind : std::uint8_t { kHandOver, kLineMoved };
  Kind kind = Kind::kHandOver;
  TrackId from, to;
  SimTime left, arrived;
  std::string name;
};

struct Timeline {
  SimTime from, to;
  bool complete = true;  ///< false if the most was reached
  std::map<TrackId, std::string> tracks;
  std::vector<TimelineSpan> spans;
  std::vector<TimelineLevel> levels;
  std::vector<TimelineArrow> arrows;
};

/// Listens to a run and keeps a window of it.
class TimelineRecorder : public workload::Observer, public machine::Probe, public os::CpuWatcher {
 public:
  explicit TimelineRecorder(TimelineWindow window);
  /// Must be called before the run; the run must outlive the recorder's last event.
  void attend(const workload::Run& run) { run_ = &run; }

  void measurement_began(SimTime now) override;
  void measurement_ended(SimTime now) override;
  void thread_began(workload::ThreadId thread, SimTime now) override;
  void thread_ended(workload::ThreadId thread, SimTime now) override;
  void acquire_began(workload::ThreadId thread, workload::LockId lock, workload::CallSiteId site,
                     SimTime now) override;
  void acquired(workload::ThreadId thread, workload::LockId lock, workload::CallSiteId site,
                bool waited, SimTime now) override;
  void release_began(workload::ThreadId thread, workload::LockId lock, SimTime now) override;
  void filled(machine::LineId line, machine::CoreId core, bool exclusive, SimTime when) override;
  void missed(machine::CpuId cpu, const machine::Access& access, machine::Source source,
              engine::Duration stalled, SimTime when) override;
  void transferred(machine::LineId line, machine::CoreId from, machine::CoreId to, bool exclusive,
                   SimTime when) override;
  void switched(machine::CpuId cpu, os::Thread* from, os::Thread* to) override;

  /// What was kept, in the order of begin; valid after the run.
  [[nodiscard]] Timeline take();

 private:
  using Span = TimelineSpan;
  /// A span that has not ended. Its name is only made when it is kept.
  struct Open {
    SimTime since;
    Span::Kind kind = Span::Kind::kRunning;
    std::uint32_t index = 0;             ///< a LockId, a CoreId, or the number of readers
    const os::Thread* thread = nullptr;  ///< who runs, has blocked, or holds alone
  };
  struct Released {
    TrackId cpu;
    SimTime when;
  };
  struct Moving {
    machine::CoreId from;
    SimTime when;
  };

  /// True from the end of the window on, which is now if there is no room for more.
  bool is_over(SimTime now);
  void end(SimTime now);
  [[nodiscard]] std::string name_of(const Open& open) const;
  void keep(TrackId track, const Open& open, SimTime end);
  void close(std::map<std::uint32_t, Open>& spans, TrackId::Kind kind, std::uint32_t index,
             SimTime now);
  void note_holders(workload::LockId lock, SimTime now);
  /// True if that is news and to be kept.
  bool note_line(machine::LineId line, machine::CoreId core, bool exclusive, SimTime now);
  void note_level(workload::LockId lock, std::int32_t change, SimTime now);
  void keep_arrow(TimelineArrow arrow);
  [[nodiscard]] TrackId track_of(workload::ThreadId thread) const;
  [[nodiscard]] std::uint32_t cpu_of(workload::ThreadId thread) const;

  TimelineWindow window_;
  const workload::Run* run_ = nullptr;
  Timeline result_;  // its bounds are those of the window as far as they are known
  std::map<std::uint32_t, Open> running_;   // by CPU: the thread it runs, or that has blocked
  std::map<std::uint32_t, Open> spinning_;  // by CPU: for a lock
  std::map<std::uint32_t, Open> waits_;     // by thread that does not have its CPU
  std::map<std::uint32_t, Open> held_;      // by lock
  std::map<std::uint32_t, Open> lines_;     // by line
  std::map<std::uint32_t, std::vector<const os::Thread*>> holders_;   // by lock
  std::map<std::uint32_t, std::uint32_t> queues_;                     // by lock
  std::map<std::uint32_t, Released> released_;                        // by lock
  std::map<std::pair<std::uint32_t, std::uint32_t>, Moving> moving_;  // by line and core
  struct LineState {
    machine::CoreId core;
    bool exclusive = false;
    std::uint32_t changes = 0;
  };
  std::map<std::uint32_t, LineState> states_;  // by line
};

}  // namespace hotline::measure
