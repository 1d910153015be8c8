#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/engine/simulator.hpp"
#include "sim/machine/costs.hpp"
#include "sim/machine/legs.hpp"
#include "sim/machine/line.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/pool.hpp"
#include "sim/machine/port.hpp"

namespace hotline::machine {

/// The contention physics: one mechanism for every level of the domain tree (design.md section 3).
///
/// A miss becomes a Transaction that climbs from keeper to keeper until one can serve it. A keeper
/// serialises the ownership changes of a line in order of arrival and answers reads of a Shared
/// line in a pipeline; a snoop from above waits in the same queue. Ownership stays with a core
/// until a snoop arrives there.
class Coherence {
 public:
  Coherence(engine::Simulator& simulator, const Topology& topology, Options options);
  Coherence(const Coherence&) = delete;
  Coherence& operator=(const Coherence&) = delete;
  ~Coherence();

  engine::Simulator& simulator() { return simulator_; }
  const Topology& topology() const { return topology_; }
  const Description& description() const { return topology_.description(); }
  const Legs& legs() const { return legs_; }
  SimTime present() const { return simulator_.now(); }
  /// The present, or what is taken for it where the future is computed ahead, or a decision made
  /// when its outcome arrives.
  SimTime now() const { return ahead_.now == SimTime::never() ? present() : ahead_.now; }

  // Memory.
  Address allocate(Bytes bytes, NodeId home, std::string_view label);
  std::uint32_t lines() const { return static_cast<std::uint32_t>(lines_.size()); }
  /// False for lines that only pad an allocation.
  bool has_line(LineId id) const { return lines_[id.value] != nullptr; }
  Line& line(LineId id) { return *lines_[id.value]; }
  const Line& line(LineId id) const { return *lines_[id.value]; }
  /// Simulated memory is little-endian, whatever the host is.
  static Value read(const Line& line, Word word) {
    const std::uint64_t eight = line.bytes[word.offset / 8U];
    return word.size == 8 ? eight : eight >> word.offset % 8U * 8U & mask_of(word);
  }
  static Value truncated(Value value, Word word) { return value & mask_of(word); }
  static void write(Line& line, Word word, Value value) {
    std::uint64_t& eight = line.bytes[word.offset / 8U];
    if (word.size == 8) {
      eight = value;
      return;
    }
    const unsigned shift = word.offset % 8U * 8U;
    const Value mask = mask_of(word);
    eight = (eight & ~(mask << shift)) | (value & mask) << shift;
  }
  Machine::Owner owner(LineId line) const;
  Word word(Address address, unsigned size) const;

  // What a core has.
  bool has_exclusive(CoreId core, const Line& line) const {
    return line.exclusive_core == static_cast<std::int32_t>(core.value);
  }
  bool has_copy(CoreId core, const Line& line) const {
    const Core& place = cores_[core.value];
    const Desk* desk = line.desks ? line.desks[place.slot] : nullptr;
    return desk != nullptr && desk->copies.test(place.child);
  }
  char state(CoreId core, const Line& line) const;
  void check_single_writer() const;

  /// Whether a request of the core for the line is under way.
  bool asks_for(CoreId core, const Line& line) const { return outstanding(core, line) != nullptr; }
  /// Whether the line comes to the core at this very moment, and has not been taken in yet.
  bool is_coming(CoreId core, const Line& line) const {
    const Transaction* const coming = outstanding(core, line);
    return coming != nullptr && coming->arrives == present();
  }

