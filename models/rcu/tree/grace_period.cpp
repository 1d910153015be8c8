#include "models/rcu/tree/grace_period.hpp"

#include <algorithm>

namespace hotline::models::tree_rcu {

namespace {

/// Whether the grace period that ends with `target` has begun when gp_seq is `seq`.
constexpr bool begun(Value seq, Value target) { return seq + 1 >= target; }

}  // namespace

void GracePeriods::start() {
  const os::Priority priority{.real_time = static_cast<std::uint8_t>(s_.params.threaded ? 1 : 0)};
  thread_ = &s_.scheduler->add_kernel_thread("rcu_gp", {0}, priority);
  s_.scheduler->simulator().spawn(run(*thread_));
}

bool GracePeriods::blocked(const Node& node) {
  return std::any_of(node.readers.begin(), node.readers.end(),
                     [](const Reader* reader) { return reader->blocks; });
}

Task<> GracePeriods::run(Thread& self) {
  co_await self.started();
  while (true) {
    while (!requested_) co_await self.block();
    requested_ = false;
    co_await begin(self);
    co_await watch(self);
    co_await end(self);
  }
}

Task<> GracePeriods::begin(Thread& self) {
  quiet_ = false;
  co_await self.store(s_.gp_flags, 0);
  ++s_.seq_now;
  began_ = self.now();
  s_.tell({Milestone::kStarted, {}, s_.seq_now});
  co_await self.store(s_.gp_seq, s_.seq_now);
  for (Node& node : s_.nodes) {
    co_await s_.acquire(self, node);
    for (Reader* reader : node.readers) reader->blocks = true;
    node.missing_now = node.all;
    node.seq_now = s_.seq_now;
    co_await self.store(node.missing, node.all);
    co_await self.store(node.gp_seq, s_.seq_now);
    co_await s_.release(self, node);
    s_.tell({Milestone::kReached, {}, s_.seq_now, false, node.first_cpu, node.last_cpu});
    co_await self.cond_resched();
  }
}

/// Sleeps until the root has heard of everybody, and every few ticks looks for CPUs that idle and
/// so will not say anything.
Task<> GracePeriods::watch(Thread& self) {
  bool first = true;
  while (true) {
    const Jiffies jiffies = first ? s_.params.first_scan : s_.params.next_scan;
    // A timer of so many ticks is not due before they have passed in full.
    const SimTime due = self.now() + s_.scheduler->until_tick(self.cpu(), jiffies + 1);
    while (!quiet_ && !forced_ && self.now() < due) co_await self.block_for(due - self.now());
    const Value missing = co_await self.load(s_.root().missing);
    if (missing == 0 && !blocked(s_.root())) co_return;
    forced_ = false;
    co_await scan(self, first);
    first = false;
  }
}

Task<> GracePeriods::scan(Thread& self, bool first) {
  std::uint64_t missing_cpus = 0;
  for (std::size_t k = s_.first_leaf; k < s_.nodes.size(); ++k) {
    missing_cpus += static_cast<std::uint64_t>(__builtin_popcountll(s_.nodes[k].missing_now));
  }
  s_.tell({Milestone::kScanned, {}, s_.seq_now, false, 0, 0, missing_cpus});
  for (std::size_t k = s_.first_leaf; k < s_.nodes.size(); ++k) {
    Node& leaf = s_.nodes[k];
    co_await self.cond_resched();
    co_await s_.acquire(self, leaf);
    const Value missing = co_await self.load(leaf.missing);
    const Value credited = co_await look_at(self, leaf, missing, first);
    if (credited != 0) {
      co_await report(self, leaf, credited, s_.seq_now);
    } else {
      co_await s_.release(self, leaf);
    }
  }
}

/// Which of the missing CPUs idle, or have idled since the first scan.
Task<Value> GracePeriods::look_at(Thread& self, Node& leaf, Value missing, bool first) {
  Value credited = 0;
  for (std::uint32_t id = leaf.first_cpu; id <= leaf.last_cpu; ++id) {
    Cpu& cpu = s_.cpus[id];
    if ((missing & cpu.bit) == 0) continue;
    co_await self.load(cpu.idle_word);
    cpu.scanned = true;
    if (first) cpu.snapshot = cpu.idle_changes;
    if (s_.idle(cpu) || cpu.idle_changes != cpu.snapshot) {
      credited |= cpu.bit;
      const auto how = s_.idle(cpu) ? Quiescence::kIdle : Quiescence::kWasIdle;
      s_.tell_of(Milestone::kQuiescent, cpu, static_cast<std::uint64_t>(how));
    } else if (late()) {
      cpu.urgent = true;
    }
  }
  co_return credited;
}

bool GracePeriods::late() const {
  return s_.scheduler->now() >= began_ + s_.scheduler->tick_period() * s_.params.urgent_after;
}

Task<> GracePeriods::end(Thread& self) {
  const Value after = s_.seq_now + 1;
  bool more = false;
  for (Node& node : s_.nodes) {
    co_await s_.acquire(self, node);
    node.seq_now = after;
    co_await self.store(node.gp_seq, after);
    const Value needed = co_await self.load(node.needed);
    if (needed > after) more = true;
    co_await s_.release(self, node);
    co_await self.cond_resched();
  }
  Node& root = s_.root();
  co_await s_.acquire(self, root);
  s_.tell({Milestone::kEnded, {}, s_.seq_now});
  s_.seq_now = after;
  co_await self.store(s_.gp_seq, after);
  const Value needed = co_await self.load(root.needed);
  requested_ = requested_ || more || needed > after;
  if (requested_) co_await self.store(s_.gp_flags, 1);
  co_await s_.release(self, root);
}

Task<bool> GracePeriods::request(Thread& self, Node& leaf, Value target) {
  Node* node = &leaf;
  bool first_to_ask = false;
  while (true) {
    const Value needed = co_await self.load(node->needed);
    const Value seq = co_await self.load(node->gp_seq);
    if (needed >= target || begun(seq, target)) break;
    co_await self.store(node->needed, target);
    if (tree_rcu::in_progress(seq)) break;  // who ends it will see this
    if (node->parent == nullptr) {
      if (in_progress() || requested_) break;
      requested_ = true;
      first_to_ask = true;
      co_await self.store(s_.gp_flags, 1);
      break;
    }
    Node* parent = node->parent;
    if (node != &leaf) co_await s_.release(self, *node);
    node = parent;
    co_await s_.acquire(self, *node);
  }
  if (node != &leaf) co_await s_.release(self, *node);
  co_return first_to_ask;
}

Task<> GracePeriods::force(Thread& self) {
  if (!in_progress() || forced_) co_return;
  forced_ = true;
  co_await self.store(s_.gp_flags, 2);
  co_await wake(self);
}

Task<> GracePeriods::report(Thread& self, Node& node, Value mask, Value seq) {
  Node* at = &node;
  while (true) {
    const Value missing = co_await self.load(at->missing);
    if ((missing & mask) == 0 || at->seq_now != seq) break;
    at->missing_now = missing & ~mask;
    co_await self.store(at->missing, at->missing_now);
    if (at->missing_now != 0 || blocked(*at)) break;
    co_await s_.release(self, *at);
    s_.tell({Milestone::kNodeQuiet, {}, seq, false, at->first_cpu, at->last_cpu});
    if (at->parent == nullptr) {
      quiet_ = true;
      co_await wake(self);
      co_return;
    }
    mask = at->bit;
    at = at->parent;
    co_await s_.acquire(self, *at);
  }
  co_await s_.release(self, *at);
}

Task<> GracePeriods::report_reader(Thread& self, Node& leaf) {
  const Value seq = leaf.seq_now;
  co_await s_.release(self, leaf);
  s_.tell({Milestone::kNodeQuiet, {}, seq, false, leaf.first_cpu, leaf.last_cpu});
  if (leaf.parent == nullptr) {
    quiet_ = true;
    co_await wake(self);
    co_return;
  }
  co_await s_.acquire(self, *leaf.parent);
  co_await report(self, *leaf.parent, leaf.bit, seq);
}

}  // namespace hotline::models::tree_rcu
