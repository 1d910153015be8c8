#include "sim/os/run_queue.hpp"

#include <algorithm>

#include "sim/os/thread.hpp"

namespace hotline::os {

void RunQueue::push(Thread& thread) {
  thread.queued_ = ++pushed_;
  threads_.push_back(&thread);
}

void RunQueue::push_front(Thread& thread) {
  thread.queued_ = --pushed_front_;
  threads_.push_back(&thread);
}

void RunQueue::remove(Thread& thread) {
  threads_.erase(std::find(threads_.begin(), threads_.end(), &thread));
}

bool RunQueue::runs_before(const Thread& a, const Thread& b) {
  if (a.priority_.real_time != b.priority_.real_time) return goes_before(a.priority_, b.priority_);
  if (a.priority_.real_time == 0 && a.virtual_time_ != b.virtual_time_) {
    return a.virtual_time_ < b.virtual_time_;
  }
  return a.queued_ < b.queued_;
}

Thread* RunQueue::first() const {
  const auto found = std::min_element(threads_.begin(), threads_.end(),
                                      [](auto* a, auto* b) { return runs_before(*a, *b); });
  return found == threads_.end() ? nullptr : *found;
}

Thread* RunQueue::movable_to(machine::CpuId cpu) const {
  Thread* last = nullptr;
  for (Thread* thread : threads_) {
    if (thread->may_run_on(cpu) && (last == nullptr || runs_before(*last, *thread))) last = thread;
  }
  return last;
}

}  // namespace hotline::os
