// paper   Desnoyers, McKenney, Stern, Dagenais, Walpole, User-Level Implementations of Read-Copy
//         Update, IEEE TPDS 23(2), 2012: quiescent-state-based reclamation.
// idea    Readers do nothing. Now and then a thread outside of sections says so, by copying the
//         number of the grace period to a word of its own; a thread that blocks goes offline and
//         comes back before its next section. A grace period raises the number and waits until
//         every thread online has copied it.
// spins   Nobody: updaters look again after `poll`.
// differs from the paper in: going offline is free (it falls into the time of blocking), and the
//         program says nothing itself: every `period`-th section's end is a quiescent state.

#include "models/rcu/qsbr.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "models/rcu/parts/reclaimer.hpp"
#include "sim/model/rcu.hpp"

namespace hotline::models {

namespace {

using model::RcuCallback;
using model::RcuModel;

class Qsbr final : public RcuModel, private os::CpuWatcher {
 public:
  Qsbr(Site& site, ParamReader& params)
      : number_(site.word("gp", 64, 1)),
        seen_(site.per_thread("thread", {{"seen", 64}})),
        period_(static_cast<std::uint64_t>(params.integer(
            "period", 1, 1, 1'000'000, "sections until a thread says that it is outside"))),
        poll_(params.duration("poll", Duration::from_ps(10'000'000),
                              "until an updater looks again (inferred: 1 us to 1 ms)")),
        threads_(site.threads()) {
    if (site.scheduler() == nullptr) return;
    site.scheduler()->watch(*this);
    reclaimer_ = std::make_unique<Reclaimer>(*this, *site.scheduler(), "qsbr reclaimer");
  }

  Task<ReadToken> read_lock(Thread& self) override {
    State& state = threads_[self.id().value];
    if (state.nesting++ == 0 && !state.online) {
      state.online = true;
      co_await announce(self);
    }
    const ReadToken token;
    co_return token;
  }

  Task<> read_unlock(Thread& self, ReadToken) override {
    State& state = threads_[self.id().value];
    if (--state.nesting > 0 || ++state.sections % period_ != 0) co_return;
    const Value now = co_await self.load(number_);
    if (now != state.seen) co_await announce(self);
  }

  bool readers_may_block() const override { return true; }

  Task<> synchronize(Thread& self) override {
    const Value before = co_await self.fetch_add(number_, 1);
    for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
      if (thread == self.id().value) continue;
      while (true) {
        const Value seen = co_await self.load(seen_.word(thread, 0));
        if (!threads_[thread].online || seen > before) break;
        co_await self.sleep(poll_);
      }
    }
  }

  Task<> call(Thread& self, std::unique_ptr<RcuCallback> callback) override {
    return reclaimer_->queue(self, std::move(callback));
  }

  std::uint64_t pending() const override {
    return reclaimer_ == nullptr ? 0 : reclaimer_->pending();
  }

 private:
  struct State {
    std::uint32_t nesting = 0;
    std::uint64_t sections = 0;
    Value seen = 0;
    bool online = false;
  };

  void switched(model::CpuId, Thread* from, Thread*) override {
    if (from == nullptr || from->id().value >= threads_.size()) return;
    State& state = threads_[from->id().value];
    const bool blocks = from->state() != os::ThreadState::kRunnable;
    if (blocks && state.nesting == 0) state.online = false;
  }

  Task<> announce(Thread& self) {
    State& state = threads_[self.id().value];
    co_await self.fence();
    state.seen = co_await self.load(number_);
    co_await self.store(seen_.word(self.id().value, 0), state.seen);
    co_await self.fence();
  }

  Word number_;
  Records seen_;
  std::uint64_t period_;
  Duration poll_;
  std::vector<State> threads_;
  std::unique_ptr<Reclaimer> reclaimer_;
};

}  // namespace

std::unique_ptr<Model> qsbr(Site& site, ParamReader& params) { return make<Qsbr>(site, params); }

}  // namespace hotline::models
