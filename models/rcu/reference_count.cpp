// source  Plain reference counting of one object, as McKenney measures it with refscale (Linux
//         kernel/rcu/refscale.c: a locked increment and a locked decrement of one word a section).
// idea    A reader adds one to the object's count and takes it off again. An updater puts a new
//         object with a count of its own in the old one's place, and waits until the old count is
//         zero. A reader that counted itself on an object which has been replaced meanwhile goes
//         back and takes the new one.
// spins   Nobody: updaters look again after `poll`.
// differs from refscale in: the two looks at the pointer, on a line that nobody writes meanwhile.

#include "models/rcu/reference_count.hpp"

#include <memory>
#include <utility>

#include "models/rcu/parts/reclaimer.hpp"
#include "sim/model/rcu.hpp"

namespace hotline::models {

namespace {

using model::RcuCallback;
using model::RcuModel;

constexpr Value kMinusOne = ~Value{0};

class ReferenceCount final : public RcuModel {
 public:
  ReferenceCount(Site& site, ParamReader& params)
      : object_(site.word("pointer")),
        counts_(site.array("object", {{"count", 64}}, 2)),
        poll_(params.duration("poll", Duration::from_ps(10'000'000),
                              "until an updater looks again (inferred: 1 us to 1 ms)")) {
    if (site.scheduler() == nullptr) return;
    reclaimer_ = std::make_unique<Reclaimer>(*this, *site.scheduler(), "reclaimer");
  }

  Task<ReadToken> read_lock(Thread& self) override {
    Value object = co_await self.load(object_);
    while (true) {
      co_await self.fetch_add(counts_.word(object, 0), 1);
      const Value still = co_await self.load(object_);
      if (still == object) break;
      co_await self.fetch_add(counts_.word(object, 0), kMinusOne);
      object = still;
    }
    const ReadToken token{object};
    co_return token;
  }

  Task<> read_unlock(Thread& self, ReadToken token) override {
    co_await self.fetch_add(counts_.word(token.value, 0), kMinusOne);
  }

  bool readers_may_block() const override { return true; }

  /// One updater at a time: the object after the next uses the old one's count.
  Task<> synchronize(Thread& self) override {
    while (updating_) co_await self.sleep(poll_);
    updating_ = true;
    const Value old = co_await self.load(object_);
    co_await self.store(object_, old ^ 1U);
    co_await self.fence();
    while (true) {
      const Value users = co_await self.load(counts_.word(old, 0));
      if (users == 0) break;
      co_await self.sleep(poll_);
    }
    updating_ = false;
  }

  Task<> call(Thread& self, std::unique_ptr<RcuCallback> callback) override {
    return reclaimer_->queue(self, std::move(callback));
  }

  std::uint64_t pending() const override {
    return reclaimer_ == nullptr ? 0 : reclaimer_->pending();
  }

 private:
  Word object_;
  Records counts_;
  Duration poll_;
  bool updating_ = false;
  std::unique_ptr<Reclaimer> reclaimer_;
};

}  // namespace

std::unique_ptr<Model> reference_count(Site& site, ParamReader& params) {
  return make<ReferenceCount>(site, params);
}

}  // namespace hotline::models
