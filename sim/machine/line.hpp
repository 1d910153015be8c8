#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/engine/event_queue.hpp"
#include "sim/machine/child_set.hpp"
#include "sim/machine/legs.hpp"
#include "sim/machine/line_statistics.hpp"
#include "sim/machine/operation.hpp"
#include "sim/machine/types.hpp"

/// What the coherence engine keeps of each line: its bytes, who holds it, and what is under way.
namespace hotline::machine {

class Coherence;
class Port;
struct Desk;
struct Job;
struct Line;
struct Snoop;

/// What is asked of a keeper: by a child (a copy, ownership, an atomic executed far; a copy for a
/// batched waiter) or, as a snoop, by the keeper above (give a copy, give everything).
enum class Ask : std::uint8_t { kRead, kOwn, kFar, kWatch, kSnoopRead, kSnoopOwn };

constexpr bool is_snoop(Ask ask) { return ask >= Ask::kSnoopRead; }

inline constexpr std::size_t kMaxLevels = 3;  ///< cluster agent, socket agent, home

/// One core's request for one line, from the miss to the fill. Its event is what it comes to next:
/// a keeper on the way down, the fill, or the reply of an atomic executed far.
struct Transaction : engine::Event {
  struct Waiter {
    Port* port = nullptr;
    bool store_buffer = false;  ///< its store buffer waits, not its present operation
  };

  explicit Transaction(Coherence& machine) : coherence(&machine) {}
  void join(const Waiter& waiter) {
    if (first.port == nullptr) {
      first = waiter;
    } else {
      joined.push_back(waiter);
    }
  }

  Coherence* coherence;
  Transaction* next = nullptr;  ///< under way from the same core
  Line* line = nullptr;
  Desk* at = nullptr;  ///< where it is going, waiting, or being served
  SimTime departed;
  SimTime arrives;  ///< the fill, once it is under way
  CoreId core;
  Ask ask = Ask::kRead;
  Source source;            ///< of the data
  bool exclusive = false;   ///< what is granted: a read of an unshared line gives it exclusive
  std::uint32_t holds = 0;  ///< the core and the jobs that still refer to it
  Waiter first;             ///< a prefetch has none
  std::vector<Waiter> joined;
  /// When (in the order of the machine's decisions) the keeper of each level granted it; 0: not
  /// yet.
  std::array<std::uint64_t, kMaxLevels> granted{};
  Snoop* deferred = nullptr;  ///< reached the core before the fill: waits for the first operation
  SimTime deferred_since;
  Access far_access;
  Value far_result = 0;
};

/// What a snoop asks for, and for whom.
struct SnoopMessage {
  Transaction* requester = nullptr;
  bool own = false;       ///< give everything, not only a copy
  bool supplies = false;  ///< the child is the owner: its data goes to the requester
};

/// One keeper's message to a child.
struct Snoop : engine::Event, SnoopMessage {
  explicit Snoop(Coherence& machine) : coherence(&machine) {}

  Coherence* coherence;
  Snoop* next = nullptr;   ///< in the pool
  Job* job = nullptr;      ///< what waits for the answer; null: nothing does
  Desk* desk = nullptr;    ///< of the agent it goes to; of the lowest keeper, if it goes to a core
  CoreId core;             ///< the target, where it is a core
  Duration hop;            ///< to that core, and back
  std::uint64_t sent = 0;  ///< in the order of the machine's decisions
};

/// A request or a snoop in a keeper's queue for one line, in order of arrival, which may lie in the
/// future. A batched waiter's read has no transaction yet, only its port.
struct Entry {
  SimTime arrival;
  union {
    Transaction* transaction;
    Port* watcher;  ///< Ask::kWatch
    Snoop* snoop;   ///< Ask::kSnoopRead, kSnoopOwn
  };
  std::uint32_t requester = 0;  ///< the core, which orders simultaneous arrivals
  std::uint32_t child = 0;
  Ask ask = Ask::kRead;
};

/// What a keeper is doing for one line: it waits for answers from below or for a grant from above.
struct Job : engine::Event {
  Desk* desk = nullptr;
  bool active : 1 = false;
  bool above : 1 = false;       ///< passed on to the keeper above
  bool data_here : 1 = false;   ///< the grant from above has come
  bool confirming : 1 = false;  ///< granted, waits for the requester's confirmation (TakeUp)
  bool direct : 1 = false;      ///< the old owner sends the data
  bool data_waits : 1 = false;  ///< the domain's data leaves when its copies are gone
  std::uint32_t pending = 0;
  SimTime last_answer;
  SimTime data_ready;  ///< when this keeper can send the data, if no owner does
  Entry entry{};
};

enum class Rights : std::uint8_t { kNone, kShared, kExclusive };

/// One keeper's record of one line.
struct Desk : engine::Event {  // fires to take up the next entry
  Coherence* coherence = nullptr;
  Line* line = nullptr;
  const Keeper* place = nullptr;
  Desk* parent = nullptr;  ///< null for the home
  std::uint32_t keeper = 0;
  std::uint32_t child_of_parent = 0;
  std::int32_t owner = -1;        ///< the child that has it exclusive
  std::int32_t forwarder = -1;    ///< the child that supplies a Shared line (MESIF, MOESI; homes)
  Rights rights = Rights::kNone;  ///< of the whole domain
  bool decides_late = false;      ///< when its snoop arrives, if that is all it will send
  bool planned = false;           ///< the desk's own event is pending, for `planned_at`
  std::int32_t snooped = -1;      ///< it comes with the arrival of the snoop it will send there
  engine::EventId plan{};
  std::uint32_t head = 0;  ///< entries of the queue before it are gone
  SimTime planned_at;
  SimTime free_at;
  std::vector<Entry> queue;
  ChildSet sharers;             ///< children with a copy, as this keeper knows it
  ChildSet copies;              ///< cores with a copy, as they themselves know it (level 0)
  Job turn;                     ///< the one in turn
  std::unique_ptr<Job> urgent;  ///< a snoop that may not wait for it; made when there is one

  bool queue_empty() const { return head == queue.size(); }
  bool answers_urgent_snoop() const { return urgent && urgent->active; }
};

struct Line {
  Line(LineId number, NodeId node, Spot place) : id(number), home(node), slice(place) {}

  LineId id;
  NodeId home;
  Spot slice;
  std::int32_t exclusive_core = -1;  ///< the core that holds it E or M, as the core knows it
  bool dirty = false;
  SimTime busy_until;  ///< of the exclusive core's operation in progress
  std::array<std::uint64_t, 16> bytes{};
  std::unique_ptr<Desk*[]> desks;  ///< by agent; the last one is the home's
  std::unique_ptr<LineStatistics> statistics;
};

}  // namespace hotline::machine
