// source  Linux 6.12 kernel/rcu/srcutree.c (McKenney, Jiangshan Lai), after Desnoyers et al., IEEE
//         TPDS 23(2), 2012, and McKenney's counters of 2006.
// idea    Two pairs of counts a CPU, sections begun and sections ended, and an index that says
// which
//         pair new readers use. A grace period waits until the old pair's sums agree, turns the
//         index, and waits for the pair just left. Readers may sleep.
// spins   Nobody: the thread that sums looks again after a few microseconds, then after a tick.
// differs from Linux in: one thread for the work queue, no tree of callbacks (one queue), and no
//         expedited look within a normal grace period. The sums' loads overlap as far as a core's
//         line-fill buffers let them.

#include "models/rcu/srcu.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "models/rcu/parts/completion.hpp"
#include "sim/model/rcu.hpp"

namespace hotline::models {

namespace {

using model::CpuId;
using model::Milestone;
using model::RcuCallback;
using model::RcuModel;
using model::RcuObserver;
using model::SimTime;

constexpr Duration us(std::uint64_t count) { return Duration::from_ps(count * 1'000'000); }

class Srcu final : public RcuModel {
 public:
  Srcu(Site& site, ParamReader& params)
      : index_(site.word("srcu_idx", 32)),
        counts_(site.per_cpu("srcu_data", {{"lock_count[0]", 64},
                                           {"lock_count[1]", 64},
                                           {"unlock_count[0]", 64},
                                           {"unlock_count[1]", 64}})),
        stacks_(site.per_thread("task", {{"stack", 64}})),
        cpus_(site.cpus()),
        scheduler_(site.scheduler()),
        locked_add_(params.choice("barrier", 0, {"locked-add", "fence"},
                                  "a reader's full barrier: a locked add to its stack (x86), or a "
                                  "fence instruction") == 0),
        holdoff_(params.duration("exp_holdoff", us(25),
                                 "without a grace period for so long, the next is expedited")),
        retry_(params.duration("retry_delay", us(5), "until the counts are summed up again")),
        tries_(params.integer("tries", 2, 1, 1000, "of these before the thread sleeps")),
        overlap_(static_cast<std::uint32_t>(
            params.integer("overlap", 10, 1, 64, "CPUs whose counts are under way at once"))) {
    if (scheduler_ == nullptr) return;
    thread_ = &scheduler_->add_kernel_thread("srcu", {0}, {});
    scheduler_->simulator().spawn(run());
  }

  Task<ReadToken> read_lock(Thread& self) override {
    const Value index = co_await self.load(index_);
    co_await count(self, index & 1U);
    co_await barrier(self);
    const ReadToken token{index & 1U};
    co_return token;
  }

  Task<> read_unlock(Thread& self, ReadToken token) override {
    co_await barrier(self);
    co_await count(self, 2 + token.value);
  }

  bool readers_may_block() const override { return true; }

  Task<> synchronize(Thread& self) override { return wait(self, false); }
  Task<> synchronize_expedited(Thread& self) override { return wait(self, true); }

  Task<> call(Thread& self, std::unique_ptr<RcuCallback> callback) override {
    co_await self.fence();
    const bool sleeps = queue_.empty();
    queue_.push_back({sequence_ + (sequence_ % 2 == 0 ? 2 : 3), std::move(callback)});
    if (sleeps) co_await self.wake(*thread_);
  }

  std::uint64_t pending() const override { return queue_.size(); }
  void observe(RcuObserver* observer) override { observer_ = observer; }

 private:
  struct Queued {
    std::uint64_t needs;
    std::unique_ptr<RcuCallback> callback;
  };

  void tell(Milestone what, std::uint32_t cpu = 0, bool expedited = false,
            std::uint64_t count = 0) {
    if (observer_ == nullptr) return;
    observer_->happened({what, scheduler_->now(), sequence_, expedited, cpu, cpu, count});
  }

