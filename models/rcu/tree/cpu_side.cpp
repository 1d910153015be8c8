#include "models/rcu/tree/cpu_side.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace hotline::models::tree_rcu {

namespace {

// A softirq is repeated so often, or for so long, before a thread goes on (kernel/softirq.c).
constexpr std::uint32_t kMostPasses = 10;
constexpr Duration kLongestSoftirq = Duration::from_ps(2'000'000'000);
constexpr std::uint64_t kLookAtClockEvery = 32;

}  // namespace

CpuSide::CpuSide(State& state, GracePeriods& normal, Expedited& expedited)
    : s_(state), normal_(normal), expedited_(expedited) {
  for (Cpu& cpu : s_.cpus) {
    works_.push_back({std::make_unique<Work>(*this, cpu, &CpuSide::softirq),
                      std::make_unique<Work>(*this, cpu, &CpuSide::note_idle),
                      std::make_unique<Work>(*this, cpu, &CpuSide::note_preempted)});
  }
}

// What a CPU sees of itself.

void CpuSide::switched(CpuId id, Thread* from, Thread* to) {
  Cpu& cpu = s_.cpu(id);
  if (from != to && (from == nullptr || to == nullptr)) {
    ++cpu.idle_changes;
    // Unless somebody else has looked at it, the word is written in the CPU's own cache, which is
    // part of what a switch costs.
    if (cpu.scanned) s_.scheduler->raise(id, *works_[id.value].note_idle);
  }
  if (from != nullptr && s_.params.preemptible) {
    Reader* reader = s_.reader(*from);
    if (reader != nullptr && reader->nesting > 0 && reader->preempted_on == nullptr) {
      preempted(cpu, *reader);
    }
  }
  cpu.has_had_one = true;
  cpu.urgent = false;
  if (cpu.owes_expedited) expedited_.report_soon(cpu);
}

void CpuSide::preempted(Cpu& cpu, Reader& reader) {
  Node& leaf = *cpu.leaf;
  reader.preempted_on = &leaf;
  reader.blocks = (leaf.missing_now & cpu.bit) != 0;
  reader.blocks_expedited = (leaf.exp_missing_now & cpu.bit) != 0;
  leaf.readers.push_back(&reader);
  s_.tell_of(Milestone::kPreempted, cpu);
  s_.scheduler->raise(cpu.id, *works_[cpu.id.value].note_preempted);
}

void CpuSide::ticked(CpuId id, Thread* current) {
  Cpu& cpu = s_.cpu(id);
  // Who keeps its CPU is a reader as well, and in the kernel even if its program does not say so.
  const bool inside = current != nullptr && (s_.reads(*current) || !current->may_block());
  const bool in_kernel = current != nullptr && current->in_kernel();
  if (!inside && (!in_kernel || s_.params.preemptible)) {
    cpu.has_had_one = true;
    cpu.urgent = false;
  } else if (cpu.urgent) {
    s_.scheduler->reschedule(id);
  }
  if (has_work(cpu)) raise(cpu);
}

/// The tick asks its own data, and the sequence number of the leaf: of that the model simulates
/// only the looks that find it changed, which miss.
bool CpuSide::has_work(const Cpu& cpu) const {
  return cpu.leaf->seq_now != cpu.seen || (cpu.owes && cpu.has_had_one) || has_ready(cpu) ||
         (!normal_.in_progress() && has_unnumbered(cpu));
}

bool CpuSide::has_ready(const Cpu& cpu) const {
  return !cpu.callbacks.empty() && cpu.callbacks.front().needs != 0 &&
         cpu.callbacks.front().needs <= cpu.seen;
}

bool CpuSide::has_unnumbered(const Cpu& cpu) {
  return !cpu.callbacks.empty() && cpu.callbacks.back().needs == 0;
}

// The softirq, and the thread that stands in for it.

void CpuSide::raise(Cpu& cpu) {
  if (s_.params.threaded || cpu.helper_wanted) {
    wake_helper(cpu);
    return;
  }
  cpu.passes = 0;
  cpu.softirq_began = s_.scheduler->now();
  s_.scheduler->raise(cpu.id, *works_[cpu.id.value].softirq);
}

void CpuSide::wake_helper(Cpu& cpu) {
  if (cpu.helper == nullptr) {
    const std::string name = s_.params.threaded ? "rcuc/" : "ksoftirqd/";
    const os::Priority priority{.real_time = static_cast<std::uint8_t>(s_.params.threaded ? 1 : 0)};
    cpu.helper = &s_.scheduler->add_kernel_thread(name + std::to_string(cpu.id.value), cpu.id,
                                                  priority, {cpu.id});
    s_.scheduler->simulator().spawn(help(*cpu.helper, cpu));
  }
  cpu.helper_wanted = true;
  s_.scheduler->wake(*cpu.helper, cpu.id);
}

Task<> CpuSide::help(Thread& self, Cpu& cpu) {
  co_await self.started();
  while (true) {
    while (!cpu.helper_wanted) co_await self.block();
    if (s_.params.threaded) cpu.helper_wanted = false;
    co_await core(self, cpu);
    if (!s_.params.threaded) cpu.helper_wanted = has_ready(cpu);
    if (self.need_resched()) co_await self.yield();
  }
}

Task<> CpuSide::softirq(Thread& self, Cpu& cpu) {
  co_await self.compute(s_.params.softirq);
  co_await core(self, cpu);
  if (!has_ready(cpu)) co_return;
  ++cpu.passes;
  const bool enough = cpu.passes >= kMostPasses || self.now() - cpu.softirq_began > kLongestSoftirq;
  if (enough || s_.scheduler->need_resched(cpu.id)) {
    wake_helper(cpu);
  } else {
    s_.scheduler->raise(cpu.id, *works_[cpu.id.value].softirq);
  }
}

Task<> CpuSide::core(Thread& self, Cpu& cpu) {
  co_await note_changes(self, cpu);
  if (cpu.owes && cpu.has_had_one) co_await report(self, cpu);
  if (!normal_.in_progress() && has_unnumbered(cpu)) {
    co_await s_.acquire(self, *cpu.leaf);
    const bool wakes = co_await number_callbacks(self, cpu);
    co_await s_.release(self, *cpu.leaf);
    if (wakes) co_await normal_.wake(self);
  }
  if (has_ready(cpu)) co_await invoke(self, cpu);
}

/// Compares what this CPU knows with what its leaf says, unless others are at the leaf: then the
/// next tick will do.
Task<> CpuSide::note_changes(Thread& self, Cpu& cpu) {
  Node& leaf = *cpu.leaf;
  const Value heard = co_await self.load(leaf.gp_seq);
  if (heard == cpu.seen) co_return;
  self.interrupts_disable();
  const bool got_it = co_await leaf.lock->lock()->try_acquire(self);
  if (!got_it) {
    self.interrupts_enable();
    co_return;
  }
  const Value seq = co_await self.load(leaf.gp_seq);
  const bool wakes = co_await number_callbacks(self, cpu);
  if (in_progress(seq)) {
    const Value missing = co_await self.load(leaf.missing);
    cpu.owes = (missing & cpu.bit) != 0;
    cpu.has_had_one = false;
  } else {
    cpu.owes = false;
  }
  cpu.urgent = false;
  cpu.seen = seq;
  co_await self.store(cpu.seen_word, seq);
  co_await s_.release(self, leaf);
  if (wakes) co_await normal_.wake(self);
}

/// Says which grace period the callbacks queued since the last time must wait for, and asks for it;
/// with the leaf's lock. True if the thread must be woken.
Task<bool> CpuSide::number_callbacks(Thread& self, Cpu& cpu) {
  if (!has_unnumbered(cpu)) co_return false;
  const Value now = co_await self.load(s_.gp_seq);
  const Value target = after_full(std::max(now, s_.seq_now));
  for (auto each = cpu.callbacks.rbegin(); each != cpu.callbacks.rend() && each->needs == 0;
       ++each) {
    each->needs = target;
  }
  const bool wakes = co_await normal_.request(self, *cpu.leaf, target);
  if (wakes) s_.tell_of(Milestone::kNoticed, cpu);
  co_return wakes;
}

Task<> CpuSide::report(Thread& self, Cpu& cpu) {
  Node& leaf = *cpu.leaf;
  co_await s_.acquire(self, leaf);
  const Value seq = co_await self.load(leaf.gp_seq);
  cpu.owes = false;
  if (seq != cpu.seen) {  // too late for that one, too early for the next
    co_await s_.release(self, leaf);
    co_return;
  }
  s_.tell_of(Milestone::kQuiescent, cpu, static_cast<std::uint64_t>(Quiescence::kReported));
  co_await normal_.report(self, leaf, cpu.bit, seq);
}

// Callbacks.

Task<> CpuSide::call(Thread& self, std::unique_ptr<RcuCallback> callback) {
  self.interrupts_disable();
  Cpu& cpu = s_.cpu(self.cpu());
  const Value length = co_await self.load(cpu.length);
  co_await self.store(cpu.tail, length + 1);
  co_await self.store(cpu.length, length + 1);
  cpu.callbacks.push_back({0, std::move(callback)});
  s_.scheduler->request_tick(cpu.id, true);
  if (cpu.callbacks.size() > cpu.checked_length + s_.params.high_mark) co_await hasten(self, cpu);
  self.interrupts_enable();
}

/// So many callbacks that memory may run out.
Task<> CpuSide::hasten(Thread& self, Cpu& cpu) {
  cpu.checked_length = cpu.callbacks.size();
  co_await note_changes(self, cpu);
  if (normal_.in_progress()) {
    cpu.batch = s_.params.high_mark;
    co_await normal_.force(self);
    co_return;
  }
  co_await s_.acquire(self, *cpu.leaf);
  const bool wakes = co_await number_callbacks(self, cpu);
  co_await s_.release(self, *cpu.leaf);
  if (wakes) co_await normal_.wake(self);
}

Task<> CpuSide::invoke(Thread& self, Cpu& cpu) {
  const bool in_softirq = !s_.params.threaded;
  const std::uint64_t most =
      std::max(cpu.batch, static_cast<std::uint64_t>(cpu.callbacks.size()) / 128);
  const SimTime until = self.now() + s_.params.batch_time;
  std::uint64_t done = 0;
  while (has_ready(cpu)) {
    if (in_softirq && done >= most && !s_.scheduler->idle(cpu.id)) break;
    if (in_softirq && most > 100 && done % kLookAtClockEvery == 0 && self.now() > until) break;
    const std::unique_ptr<RcuCallback> callback = std::move(cpu.callbacks.front().callback);
    cpu.callbacks.pop_front();
    co_await self.compute(s_.params.invocation);
    co_await callback->invoke(self);
    ++done;
  }
  const Value length = co_await self.load(cpu.length);
  co_await self.store(cpu.length, length - done);
  if (cpu.callbacks.size() <= s_.params.low_mark) cpu.batch = s_.params.batch;
  if (cpu.callbacks.empty()) s_.scheduler->request_tick(cpu.id, false);
  cpu.checked_length = std::min<std::uint64_t>(cpu.checked_length, cpu.callbacks.size());
  s_.tell_of(Milestone::kInvoked, cpu, done);
}

// Small change.

Task<> CpuSide::note_idle(Thread& self, Cpu& cpu) {
  cpu.scanned = false;
  co_await self.fetch_add(cpu.idle_word, 1);
}

Task<> CpuSide::note_preempted(Thread& self, Cpu& cpu) {
  Node& leaf = *cpu.leaf;
  co_await s_.acquire(self, leaf);
  const Value head = co_await self.load(leaf.preempted);
  co_await self.store(leaf.preempted, head + 1);
  co_await s_.release(self, leaf);
}

}  // namespace hotline::models::tree_rcu
