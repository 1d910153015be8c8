#include <algorithm>

#include "models/rcu/tree/expedited.hpp"

// Which CPUs an expedited grace period waits for, and how it hears of them.
namespace hotline::models::tree_rcu {

bool Expedited::blocked(const Node& node) {
  return std::any_of(node.readers.begin(), node.readers.end(),
                     [](const Reader* reader) { return reader->blocks_expedited; });
}

Task<> Expedited::select(Thread& self, Node& leaf) {
  co_await s_.acquire(self, leaf);
  Value quiet = co_await look_at(self, leaf);
  for (Reader* reader : leaf.readers) reader->blocks_expedited = true;
  co_await s_.release(self, leaf);
  for (std::uint32_t id = leaf.first_cpu; id <= leaf.last_cpu; ++id) {
    Cpu& cpu = s_.cpus[id];
    if ((quiet & cpu.bit) != 0) continue;
    if (cpu.idle_changes != cpu.exp_snapshot) {
      quiet |= cpu.bit;
      s_.tell_of(Milestone::kQuiescent, cpu, static_cast<std::uint64_t>(Quiescence::kWasIdle),
                 true);
    } else {
      co_await interrupt(self, cpu);
    }
  }
  co_await s_.acquire(self, leaf);
  co_await quiescent(self, leaf, quiet);
}

/// The CPUs that need not be asked: those that idle, and the one that looks.
Task<Value> Expedited::look_at(Thread& self, Node& leaf) {
  Value quiet = 0;
  for (std::uint32_t id = leaf.first_cpu; id <= leaf.last_cpu; ++id) {
    Cpu& cpu = s_.cpus[id];
    auto how = Quiescence::kOwn;
    if (cpu.id != self.cpu()) {
      co_await self.load(cpu.idle_word);
      cpu.scanned = true;
      cpu.exp_snapshot = cpu.idle_changes;
      if (!s_.idle(cpu)) continue;
      how = Quiescence::kIdle;
    }
    quiet |= cpu.bit;
    s_.tell_of(Milestone::kQuiescent, cpu, static_cast<std::uint64_t>(how), true);
  }
  co_return quiet;
}

/// One interrupt after the other: the next is not sent before the last one's handler has begun.
Task<> Expedited::interrupt(Thread& self, Cpu& cpu) {
  co_await self.spin_until(cpu.leaf->ipi_busy, 0);
  co_await self.store(cpu.leaf->ipi_busy, 1);
  co_await self.fence();  // what the handler finds must be there before the interrupt
  co_await self.compute(s_.params.ipi_send);
  s_.tell_of(Milestone::kInterrupted, cpu, 0, true);
  s_.scheduler->send_ipi(cpu.id, interrupt_);
}

void Expedited::Interrupt::handle_ipi(CpuId cpu) {
  expedited_.s_.scheduler->raise(cpu, *expedited_.works_[cpu.value].handler);
}

/// The interrupt's handler. A reader is left to say it itself, and in a kernel that cannot be
/// preempted so is everybody: the next look for a better thread is a quiescent state.
Task<> Expedited::handle(Thread& self, Cpu& cpu) {
  co_await self.store(cpu.leaf->ipi_busy, 0);
  const Thread* current = s_.scheduler->current(cpu.id);
  Reader* reader = current == nullptr ? nullptr : s_.reader(*current);
  const bool inside = reader != nullptr && reader->nesting > 0;
  const bool quiet =
      current == nullptr || (s_.params.preemptible && !inside && current->may_block());
  if (quiet) {
    co_await s_.acquire(self, *cpu.leaf);
    s_.tell_of(Milestone::kQuiescent, cpu, static_cast<std::uint64_t>(Quiescence::kInterrupted),
               true);
    co_await quiescent(self, *cpu.leaf, cpu.bit);
    co_return;
  }
  cpu.owes_expedited = true;
  if (inside && s_.params.preemptible) {
    reader->asked = true;
    co_await self.store(reader->special_word, 1);
  } else {
    s_.scheduler->reschedule(cpu.id);
  }
}

void Expedited::report_soon(Cpu& cpu) { s_.scheduler->raise(cpu.id, *works_[cpu.id.value].report); }

Task<> Expedited::report(Thread& self, Cpu& cpu) {
  if (!cpu.owes_expedited) co_return;
  cpu.owes_expedited = false;
  co_await s_.acquire(self, *cpu.leaf);
  s_.tell_of(Milestone::kQuiescent, cpu, static_cast<std::uint64_t>(Quiescence::kReported), true);
  co_await quiescent(self, *cpu.leaf, cpu.bit);
}

/// The children `mask` of the node are quiet; with its lock, which is released.
Task<> Expedited::quiescent(Thread& self, Node& node, Value mask) {
  Node* at = &node;
  while (true) {
    const Value missing = co_await self.load(at->exp_missing);
    if ((missing & mask) == 0) break;
    at->exp_missing_now = missing & ~mask;
    co_await self.store(at->exp_missing, at->exp_missing_now);
    if (at->exp_missing_now != 0 || blocked(*at)) break;
    s_.tell({Milestone::kNodeQuiet, {}, s_.exp_now, true, at->first_cpu, at->last_cpu});
    if (at->parent == nullptr) {
      co_await leave(self, *at);
      co_return;
    }
    co_await s_.release(self, *at);
    mask = at->bit;
    at = at->parent;
    co_await s_.acquire(self, *at);
  }
  co_await s_.release(self, *at);
}

/// The root is quiet.
Task<> Expedited::leave(Thread& self, Node& root) {
  quiet_ = true;
  co_await s_.release(self, root);
  co_await self.wake(*driver_);
}

Task<> Expedited::report_reader(Thread& self, Node& leaf) {
  if (leaf.parent == nullptr) {
    co_await leave(self, leaf);
    co_return;
  }
  co_await s_.release(self, leaf);
  co_await s_.acquire(self, *leaf.parent);
  co_await quiescent(self, *leaf.parent, leaf.bit);
}

}  // namespace hotline::models::tree_rcu