  // What ports ask for.
  Port& port(CpuId cpu) { return *ports_[cpu.value]; }
  const Costs& costs(CoreId core) const { return *cores_[core.value].costs; }
  /// Asks for a copy or ownership on behalf of a port's operation or store buffer; joins a request
  /// that is already under way. Port::filled is called when it has come.
  void request(Port& port, Line& line, bool own, bool store_buffer);
  /// Has an atomic executed at the line's agent; Port::far_done is called with the result.
  void request_far(Port& port, const Access& access);
  /// Asks for ownership with nobody waiting.
  void prefetch(CoreId core, Line& line, bool own);
  /// Tells the siblings' spin loops that this core has written the line.
  void tell_siblings(const Port& writer, const Line& line);
  /// Has a port go on at `when`.
  void go_on_at(const Port& port, SimTime when, std::coroutine_handle<> what) {
    if (arriving_ && cores_[port.core().value].inhabited_ports > 1) {
      go_on_in_order(port, when, what);
    } else {
      simulator_.resume_at(when, what);
    }
  }
  /// From now on threads run: what goes on at this moment may have begun to.
  void threads_run() { wakes_since_ = SimTime::never(); }
  /// How many of a core's ports have a spin loop with nothing to do until its copy goes.
  std::uint32_t& idle_spins(CoreId core) { return cores_[core.value].idle_spins; }
  /// Whether the machine executes such operations at the line's topmost agent (P9).
  bool executes_far(Op op) const { return far_ops_[static_cast<std::size_t>(op)]; }
  /// Whether every locked operation is performed on a line that the core owns.
  bool locks_by_ownership() const { return locks_by_ownership_; }
  /// A far add whose result nobody waits for retires like a store.
  bool posts(Op op) const {
    return op == Op::kAdd && executes_far(op) && description().consistency == Consistency::kTso;
  }
  void set_busy(CoreId core, bool busy);
  void inhabit(Port& port);
  void change_computing(CoreId core, bool begins);
  std::uint32_t computing(CoreId core) const { return cores_[core.value].computing_ports; }
  /// Thousandths of its time that computing takes beside a computing sibling.
  std::uint64_t smt_permille() const { return smt_permille_; }

  // Observation.
  void set_probe(Probe* probe) { probe_ = probe; }
  Probe* probe() const { return probe_; }
  Counts& counts() { return counts_; }
  const Counts& counts() const { return counts_; }
  const std::vector<std::uint64_t>& traffic() const { return traffic_; }
  LineStatistics& statistics(Line& line) {
    return line.statistics ? *line.statistics : open_statistics(line);
  }
  void reset_statistics();

 private:
  friend class Port;
  struct Core {
    const Costs* costs = nullptr;        ///< its socket's
    Transaction* outstanding = nullptr;  ///< the first of its requests under way
    SimTime copy_ready;                  ///< when the last line that was used ahead is there
    std::uint32_t slot = 0;              ///< of its lowest keeper among a line's desks
    std::uint32_t child = 0;             ///< which child of that keeper it is
    std::uint32_t busy_ports = 0;
    std::uint32_t computing_ports = 0;
    std::uint32_t inhabited_ports = 0;
    Port* inhabited = nullptr;  ///< the last port to become so
    std::uint32_t idle_spins = 0;
  };
  /// What an arrival of the present moment has a hardware thread with busy siblings do.
  struct Wake {
    CpuId cpu;
    CoreId core;
    SimTime when;
    engine::EventId event;
  };
  struct Allocation {
    std::uint32_t first_line = 0;
    std::string label;
  };

  // Requests and fills (coherence.cpp).
  /// What an object's event calls.
  template <class Object, void (Coherence::*kWhat)(Object&)>
  static void fired(engine::Event* event) {
    Object& object = static_cast<Object&>(*event);
    (object.coherence->*kWhat)(object);
  }
  Transaction* outstanding(CoreId core, const Line& line) const;
  Transaction& make_transaction(CoreId core, Line& line, Ask ask, const Transaction::Waiter& first);
  void depart(Transaction& transaction);
  void climb(Transaction& transaction, Desk& desk, SimTime arrival);
  void release(Transaction& transaction);
  void far_reply(Transaction& transaction);
  void take_in(Transaction& transaction, SimTime when);
  void fill(Transaction& transaction);
  static void filled(const Transaction& transaction, const Transaction::Waiter& waiter);
  static Value mask_of(Word word) {
    return word.size == 8 ? ~Value{0} : (Value{1} << word.size * 8U) - 1;
  }
  Desk& desk(Line& line, std::uint32_t keeper) {
    const std::uint32_t slot = std::min(keeper, legs_.agents());  // a line has but one home
    Desk* desk = line.desks ? line.desks[slot] : nullptr;
    return desk != nullptr ? *desk : open_desk(line, keeper);
  }
  Desk& lowest_desk(CoreId core, Line& line) {
    Desk* desk = line.desks ? line.desks[cores_[core.value].slot] : nullptr;
    return desk != nullptr ? *desk : open_desk(line, legs_.lowest(core, line.home));
  }
  static void equip(Job& job, Desk& desk);
  static Job& urgent_job(Desk& desk);
  Desk& open_desk(Line& line, std::uint32_t keeper);
  void go_on_in_order(const Port& port, SimTime when, std::coroutine_handle<> what);
  LineStatistics& open_statistics(Line& line);

