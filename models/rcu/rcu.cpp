// source  Linux 6.12 kernel/rcu/tree.c, tree_exp.h, tree_plugin.h (McKenney and others): the
// flavour
//         that goes with the run's preemption model, PREEMPT_RT's rules included.
// idea    Readers touch nothing, or their own task's count. A grace period ends when every CPU has
//         had a quiescent state after its beginning (a context switch, idleness, a tick in user
//         mode); CPUs report to the leaves of a tree, the last of each node to its parent. Normal
//         ones are driven by ticks and a thread that looks for idle CPUs every few ticks; expedited
//         ones interrupt every busy CPU.
// spins   Nobody but for the tree's locks; callers sleep.
// differs from Linux in: no nocb CPUs, no boosting, no stall warnings, no nohz_full; callbacks wait
//         in one numbered queue instead of four segments; only changed sequence numbers are looked
//         at by ticks as memory operations.

#include "models/rcu/rcu.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "models/rcu/parts/completion.hpp"
#include "models/rcu/tree/cpu_side.hpp"
#include "models/rcu/tree/expedited.hpp"
#include "models/rcu/tree/free.hpp"
#include "models/rcu/tree/grace_period.hpp"
#include "models/rcu/tree/state.hpp"

namespace hotline::models {

namespace {

using model::Milestone;
using model::RcuCallback;
using model::RcuModel;
using model::RcuObserver;

class TreeRcu final : public RcuModel {
 public:
  TreeRcu(Site& site, ParamReader& params)
      : state_(site, params),
        normal_(state_),
        expedited_(state_),
        cpus_(state_, normal_, expedited_),
        free_(state_, cpus_) {
    if (state_.scheduler == nullptr) return;
    state_.scheduler->watch(cpus_);
    normal_.start();
    expedited_.start();
    free_.start(site);
  }

  Task<ReadToken> read_lock(Thread& self) override {
    tree_rcu::Reader& reader = *state_.reader(self);
    ++reader.nesting;
    if (state_.params.preemptible) {
      const Value nesting = co_await self.load(reader.nesting_word);
      co_await self.store(reader.nesting_word, nesting + 1);
    } else {
      self.preempt_disable();
    }
    const ReadToken token;
    co_return token;
  }

  Task<> read_unlock(Thread& self, ReadToken) override {
    tree_rcu::Reader& reader = *state_.reader(self);
    if (!state_.params.preemptible) {
      --reader.nesting;
      self.preempt_enable();
      co_await self.checkpoint();
      co_return;
    }
    const Value nesting = co_await self.load(reader.nesting_word);
    co_await self.store(reader.nesting_word, nesting - 1);
    if (nesting > 1) {
      --reader.nesting;
      co_return;
    }
    // A core predicts that nothing special has happened and does not wait for this load.
    co_await self.prefetch(reader.special_word);
    --reader.nesting;
    if (reader.preempted_on != nullptr || reader.asked) {
      co_await leave_specially(self, reader);
    }
  }

  bool readers_may_block() const override { return state_.params.threaded; }

  Task<> synchronize(Thread& self) override {
    check_ticks();
    if (state_.params.normal_is_expedited && !state_.params.expedited_is_normal) {
      return wait_expedited(self);
    }
    return wait_normally(self);
  }

  Task<> synchronize_expedited(Thread& self) override {
    check_ticks();
    if (!state_.params.expedited_is_normal) return wait_expedited(self);
    state_.tell_of(Milestone::kMadeNormal, state_.cpu(self.cpu()));
    return wait_normally(self);
  }

  Task<> call(Thread& self, std::unique_ptr<RcuCallback> callback) override {
    check_ticks();
    return cpus_.call(self, std::move(callback));
  }

  Task<> call_to_free(Thread& self, std::unique_ptr<RcuCallback> callback) override {
    check_ticks();
    return free_.queue(self, std::move(callback));
  }

  std::uint64_t pending() const override {
    std::uint64_t all = free_.pending();
    for (const tree_rcu::Cpu& cpu : state_.cpus) all += cpu.callbacks.size();
    return all;
  }

  void observe(RcuObserver* observer) override { state_.observer = observer; }

 private:
  void check_ticks() const {
    if (state_.scheduler != nullptr && state_.scheduler->parameters().hz != 0) return;
    throw std::invalid_argument("grace periods need ticks: give the run an os section with hz");
  }

  Task<> wait_normally(Thread& self) {
    state_.tell_of(Milestone::kRequested, state_.cpu(self.cpu()));
    Completion completion(self);
    co_await cpus_.call(self, completion.callback());
    co_await completion.wait();
    state_.tell_of(Milestone::kReturned, state_.cpu(self.cpu()));
  }

  Task<> wait_expedited(Thread& self) {
    state_.tell_of(Milestone::kRequested, state_.cpu(self.cpu()), 0, true);
    co_await expedited_.synchronize(self);
    state_.tell_of(Milestone::kReturned, state_.cpu(self.cpu()), 0, true);
  }

  /// The end of a section that was preempted, or that an expedited grace period waits for.
  Task<> leave_specially(Thread& self, tree_rcu::Reader& reader) {
    self.interrupts_disable();
    co_await self.store(reader.special_word, 0);
    if (std::exchange(reader.asked, false)) {
      co_await expedited_.report(self, state_.cpu(self.cpu()));
    }
    if (reader.preempted_on != nullptr) co_await leave_list(self, reader);
    self.interrupts_enable();
  }

  Task<> leave_list(Thread& self, tree_rcu::Reader& reader) {
    tree_rcu::Node& leaf = *reader.preempted_on;
    co_await state_.acquire(self, leaf);
    const Value head = co_await self.load(leaf.preempted);
    co_await self.store(leaf.preempted, head - 1);
    std::erase(leaf.readers, &reader);
    reader.preempted_on = nullptr;
    const bool last = std::exchange(reader.blocks, false) && leaf.missing_now == 0 &&
                      !tree_rcu::GracePeriods::blocked(leaf);
    const bool last_expedited = std::exchange(reader.blocks_expedited, false) &&
                                leaf.exp_missing_now == 0 && !tree_rcu::Expedited::blocked(leaf);
    if (last && last_expedited) {
      co_await normal_.report_reader(self, leaf);
      co_await state_.acquire(self, leaf);
    } else if (last) {
      co_await normal_.report_reader(self, leaf);
      co_return;
    }
    if (last_expedited) {
      co_await expedited_.report_reader(self, leaf);
    } else {
      co_await state_.release(self, leaf);
    }
  }

  tree_rcu::State state_;
  tree_rcu::GracePeriods normal_;
  tree_rcu::Expedited expedited_;
  tree_rcu::CpuSide cpus_;
  tree_rcu::Free free_;
};

}  // namespace

std::unique_ptr<Model> rcu(Site& site, ParamReader& params) { return make<TreeRcu>(site, params); }

}  // namespace hotline::models
