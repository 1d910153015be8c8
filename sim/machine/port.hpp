#pragma once

#include <coroutine>
#include <cstdint>
#include <vector>

#include "sim/engine/event.hpp"
#include "sim/machine/costs.hpp"
#include "sim/machine/line_statistics.hpp"
#include "sim/machine/operation.hpp"
#include "sim/machine/store_buffer.hpp"
#include "sim/machine/types.hpp"

namespace hotline::machine {

class Coherence;
struct Line;
struct Transaction;

/// Computing under way, whose pace changes when a sibling begins to compute or stops.
class Paced {
 public:
  Paced() = default;
  Paced(const Paced&) = delete;
  Paced& operator=(const Paced&) = delete;
  /// Goes on at the pace of the siblings of now; until now it went at the other one.
  virtual void change_pace(bool was_shared) = 0;

 protected:
  ~Paced() = default;
};

/// One hardware thread's way to memory: it issues one operation at a time and owns a store buffer.
/// An operation's coroutine is resumed through the event queue when the operation is performed.
class Port {
 public:
  Port(Coherence& coherence, CpuId cpu, CoreId core, NodeId node);
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;
  ~Port() = default;

  CpuId cpu() const { return cpu_; }
  CoreId core() const { return core_; }
  NodeId node() const { return node_; }

  /// Begins an operation; `waiting` is resumed when it is performed.
  void start(const Access& access, std::coroutine_handle<> waiting);
  /// Begins to look at `word` until `condition` holds, every `poll` (zero: at once after each
  /// invalidation); `waiting` is resumed when a look has succeeded.
  void spin(Word word, Condition condition, Duration poll, std::coroutine_handle<> waiting);

  /// Ends the spin loop under way after the look at hand: `then` is resumed, with the value seen
  /// last as the result. If the loop has ended by itself already, nothing changes.
  void interrupt_spin(std::coroutine_handle<> then);

  /// Whether writes that the thread has done are not seen by others yet.
  bool has_unseen_writes() const { return !stores_.empty() || !far_in_flight_.empty(); }
  /// The value the last operation saw before any write.
  Value result() const { return result_; }
  /// What the last operation takes as a hit, in the whole: the rest was stall.
  Duration hit_time() const { return hit_time_; }
  /// Where what the operation waited for last came from.
  Source source() const { return source_; }
  /// The length of one pause instruction at the present clock.
  Duration pause_time() const { return costs().pause; }
  /// Whether an SMT sibling computes: it takes its share of the core then, while one that waits for
  /// memory, pauses in a spin loop or sleeps leaves the core to this hardware thread (P10).
  bool shares_core() const;
  /// How long `length` of computing takes, beside a computing sibling or without one.
  Duration stretched(Duration length, bool shared) const;
  Duration stretched(Duration length) const { return stretched(length, shares_core()); }
  /// The computing that is done in `length`: the inverse of stretched().
  Duration unstretched(Duration length, bool shared) const;
  Duration unstretched(Duration length) const { return unstretched(length, shares_core()); }
  /// Says that `computing` begins, and ends.
  void begin_computing(Paced& computing);
  void end_computing();

  /// Says that a thread lives on this hardware thread and is busy, or has ended: busy cores set the
  /// clock (P11).
  void set_busy(bool busy);
  /// Says that a thread may become busy here at any moment; implied by the first set_busy(true).
  /// What is certain to happen is then no more than what this thread cannot change.
  void set_inhabited();
  bool busy() const { return busy_; }

 private:
  friend class Coherence;

  /// What the pending operation waits for.
  enum class Wait : std::uint8_t { kNothing, kLine, kRoom, kEmptyBuffer, kFarReply };

  /// The spin loop in progress. Looks happen at last_look + k * poll.
  struct Spin {
    Condition condition;
    Duration poll;
    SimTime last_look;
    bool idle = false;         ///< has a copy, and nothing to do until it goes (see begin_idling)
    bool interrupted = false;  ///< ends after the look at hand
  };

  struct Retry : engine::Event {
    Port* port = nullptr;
  };

  const Costs& costs() const { return costs_; }
  void begin_idling();
  void end_idling();
  bool adds_far_to(LineId line) const { return !far_in_flight_.empty() && has_far_add(line); }
  bool has_far_add(LineId line) const;

  // The pending operation.
  void run();
  void run_load();
  void run_store();
  void run_locked();
  void run_locked_elsewhere(Line& line);
  void run_fence();
  void run_spin();
  void run_prefetch();
  void look(SimTime ready);
  void perform(Line& line, SimTime from);
  void miss(Line& line, bool own);
  void wait_for(Wait what);
  void retry_at(SimTime when);
  void complete(SimTime when);
  void complete_noted(SimTime when);
  void book_miss(SimTime when);
  SimTime next_look(SimTime not_before) const;

  // Called by Coherence.
  void filled(const Transaction& transaction);
  /// Whether the line is all that the pending operation waits for.
  bool needs_only_line(bool exclusive) const {
    const bool reads = access_.op == Op::kLoad || access_.op == Op::kSpin;
    return stores_.empty() && far_in_flight_.empty() && (exclusive || reads);
  }
  void filled_ahead(const Transaction& transaction, SimTime when);
  void stores_filled(Line& line);
  void far_done(const Transaction& transaction);
  void copy_lost(const Line& line, SimTime when);
  void written_by_sibling(const Line& line);
  bool watches(const Line& line) const;
  Word watched() const { return access_.word; }
  void await_line() { wait_ = Wait::kLine; }

  // The store buffer (drain.cpp).
  bool has_room() const;
  void drain();
  void drain_arrived(Line& line);
  void go_on_draining();
  void drain_if_due();
  void commit(Line& line);
  void wake_after_drain();
  bool is_near() const;
  bool may_have_line() const;
  void retry();

  Coherence& coherence_;
  const Costs& costs_;
  std::uint32_t& idle_spins_;  ///< of all the core's ports
  CpuId cpu_;
  CoreId core_;
  NodeId node_;
  bool busy_ = false;
  bool inhabited_ = false;
  bool missed_ = false;
  Source source_;
  bool draining_ = false;       ///< the head of the store buffer waits: for its line or drain_
  bool drain_due_ = false;      ///< drain_ is pending, for now
  bool behind_stores_ = false;  ///< the operation retried has waited for the stores before it
  Wait wait_ = Wait::kNothing;
  std::vector<LineId> far_in_flight_;  ///< lines of the adds under way to be executed far
  Access access_;
  Spin spin_;
  SimTime began_;
  SimTime copy_ready_;                       ///< when the line used arrived: perhaps in the future
  SimTime departed_;                         ///< of the request that served the operation last
  StoreBuffer::Entry stored_;                ///< the thread's last store
  SimTime stored_until_ = SimTime::never();  ///< when it retired
  SimTime committed_until_;                  ///< the store buffer writes until then
  Value result_ = 0;
  Duration hit_time_;
  std::coroutine_handle<> waiting_;
  Paced* computing_ = nullptr;
  StoreBuffer stores_;
  Retry retry_;
  Retry drain_;
};

}  // namespace hotline::machine