  // A keeper's queue, and what it does at present (agent.cpp).
  void enqueue(Desk& desk, const Entry& entry);
  static CoreId owner_of(const Desk& desk) {  // which is over cores
    return {desk.place->first_child + static_cast<std::uint32_t>(desk.owner)};
  }
  bool insert(Desk& desk, const Entry& entry);
  void plan(Desk& desk, SimTime when);
  void plan_next(Desk& desk);
  void unplan(Desk& desk);
  void take_up(Desk& desk);
  void take_up_with_snoop(Desk& desk);
  void hand_over(Desk& desk, Entry& entry);
  void take_up_urgent(Desk& desk);
  static void drop_front(Desk& desk);
  void serve(Desk& desk, const Entry& entry);
  void begin(Job& job, const Entry& entry);
  void answered(Job& job);
  void answers_complete(Job& job);
  void finish(Job& job);
  void grant(Desk& desk, Transaction& transaction);

  // Reads and requests for ownership (serve.cpp).
  void serve_reads(Desk& desk, const Entry& first);
  void serve_owned_read(Desk& desk, Entry entry);
  void serve_own(Desk& desk, const Entry& entry);
  void ask_owner(Desk& desk, Job& job, bool own);
  void supply(Desk& desk, Entry& entry, SimTime when);
  SimTime supplied(Desk& desk, std::uint32_t child, SimTime looked_up, Source& source);
  Duration forwarding(const Keeper& keeper, std::uint32_t from, std::uint32_t to) const;
  Duration leg_down(const Desk& desk, std::uint32_t child) const;
  CoreId first_core(const Keeper& keeper, std::uint32_t child) const;
  void own_complete(Desk& desk);
  void read_complete(Desk& desk);
  void share_owned(Desk& desk, std::uint32_t child);
  void pass_above(Desk& desk, Entry entry);

  // Far atomics (far.cpp).
  void serve_far(Desk& desk, const Entry& entry);
  void perform_far(Desk& desk, Transaction& transaction, SimTime when);

  // The way down (grants.cpp).
  void data_at_keeper(Transaction& transaction);
  void granted_from_above(Desk& desk);
  void await_confirmation(Job& job);
  void confirm(Transaction& transaction, SimTime at_core);
  void confirm_from(std::uint32_t keeper, Transaction& transaction, SimTime arrives);
  void send_down(Desk& desk, Transaction& transaction, SimTime arrives);
  void send_to_agent(Desk& agent, Transaction& transaction, SimTime arrives);
  void send_to_core(Transaction& transaction, SimTime arrives);
  Desk& desk_below(Desk& above, CoreId core);

  // Snoops (snoop.cpp).
  void snoop_child(Desk& desk, Job* job, const SnoopMessage& message, std::uint32_t child,
                   SimTime leaves);
  void invalidate(Desk& desk, Job& job, std::int32_t except, SimTime leaves);
  void snoop_at_agent(Snoop& snoop);
  void snoop_at_core(Snoop& snoop);
  Transaction* deferring(CoreId core, const Line& line) const;
  void snoop_core(Snoop& snoop, SimTime effective);
  SimTime give_up(CoreId holder, Desk& desk, bool own, SimTime effective);
  void supply_from(CoreId owner, Transaction& requester);
  void serve_snoop(Desk& desk, const Entry& entry, Job& job);
  void supply_across(Desk& desk, const Snoop& above, SimTime leaves);
  void snoop_complete(Desk& desk, Job& job);
  void deliver_from(CoreId owner, Transaction& transaction, SimTime leaves);
  void send_across(std::uint32_t holder, Transaction& transaction, SimTime leaves);
  void count_answer(Job& job, SimTime arrives);
  void wake_spins(CoreId core, Desk& desk, SimTime when);
  void count_traffic(NodeId from, CoreId to) {
    const NodeId node = topology_.node_of(to);
    if (node != from) ++traffic_[std::size_t{from.value} * topology_.nodes() + node.value];
  }
  std::uint8_t count_transfer(Line& line, CoreId from, CoreId to, bool exclusive);