  /// smp_mb(): on x86 a locked add of nothing to the task's stack.
  Task<> barrier(Thread& self) {
    if (locked_add_) {
      co_await self.fetch_add(stacks_.word(self.id().value, 0), 0);
    } else {
      co_await self.fence();
    }
  }

  /// One more on this CPU: an instruction that an interrupt or a switch cannot split.
  Task<> count(Thread& self, std::size_t which) {
    self.preempt_disable();
    const Word word = counts_.word(self.cpu().value, which);
    const Value before = co_await self.load(word);
    co_await self.store(word, before + 1);
    self.preempt_enable();
  }

  Task<> wait(Thread& self, bool expedited) {
    tell(Milestone::kRequested, self.cpu().value, expedited);
    hurries_ = hurries_ || expedited;
    Completion completion(self);
    co_await call(self, completion.callback());
    co_await completion.wait();
    tell(Milestone::kReturned, self.cpu().value, expedited);
  }

  Task<> run() {
    Thread& self = *thread_;
    co_await self.started();
    while (true) {
      while (queue_.empty()) co_await self.block();
      const bool idle = ended_ == SimTime() || self.now() > ended_ + holdoff_;
      if (!idle && !hurries_) co_await self.sleep(interval());
      hurries_ = false;
      co_await grace_period(self);
      co_await invoke(self);
    }
  }

  /// A tick where there are ticks.
  Duration interval() const {
    return scheduler_->parameters().hz == 0 ? us(1000) : scheduler_->tick_period();
  }

  Task<> grace_period(Thread& self) {
    ++sequence_;
    tell(Milestone::kStarted);
    const Value index = co_await self.load(index_);
    co_await drain(self, (index & 1U) ^ 1U);
    co_await self.store(index_, index ^ 1U);
    co_await self.fence();
    co_await drain(self, index & 1U);
    tell(Milestone::kEnded);
    ++sequence_;
    ended_ = self.now();
  }

  Task<> drain(Thread& self, Value index) {
    std::int64_t tries = 0;
    while (true) {
      const Value ended = co_await sum(self, 2 + index);
      co_await self.fence();
      const Value begun = co_await sum(self, index);
      if (begun == ended) co_return;
      if (++tries < tries_) {
        co_await self.compute(retry_);
      } else {
        tries = 0;
        co_await self.sleep(interval());
      }
    }
  }

  Task<Value> sum(Thread& self, std::size_t which) {
    Value all = 0;
    for (std::uint32_t cpu = 0; cpu < cpus_; ++cpu) {
      const std::uint32_t ahead = cpu + overlap_;
      if (overlap_ > 1 && ahead < cpus_) co_await self.prefetch(counts_.word(ahead, which));
      const Value one = co_await self.load(counts_.word(cpu, which));
      all += one;
    }
    co_return all;
  }

  Task<> invoke(Thread& self) {
    std::uint64_t done = 0;
    while (!queue_.empty() && queue_.front().needs <= sequence_) {
      const std::unique_ptr<RcuCallback> callback = std::move(queue_.front().callback);
      queue_.pop_front();
      co_await callback->invoke(self);
      ++done;
    }
    tell(Milestone::kInvoked, self.cpu().value, false, done);
  }

  Word index_;
  Records counts_;
  Records stacks_;
  std::uint32_t cpus_;
  model::Scheduler* scheduler_;
  bool locked_add_;
  Duration holdoff_, retry_;
  std::int64_t tries_;
  std::uint32_t overlap_;
  Thread* thread_ = nullptr;
  RcuObserver* observer_ = nullptr;
  std::deque<Queued> queue_;
  std::uint64_t sequence_ = 0;  // odd: a grace period is in progress
  bool hurries_ = false;
  SimTime ended_;
};

}  // namespace

std::unique_ptr<Model> srcu(Site& site, ParamReader& params) { return make<Srcu>(site, params); }

}  // namespace hotline::models
