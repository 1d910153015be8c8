#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "models/make.hpp"
#include "sim/model/rcu.hpp"

/// The parts of the model `rcu`: Linux's tree RCU (6.12 kernel/rcu/tree.c, tree_exp.h,
/// tree_plugin.h). What CPUs do to each other is done on simulated words; what each knows by itself
/// is plain data.
namespace hotline::models::tree_rcu {

using model::CpuId;
using model::Milestone;
using model::Quiescence;
using model::RcuCallback;
using model::RcuEvent;
using model::RcuObserver;
using model::Scheduler;
using model::SimTime;

/// How often something is retried or awaited, in ticks.
using Jiffies = std::uint64_t;

struct Parameters {
  bool preemptible = false;          ///< readers can be preempted
  bool threaded = false;             ///< softirq work is done by threads (PREEMPT_RT)
  bool expedited_is_normal = false;  ///< rcu_normal: the rule of PREEMPT_RT
  bool normal_is_expedited = false;  ///< rcu_expedited
  std::uint32_t leaf_fanout = 16;
  std::uint32_t fanout = 64;
  Jiffies first_scan = 1;
  Jiffies next_scan = 1;
  Jiffies urgent_after = 100;  ///< into a grace period, CPUs are asked to reschedule
  std::uint64_t batch = 10;
  std::uint64_t high_mark = 10'000;
  std::uint64_t low_mark = 100;
  Duration batch_time;
  Duration free_delay;
  std::uint64_t free_page = 500;
  Duration softirq;
  Duration invocation;
  Duration ipi_send;
};

Parameters read_parameters(const Site& site, ParamReader& params);

// A sequence number is odd while a grace period is in progress, and even between two.
constexpr bool in_progress(Value seq) { return (seq & 1U) != 0; }
/// What the number will be at least when a full grace period has passed after `seq` was seen.
constexpr Value after_full(Value seq) { return in_progress(seq) ? seq + 3 : seq + 2; }

struct Node;

/// What a thread's own words say, and its place among the preempted.
struct Reader {
  Word nesting_word;
  Word special_word;
  std::uint32_t nesting = 0;
  Node* preempted_on = nullptr;  ///< is in that leaf's list
  bool blocks = false;           ///< the grace period in progress
  bool blocks_expedited = false;
  bool asked = false;  ///< an expedited grace period waits for the end of the section
};

/// A thread that sleeps until an expedited grace period is over.
struct Sleeper {
  Thread* thread;
  Value target;
};

/// A node of the tree: the CPUs of a leaf, or nodes, one bit each.
struct Node {
  Node* parent = nullptr;
  Value bit = 0;  ///< in the parent's words
  Value all = 0;
  std::uint32_t first_cpu = 0;
  std::uint32_t last_cpu = 0;

  std::unique_ptr<Model> lock;
  Word gp_seq;   ///< as far as this node knows
  Word needed;   ///< somebody below needs that sequence number
  Word missing;  ///< children without a quiescent state
  Word exp_missing;
  Word preempted;  ///< head of the list of readers that lost their CPU
  std::unique_ptr<Model> exp_lock;
  Word exp_asked;  ///< somebody below waits for that expedited sequence number
  Word ipi_busy;   ///< the last interrupt to this leaf has not arrived

  // What the words hold, for those who look at their own CPU's part.
  Value seq_now = 0;
  Value missing_now = 0;
  Value exp_missing_now = 0;
  std::vector<Reader*> readers;  ///< preempted
  std::vector<Sleeper> sleepers;
};

struct Pending {
  Value needs = 0;  ///< 0: no number yet
  std::unique_ptr<RcuCallback> callback;
};

/// What a CPU knows.
struct Cpu {
  CpuId id;
  Node* leaf = nullptr;
  Value bit = 0;
  Word seen_word;  ///< gp_seq, as this CPU knows it
  Word length;
  Word tail;
  Word idle_word;  ///< counts the changes between idle and busy

  Value seen = 0;
  bool owes = false;         ///< a quiescent state to the grace period it has seen
  bool has_had_one = false;  ///< since it saw it
  bool owes_expedited = false;
  bool urgent = false;
  bool scanned = false;            ///< somebody has a copy of idle_word
  std::uint64_t idle_changes = 0;  ///< odd: busy
  std::uint64_t snapshot = 0;
  std::uint64_t exp_snapshot = 0;

  std::deque<Pending> callbacks;
  std::uint64_t checked_length = 0;
  std::uint64_t batch = 0;
  std::uint32_t passes = 0;
  SimTime softirq_began;
  Thread* helper = nullptr;  ///< rcuc, or ksoftirqd
  bool helper_wanted = false;
};

struct State {
  State(Site& site, ParamReader& params);

  Node& root() { return nodes.front(); }
  Cpu& cpu(CpuId id) { return cpus[id.value]; }
  bool idle(const Cpu& cpu) const { return (cpu.idle_changes & 1U) == 0; }
  /// What is known of a thread as a reader; null for the kernel's own.
  Reader* reader(const Thread& thread) {
    return thread.id().value < readers.size() ? &readers[thread.id().value] : nullptr;
  }
  bool reads(const Thread& thread) {
    const Reader* found = reader(thread);
    return found != nullptr && found->nesting > 0;
  }
  void tell(RcuEvent event) {
    if (observer == nullptr) return;
    event.at = scheduler->now();
    observer->happened(event);
  }
  void tell_of(Milestone what, const Cpu& cpu, std::uint64_t count = 0, bool expedited = false) {
    tell({what, {}, expedited ? exp_now : seq_now, expedited, cpu.id.value, cpu.id.value, count});
  }

  Task<> acquire(Thread& self, Node& node);
  Task<> release(Thread& self, Node& node);

  Parameters params;
  Scheduler* scheduler;  ///< null where the model is only looked at
  RcuObserver* observer = nullptr;
  std::deque<Node> nodes;  ///< breadth first
  std::size_t first_leaf = 0;
  std::deque<Cpu> cpus;
  std::vector<Reader> readers;  ///< by thread
  Word gp_seq;
  Word gp_flags;
  Word exp_seq;
  Word exp_mutex;
  Value seq_now = 0;
  Value exp_now = 0;

 private:
  void add_nodes(Site& site);
  void add_node(Site& site, std::uint32_t first, std::uint32_t last);
  void connect();
};

}  // namespace hotline::models::tree_rcu
