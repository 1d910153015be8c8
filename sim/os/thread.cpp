#include "sim/os/thread.hpp"

#include <utility>

#include "sim/os/scheduler.hpp"

namespace hotline::os {

Thread::Thread(engine::Simulator& simulator, machine::Port& port, ThreadId id, std::string name)
    : simulator_(simulator),
      port_(&port),
      id_(id),
      name_(std::move(name)),
      random_(simulator.stream("thread", id.value)) {
  alarm_.thread = this;
  alarm_.fire = [](engine::Event* event) {
    Thread& thread = *static_cast<Alarm*>(event)->thread;
    thread.alarm_id_.reset();
    thread.timed_out_ = true;
    thread.scheduler_->wake(thread, thread.cpu());
  };
  limited_.thread = this;
  limited_.fire = [](engine::Event* event) {
    Thread& thread = *static_cast<Alarm*>(event)->thread;
    thread.limit_id_.reset();
    thread.end_optimism();
  };
  stopped_.thread = this;
  stopped_.fire = [](engine::Event* event) {
    Thread& thread = *static_cast<Alarm*>(event)->thread;
    thread.defer(Next::kOperate, thread.waiting_);
  };
}

Operation Thread::spin_until(Word word, Condition condition, Pace pace) {
  access_ = {machine::Op::kSpin, word, 0, 0};
  condition_ = condition;
  poll_ = pace == Pace::kPause ? port_->pause_time() : Duration{};
  return {this};
}

OptimisticSpin Thread::spin_optimistically(Word word, Condition condition, const Thread* watched,
                                           Pace pace) {
  const Operation spin = spin_until(word, condition, pace);
  optimistic_ = true;
  hurried_ = true;
  watched_ = watched;
  return {spin};
}

OptimisticSpin Thread::spin_for(Word word, Condition condition, Duration limit,
                                const Thread* watched, Pace pace) {
  const OptimisticSpin spin = spin_optimistically(word, condition, watched, pace);
  hurried_ = false;
  limit_ = now() + limit;
  return spin;
}

Computation Thread::pause(std::uint64_t count) { return {this, port_->pause_time() * count, true}; }

void Thread::begin_spin(std::coroutine_handle<> waiting) {
  waiting_ = waiting;
  port_->spin(access_.word, condition_, poll_, waiting);
  if (!optimistic_) return;
  const bool owner_is_gone = watched_ != nullptr && !watched_->on_cpu();
  const bool is_over = limit_ && now() >= *limit_;
  if (owner_is_gone || is_over || (hurried_ && need_resched())) {
    end_optimism();
    return;
  }
  if (limit_ && !limit_id_) limit_id_ = simulator_.schedule_at(*limit_, limited_);
  if (watched_ != nullptr && !listed_) {
    listed_ = true;
    scheduler_->optimists_.push_back(this);
  }
}

void Thread::stop_hoping() {
  optimistic_ = false;
  watched_ = nullptr;
  limit_.reset();
  if (limit_id_) simulator_.cancel(*limit_id_);
  limit_id_.reset();
}

/// Ends an optimistic spin loop, if one is under way: one that was interrupted looks for itself
/// when it goes on.
void Thread::end_optimism() {
  const bool halted = home_ != nullptr && home_->halted;
  if (!optimistic_ || state_ != ThreadState::kRunning || halted) return;
  port_->interrupt_spin(waiting_);
}

void Thread::prepare_to_block() {
  preparing_ = true;
  woken_ = false;
}

void Thread::stay_awake() {
  preparing_ = false;
  woken_ = false;
}

bool Block::await_suspend(std::coroutine_handle<> waiting) const {
  thread->preparing_ = false;
  if (std::exchange(thread->woken_, false)) return false;
  thread->begin_stretch();
  thread->next_ = Thread::Next::kResume;
  thread->waiting_ = waiting;
  thread->scheduler_->block(*thread);
  return true;
}

void Checkpoint::await_suspend(std::coroutine_handle<> waiting) const {
  thread->begin_stretch();
  thread->defer(Thread::Next::kResume, waiting);
}

void Yield::await_suspend(std::coroutine_handle<> waiting) const {
  thread->begin_stretch();
  thread->next_ = Thread::Next::kResume;
  thread->waiting_ = waiting;
  thread->scheduler_->yield(*thread, way);
}

/// A new thread may have its CPU while that still does something else.
bool Start::await_ready() const noexcept {
  if (thread->state() != ThreadState::kRunning) return false;
  return thread->home_ == nullptr || !thread->home_->halted;
}

void Start::await_suspend(std::coroutine_handle<> waiting) const {
  thread->next_ = Thread::Next::kResume;
  thread->waiting_ = waiting;
}

Yield Thread::cond_resched() {
  Yield asks = reschedule();
  if (asks.way == GiveWay::kIfNeeded &&
      scheduler_->parameters().preemption != Preemption::kVoluntary) {
    asks.way = GiveWay::kNot;
  }
  return asks;
}

Yield Thread::reschedule() {
  return {this, need_resched() && preempt_disabled_ == 0 ? GiveWay::kIfNeeded : GiveWay::kNot};
}

engine::Task<> Thread::wake(Thread& other) {
  const Duration takes = scheduler_->parameters().wake;
  // The kernel has a full barrier here: whoever wakes up sees what was written before.
  if (port_->has_unseen_writes()) co_await fence();
  if (takes != Duration{}) co_await compute(takes);
  scheduler_->wake(other, cpu());
}

engine::Task<bool> Thread::block_for(Duration length) {
  timed_out_ = false;
  alarm_id_ = simulator_.schedule(length, alarm_, engine::Phase::kThread);
  co_await block();
  if (alarm_id_) simulator_.cancel(*alarm_id_);
  alarm_id_.reset();
  co_return !timed_out_;
}

engine::Task<> Thread::sleep(Duration length) {
  const SimTime until = now() + length;
  while (now() < until) co_await block_for(until - now());
}

bool Thread::need_resched() const { return home_ != nullptr && home_->need_resched; }

bool Thread::on_cpu() const {
  return state_ == ThreadState::kRunning && (home_ == nullptr || !home_->stolen);
}

void Thread::set_priority(Priority priority) { scheduler_->set_priority(*this, priority); }

void Thread::preempt_enable() {
  --preempt_disabled_;
  if (need_resched() && preemptible()) attention_ = true;
}

void Thread::interrupts_disable() {
  ++interrupts_disabled_;
  preempt_disable();
}

void Thread::interrupts_enable() {
  --interrupts_disabled_;
  preempt_enable();
  if (interrupts_disabled_ == 0 && home_ != nullptr && !home_->works.empty()) attention_ = true;
}

engine::Task<> Thread::cross(bool into_kernel) {
  const Duration takes = scheduler_ == nullptr ? Duration{} : scheduler_->parameters().system_call;
  if (into_kernel) set_in_kernel(true);
  if (takes != Duration{}) co_await compute(takes / 2);
  if (!into_kernel) set_in_kernel(false);
}

engine::Task<> Thread::spend(Duration Parameters::*cost) {
  const Duration takes = scheduler_ == nullptr ? Duration{} : scheduler_->parameters().*cost;
  if (takes != Duration{}) co_await compute(takes);
}

void Thread::set_in_kernel(bool in_kernel) {
  in_kernel_ = in_kernel;
  if (need_resched() && preemptible()) attention_ = true;
}

bool Thread::preemptible() const {
  if (preempt_disabled_ > 0) return false;
  return !in_kernel_ || scheduler_->parameters().preemption >= Preemption::kFull;
}

bool Thread::may_run_on(CpuId cpu) const {
  if (migrate_disabled_ > 0) return cpu == this->cpu();
  return allowed_.empty() || std::find(allowed_.begin(), allowed_.end(), cpu) != allowed_.end();
}

/// Stops what the running thread does, for good or (unless `gives_up_cpu`) for a handler's time.
/// False if that takes a while: the thread then asks itself.
bool Thread::stop(bool gives_up_cpu) {
  if (computing_) {
    stop_computation();
    return true;
  }
  const bool spinning = access_.op == machine::Op::kSpin;
  if (spinning && !gives_up_cpu) {
    home_->debt = {};  // the handler takes time that the loop would only have waited
    return false;
  }
  attention_ = true;
  if (spinning) port_->interrupt_spin(engine::as_continuation(stopped_));
  return false;
}

void Thread::change_pace(bool was_shared) {
  const Duration left = port_->unstretched(ends_ - now(), was_shared);
  ends_ = now() + port_->stretched(left, !was_shared);
  simulator_.reschedule(computation_, ends_);
}

void Thread::stop_computation() {
  simulator_.cancel(computation_);
  settle();
  computing_ = false;
  if (!leaves_core_) port_->end_computing();
  const Duration left = ends_ - now();
  length_ = std::min(length_, leaves_core_ ? left : port_->unstretched(left));
  next_ = Next::kCompute;
  home_->halted = true;
}

/// Keeps what the thread is about to do until it has its CPU to itself again.
void Thread::defer(Next next, std::coroutine_handle<> waiting) {
  next_ = next;
  waiting_ = waiting;
  defer_here();
  scheduler_->resolve(*home_);
}

void Thread::defer_here() {
  settle();
  attention_ = false;
  home_->halted = true;
}

void Thread::go_on() {
  settle();
  home_->halted = false;
  switch (next_) {
    case Next::kResume:
      // A new thread may have its CPU before its program has asked for it.
      if (waiting_) simulator_.resume_after({}, waiting_);
      return;
    case Next::kOperate:
      begin_operation(waiting_);
      return;
    case Next::kCompute:
      begin_computation(length_, waiting_);
      return;
  }
}

Account Thread::under_way() const {
  const Account waits = waiting_for_lock_ ? Account::kLockSleep : Account::kOther;
  switch (state_) {
    case ThreadState::kRunnable:
      return Account::kScheduling;
    case ThreadState::kBlocked:
      return waits;
    case ThreadState::kEnded:
      return Account::kOther;
    case ThreadState::kRunning:
      break;
  }
  if (home_ != nullptr && home_->halted) return Account::kScheduling;
  if (waiting_for_lock_) return Account::kLockWait;
  return computing_ ? Account::kWork : Account::kLineStall;
}

void Thread::book_stall(Duration length) {
  if (waiting_for_lock_) {
    book(Account::kLockWait, length);
    return;
  }
  book(Account::kLineStall, length);
  const std::size_t function = calls_.empty() ? 0 : calls_.back().value + std::size_t{1};
  if (function >= stalls_.size()) stalls_.resize(function + 1);
  std::vector<Duration>& by_source = stalls_[function];
  const std::size_t source = stall_class(port_->source());
  if (source >= by_source.size()) by_source.resize(source + 1);
  by_source[source] += length;
}

void Thread::settle() {
  book(under_way(), now() - began_);
  began_ = now();
}

void Thread::set_state(ThreadState state) {
  settle();
  state_ = state;
  state_since_ = now();
}

void Thread::enter(FunctionId function) {
  calls_.push_back(function);
  if (by_function_.size() <= function.value) by_function_.resize(function.value + 1);
}

}  // namespace hotline::os