  // Batched waiters (watch.cpp).
  Port* sole_watcher(CoreId core, const Line& line);
  SimTime after_look(CoreId core, const Line& line) const;
  /// A snoop that overtook a line lets one load pass; what else an operation takes, the line knows.
  SimTime after_use(CoreId core, bool exclusive, SimTime arrived) const {
    return exclusive ? arrived : arrived + costs(core).load();
  }
  SimTime invalidate_watcher(Desk& desk, Port& port, SimTime arrives);
  Entry next_read(Line& line, Port& port, SimTime lost);
  bool arrives_before(const Entry& a, const Entry& b) const {
    return a.arrival != b.arrival ? a.arrival < b.arrival
                                  : tie_of(a.requester) < tie_of(b.requester);
  }
  void merge_new_reads(Desk& desk);
  void serve_watcher(Desk& desk, const Entry& entry, SimTime arrives);
  void materialise(Entry& entry);
  std::uint64_t tie_of(std::uint32_t requester) const;

  // What is certain to happen, computed when its cause is known (ahead.cpp).
  struct Ahead {
    Desk* desk = nullptr;              ///< whose decisions are made ahead
    SimTime now = SimTime::never();    ///< what is taken for the present
    SimTime until = SimTime::never();  ///< arrivals after it may not be the next
  };
  class AsOf {
   public:
    AsOf(Coherence& machine, const Ahead& ahead)
        : machine_(machine), outer_(std::exchange(machine.ahead_, ahead)) {}
    AsOf(const AsOf&) = delete;
    AsOf& operator=(const AsOf&) = delete;
    ~AsOf() { machine_.ahead_ = outer_; }

   private:
    Coherence& machine_;
    Ahead outer_;
  };
  /// The child to which what the desk takes up next will send one snoop and do no more; else -1.
  /// All that could change that choice is in the queue before the snoop arrives, so it is made
  /// then.
  std::int32_t snooped_next(const Desk& desk) const {
    if (!desk.decides_late || desk.turn.active) return -1;
    const Entry& next = desk.queue[desk.head];
    if (desk.owner >= 0) return next.ask != Ask::kFar ? desk.owner : -1;
    const bool invalidates =
        next.ask == Ask::kOwn && (desk.place->is_home || desk.rights == Rights::kExclusive);
    return invalidates ? desk.sharers.only_other(next.child) : -1;
  }
  /// When a snoop that is decided upon at `taken_up` reaches that child.
  SimTime snoop_reaches(const Desk& desk, std::int32_t child, SimTime taken_up) const {
    const Line& line = *desk.line;
    const CoreId core{desk.place->first_child + static_cast<std::uint32_t>(child)};
    return taken_up + desk.place->look_up + legs_.hop(core, line.slice, line.home);
  }
  bool is_certain(const Job& job) const;
  void answered_ahead(Job& job, SimTime when);
  bool fill_ahead(Transaction& transaction, SimTime when);
  bool snoop_ahead(Snoop& snoop, SimTime arrives);
  bool data_ahead(Desk& agent, Transaction& transaction, SimTime arrives);
  bool only_watchers(const Desk& agent);
  bool all_in_vain(const Desk& agent, const Transaction& first) const;
  bool spins_in_vain(const Port& port) const;

  engine::Simulator& simulator_;
  const Topology& topology_;
  Legs legs_;
  bool batching_;
  std::deque<Port> port_storage_;
  std::vector<Port*> ports_;  // by CPU
  std::vector<Core> cores_;
  std::vector<Costs> costs_;                    // by socket
  std::vector<std::uint32_t> busy_cores_;       // by socket
  std::vector<std::uint32_t> inhabited_below_;  // cores, by lowest agent
  std::deque<Line> line_storage_;
  std::vector<Line*> lines_;
  std::deque<Desk> desks_;
  std::vector<Allocation> allocations_;
  Pool<Transaction, Coherence> transactions_;
  Pool<Snoop, Coherence> snoops_;
  std::vector<Entry> new_reads_;  // of the batch being built
  bool arriving_ = false;         // something comes to a core whose siblings may both be concerned
  SimTime wakes_since_ = SimTime::never();
  std::vector<Wake> wakes_;  // by CPU
  std::uint64_t decisions_ = 0;
  Ahead ahead_;
  Desk* deciding_ = nullptr;  // takes up its next entry itself when it is done
  Desk* snooping_ = nullptr;  // its snoop has arrived, and it makes the decision to send it
  std::uint64_t tie_seed_ = 0;
  std::uint64_t smt_permille_ = 1000;
  std::array<bool, kOps> far_ops_{};
  bool locks_by_ownership_ = false;
  bool confirms_ = false;  // some keeper waits for the requester (TakeUp::kCompletion)
  Counts counts_;
  std::vector<std::uint64_t> traffic_;  // lines sent, nodes x nodes
  Probe* probe_ = nullptr;
};

}  // namespace hotline::machine
