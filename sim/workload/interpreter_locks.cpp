#include <algorithm>

#include "sim/workload/interpreter.hpp"

// The steps that acquire and release, and who has what.
namespace hotline::workload {

std::vector<Interpreter::Held>::iterator Interpreter::find_held(const Part& part) {
  return std::find_if(held_.begin(), held_.end(),
                      [&](const Held& held) { return held.part == &part; });
}

const std::string& Interpreter::name_of(const Part& part) const {
  return world_.memory.locks()[part.lock_id.value].name;
}

Part& Interpreter::begin_acquire(const Instruction& step) {
  part_ = &part_of(step);
  const bool reads = step.action == Action::kAcquireRead;
  if (find_held(*part_) != held_.end()) {
    fail("acquires " + name_of(*part_) + ", which it holds already");
  }
  if (part_->sleeps && !thread_.may_block()) {
    fail("acquires " + name_of(*part_) +
         ", whose waiters may sleep, while it holds a spinlock in the kernel");
  }
  if (part_->sleeps) check_may_block("may sleep for a lock");
  wait_began_ = thread_.now();
  found_busy_ = part_->is_busy(reads);
  seen_entries_ = part_->entries(reads);
  if (!reads) ++part_->acquiring;
  if (reads && part_->sequence == nullptr) ++part_->readers_acquiring;
  if (keeps_cpu(*part_, reads)) thread_.preempt_disable();
  // Misses on a free lock's line are stalls; whoever finds others there waits for them.
  thread_.set_waiting_for_lock(found_busy_);
  if (world_.observer != nullptr) {
    world_.observer->acquire_began(thread_.id(), part_->lock_id, {step.index},
                                   thread_.simulator().now());
  }
  return *part_;
}

void Interpreter::end_acquire(const Instruction& step, model::ReadToken token) {
  const bool reads = step.action == Action::kAcquireRead;
  // Another thread that came later may have overtaken this one.
  const bool waited = found_busy_ || part_->entries(reads) != seen_entries_;
  thread_.set_waiting_for_lock(false);
  if (!reads) {
    --part_->acquiring;
    ++part_->acquisitions;
    part_->holder = thread_.id();
  } else if (part_->sequence == nullptr) {
    --part_->readers_acquiring;
    ++part_->read_acquisitions;
    ++part_->readers;
  }
  held_.push_back({part_, reads, token});
  if (world_.observer != nullptr) {
    world_.observer->acquired(thread_.id(), part_->lock_id, {step.index}, waited,
                              thread_.simulator().now());
  }
}

Interpreter::Held Interpreter::held_by(const Instruction& step) {
  part_ = &part_of(step);
  const auto found = find_held(*part_);
  if (found == held_.end()) fail("releases " + name_of(*part_) + ", which it does not hold");
  const bool reads = step.action == Action::kReleaseRead;
  if (found->reads != reads) {
    fail("releases " + name_of(*part_) + " as a " + (reads ? "reader" : "writer") +
         ", which it holds as a " + (reads ? "writer" : "reader"));
  }
  return *found;
}

model::Lock& Interpreter::begin_release(const Instruction& step) {
  give_up(held_by(step));
  return *part_->lock;
}

void Interpreter::give_up(const Held& held) {
  held_.erase(find_held(*held.part));
  if (!held.reads) {
    held.part->holder.reset();
  } else if (held.part->sequence == nullptr) {
    --held.part->readers;
  }
  if (world_.observer != nullptr) {
    world_.observer->release_began(thread_.id(), held.part->lock_id, thread_.simulator().now());
  }
}

/// A spinlock of the kernel is held with preemption disabled; who reads under a sequence lock holds
/// nothing.
bool Interpreter::keeps_cpu(const Part& part, bool reads) const {
  return thread_.in_kernel() && !part.sleeps && !(reads && part.sequence != nullptr);
}

void Interpreter::end_release(bool reads) {
  if (keeps_cpu(*part_, reads)) thread_.preempt_enable();
  if (world_.observer != nullptr) {
    world_.observer->released(thread_.id(), part_->lock_id, thread_.simulator().now());
  }
}

engine::Task<> Interpreter::acquire_read(const Instruction& step) {
  const Part& part = begin_acquire(step);
  model::ReadToken token;
  if (part.sequence != nullptr) {
    token = co_await part.sequence->read_begin(thread_);
  } else {
    token = co_await part.read_write->acquire_read(thread_);
  }
  end_acquire(step, token);
}

engine::Task<> Interpreter::release_read(const Instruction& step) {
  const Held held = held_by(step);
  if (held.part->sequence != nullptr) {
    const bool torn = co_await held.part->sequence->read_retry(thread_, held.token);
    if (torn) {
      co_await read_again(step, held);
      co_return;
    }
  }
  give_up(held);
  if (held.part->read_write != nullptr) {
    co_await held.part->read_write->release_read(thread_, held.token);
  }
  end_release(true);
  co_await thread_.checkpoint();
}

/// A writer came between: back to the beginning of the section.
engine::Task<> Interpreter::read_again(const Instruction& step, Held held) {
  if (world_.observer != nullptr) {
    world_.observer->read_repeated(thread_.id(), held.part->lock_id, thread_.simulator().now());
  }
  thread_.set_waiting_for_lock(true);
  const model::ReadToken token = co_await held.part->sequence->read_begin(thread_);
  thread_.set_waiting_for_lock(false);
  find_held(*held.part)->token = token;
  at_ = step.target;
}

}  // namespace hotline::workload
