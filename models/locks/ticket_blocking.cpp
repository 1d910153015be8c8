// source  The "ticket blocking" of the hierarchy measurements (docs/models/ticket_blocking.md).
// idea    A ticket lock whose waiters sleep on one condition variable. Every release wakes them
//         all; the one whose turn it is goes on, the others sleep again.
// spins   Nobody. Each hand-over costs as many wake-ups and sleeps as there are waiters, who all
//         need the mutex, which the release holds while it wakes them.
// differs in nothing that is known: mutex and condition variable are glibc's.

#include "models/locks/ticket_blocking.hpp"

#include "models/locks/condition_variable.hpp"
#include "models/locks/futex_mutex.hpp"

namespace hotline::models {

namespace {

class TicketBlockingLock final : public LockModel {
 public:
  TicketBlockingLock(Site& site, ParamReader& params)
      : next_(site.word("next")),
        owner_(site.word("owner")),
        mutex_(futex_mutex(site.part("mutex", site.home()), params)),
        served_(models::condition_variable(site.part("condition", site.home()), params)) {}

  Task<> acquire(Thread& self) override {
    const Value ticket = co_await self.fetch_add(next_, 1);
    Value owner = co_await self.load(owner_);
    if (owner == ticket) co_return;
    co_await mutex().acquire(self);
    owner = co_await self.load(owner_);
    while (owner != ticket) {
      co_await served().wait(self, mutex());
      owner = co_await self.load(owner_);
    }
    co_await mutex().release(self);
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value owner = co_await self.load(owner_);
    const Value before = co_await self.compare_exchange(next_, owner, owner + 1);
    co_return before == owner;
  }

  Task<> release(Thread& self) override {
    co_await mutex().acquire(self);
    const Value owner = co_await self.load(owner_);
    co_await self.store(owner_, owner + 1);
    const Value next = co_await self.load(next_);
    if (owner + 1 < next) co_await served().broadcast(self);
    co_await mutex().release(self);
  }

 private:
  Lock& mutex() { return *mutex_->lock(); }
  model::ConditionVariable& served() { return *served_->condition_variable(); }

  Word next_;
  Word owner_;
  std::unique_ptr<Model> mutex_;
  std::unique_ptr<Model> served_;
};

}  // namespace

std::unique_ptr<Model> ticket_blocking(Site& site, ParamReader& params) {
  return make<TicketBlockingLock>(site, params);
}

}  // namespace hotline::models
