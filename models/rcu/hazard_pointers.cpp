// paper   Maged Michael, Hazard Pointers: Safe Memory Reclamation for Lock-Free Objects, IEEE TPDS
//         15(6), 2004.
// idea    A reader writes the pointer it is about to follow into a slot of its own, makes that
//         visible with a full fence, and reads the pointer again: if it has not changed, nobody
//         frees what it points to. An updater keeps what it has unlinked until it has so much that
//         it reads all slots, and frees what is in none.
// spins   A reader whose pointer changed tries again; synchronize looks again after `poll`.
// differs from the paper in: slots hold numbers that grow with time instead of addresses, so that
//         a section protects everything unlinked after it began, as if it had followed pointers to
//         all of it.

#include "models/rcu/hazard_pointers.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "sim/model/rcu.hpp"

namespace hotline::models {

namespace {

using model::RcuCallback;
using model::RcuModel;

constexpr Value kNothing = 0;

class HazardPointers final : public RcuModel {
 public:
  HazardPointers(Site& site, ParamReader& params)
      : pointer_(site.word("pointer")),
        slots_(site.per_thread("hazard pointers", {{"slot", 64}})),
        hops_(static_cast<std::uint64_t>(
            params.integer("hops", 1, 1, 1000, "pointers that a section follows"))),
        threshold_(static_cast<std::uint64_t>(params.integer(
            "threshold", 0, 0, 1'000'000,
            "callbacks that a thread keeps before it reads all slots; 0: twice the threads"))),
        poll_(params.duration("poll", Duration::from_ps(10'000'000),
                              "until an updater looks again (inferred: 1 us to 1 ms)")),
        threads_(site.threads()) {
    if (threshold_ == 0) threshold_ = std::uint64_t{2} * site.threads();
  }

  Task<ReadToken> read_lock(Thread& self) override {
    State& state = threads_[self.id().value];
    if (state.nesting++ > 0) {
      const ReadToken token;
      co_return token;
    }
    const Value number = ++number_;
    for (std::uint64_t hop = 0; hop < hops_; ++hop) co_await protect(self, number);
    const ReadToken token;
    co_return token;
  }

  Task<> read_unlock(Thread& self, ReadToken) override {
    State& state = threads_[self.id().value];
    if (--state.nesting == 0) co_await self.store(slots_.word(self.id().value, 0), kNothing);
  }

  bool readers_may_block() const override { return true; }

  Task<> synchronize(Thread& self) override {
    co_await unlink(self);
    for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
      const Value found = co_await self.load(slots_.word(thread, 0));
      Value now = found;
      while (now != kNothing && now == found) {
        co_await self.sleep(poll_);
        now = co_await self.load(slots_.word(thread, 0));
      }
    }
  }

  Task<> call(Thread& self, std::unique_ptr<RcuCallback> callback) override {
    State& state = threads_[self.id().value];
    co_await unlink(self);
    state.retired.push_back({number_, std::move(callback)});
    if (state.retired.size() >= threshold_) co_await reclaim(self, state);
  }

  std::uint64_t pending() const override {
    std::uint64_t all = 0;
    for (const State& state : threads_) all += state.retired.size();
    return all;
  }

 private:
  struct Retired {
    Value number;
    std::unique_ptr<RcuCallback> callback;
  };
  struct State {
    std::uint32_t nesting = 0;
    std::deque<Retired> retired;
  };

  Task<> protect(Thread& self, Value number) {
    const Word slot = slots_.word(self.id().value, 0);
    Value seen = co_await self.load(pointer_);
    while (true) {
      co_await self.store(slot, number);
      co_await self.fence();
      const Value again = co_await self.load(pointer_);
      if (again == seen) co_return;
      seen = again;
    }
  }

  /// Takes something out of the readers' way.
  Task<> unlink(Thread& self) {
    const Value before = co_await self.load(pointer_);
    co_await self.store(pointer_, before + 1);
    co_await self.fence();
  }

  /// Frees what no section can still use: all that was unlinked before the oldest began.
  Task<> reclaim(Thread& self, State& state) {
    Value oldest = ~kNothing;
    for (std::uint32_t thread = 0; thread < threads_.size(); ++thread) {
      const Value found = co_await self.load(slots_.word(thread, 0));
      if (found != kNothing) oldest = std::min(oldest, found);
    }
    while (!state.retired.empty() && state.retired.front().number < oldest) {
      const std::unique_ptr<RcuCallback> callback = std::move(state.retired.front().callback);
      state.retired.pop_front();
      co_await callback->invoke(self);
    }
  }

  Word pointer_;
  Records slots_;
  std::uint64_t hops_;
  std::uint64_t threshold_;
  Duration poll_;
  std::vector<State> threads_;
  Value number_ = kNothing;
};

}  // namespace

std::unique_ptr<Model> hazard_pointers(Site& site, ParamReader& params) {
  return make<HazardPointers>(site, params);
}

}  // namespace hotline::models
