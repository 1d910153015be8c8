#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/machine/probe.hpp"
#include "sim/workload/observer.hpp"
#include "sim/workload/run.hpp"

namespace hotline::measure {

/// One request for a line on its way, from the miss to the fill.
struct Journey {
  /// At a keeper: since when it waited there, when it was taken up, and behind whom it waited.
  struct Visit {
    std::uint32_t keeper = 0;
    engine::SimTime arrived, taken_up;
    std::optional<machine::CoreId> behind;
  };
  machine::Request what = machine::Request::kCopy;
  engine::SimTime asked, departed, filled;
  std::vector<Visit> visits;
  std::optional<machine::CoreId> supplier;  ///< whose cache the data came from, if a core's
  engine::SimTime supplied;                 ///< when the snoop reached it
};

/// Something that a core did to a line, or a thread to a lock.
struct Step {
  enum class Kind : std::uint8_t {
    kAsked,      ///< a miss: the core asks for the line
    kTakenUp,    ///< a keeper takes up the request of the core (the last of `journey.visits`)
    kGaveUp,     ///< the core's copy is gone, for the sake of `other`
    kShared,     ///< the core owned the line and now shares it with `other`
    kFilled,     ///< the line has come; `journey` says how
    kPerformed,  ///< an operation is done, or is in the store buffer
    kCommitted,  ///< a store has left the store buffer
    kWants,      ///< the thread on this core wants a lock that the one on `other` holds
    kHolds,      ///< it has the lock
    kReleases,   ///< it begins to give the lock back
  };
  Kind kind = Kind::kAsked;
  engine::SimTime at;
  machine::CoreId core;
  machine::LineId line;
  std::optional<machine::CoreId> other;
  char before = 'I';  ///< state of the core's copy
  char after = 'I';
  Journey journey;
  machine::Access access;
  machine::Value result = 0;
  workload::LockId lock;
};

/// Listens to a run and keeps what happens between two times, in the order of time. The run should
/// serve waiters one by one (RunOptions::batching off), so that every look of a spin loop is told.
class StepRecorder : public machine::Probe, public workload::Observer {
 public:
  /// At most `most` steps are kept.
  StepRecorder(engine::SimTime from, engine::SimTime to, std::size_t most)
      : from_(from), to_(to), most_(most) {}

  void listen_to(const workload::Run& run) { run_ = &run; }

  void performed(machine::CpuId cpu, const machine::Access& access, machine::Value result,
                 bool missed, engine::SimTime at) override;
  void committed(machine::CpuId cpu, machine::Word word, machine::Value value,
                 engine::SimTime at) override;
  void asked(machine::LineId line, machine::CoreId core, machine::Request what, engine::SimTime at,
             engine::SimTime departs) override;
  void taken_up(machine::LineId line, machine::CoreId core, std::uint32_t keeper,
                engine::SimTime arrived, engine::SimTime at) override;
  void filled(machine::LineId line, machine::CoreId core, bool exclusive,
              engine::SimTime at) override;
  void transferred(machine::LineId line, machine::CoreId from, machine::CoreId to, bool exclusive,
                   engine::SimTime at) override;
  void invalidated(machine::LineId line, machine::CoreId core, engine::SimTime at) override;

  void acquire_began(workload::ThreadId thread, workload::LockId lock, workload::CallSiteId site,
                     engine::SimTime at) override;
  void acquired(workload::ThreadId thread, workload::LockId lock, workload::CallSiteId site,
                bool waited, engine::SimTime at) override;
  void release_began(workload::ThreadId thread, workload::LockId lock, engine::SimTime at) override;

  /// In the order of time; to be called once, after the run.
  [[nodiscard]] std::vector<Step> take();
  /// Whether there was more than could be kept.
  [[nodiscard]] bool overflowed() const { return overflowed_; }

 private:
  using Place = std::pair<machine::LineId, machine::CoreId>;

  void keep(Step step);
  char& state_of(machine::LineId line, machine::CoreId core);
  void set_state(Step& step, char state);
  [[nodiscard]] engine::SimTime when_free(machine::LineId line, machine::CoreId core,
                                          engine::SimTime at) const;
  [[nodiscard]] machine::CoreId core_of(workload::ThreadId thread) const;

  engine::SimTime from_, to_;
  std::size_t most_;
  bool overflowed_ = false;
  const workload::Run* run_ = nullptr;
  std::vector<Step> steps_;
  std::map<Place, char> states_;
  std::map<Place, Journey> under_way_;
  std::map<Place, engine::SimTime> busy_until_;  // of the core's last operation on the line
  std::map<machine::LineId, machine::CoreId> owner_to_be_;  // whose request for ownership is served
  std::map<std::pair<machine::LineId, std::uint32_t>, machine::CoreId> served_last_;  // by keeper
  std::map<workload::LockId, machine::CoreId> holders_;  // of several readers, the last
};

}  // namespace hotline::measure
