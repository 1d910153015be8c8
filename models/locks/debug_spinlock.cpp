// source  Linux before 4.11, kernel/locking/spinlock_debug.c with CONFIG_DEBUG_SPINLOCK.
// idea    Around an ordinary lock: magic, owner and CPU are checked and recorded on its own line,
//         and an acquire *tries* the lock, with a short delay between tries, for about a second.
//         Only then does it enter the lock's own slow path, so a queue lock is never seen
//         queueing.
// spins   Every waiter on the line, with reads (the try looks first). The holder writes that line
//         three times a critical section: recording itself, clearing itself, releasing.
// differs from Linux in that a failed check is not reported: a simulated word never rots.

#include "models/locks/debug_spinlock.hpp"

#include "models/locks/qspinlock.hpp"
#include "models/locks/ticket.hpp"

namespace hotline::models {

namespace {

constexpr Value kMagic = 0xDEAD4EAD;
constexpr Value kNoCpu = 0xFFFFFFFF;
constexpr Value kNoOwner = ~Value{0};

class DebugSpinlock final : public LockModel {
 public:
  DebugSpinlock(Site& site, ParamReader& params)
      : word_(site.overlay("raw_lock", 32)),
        raw_(make_raw(site, params)),
        magic_(site.word("magic", 32, kMagic)),
        owner_cpu_(site.word("owner_cpu", 32, kNoCpu)),
        owner_(site.word("owner_task", 64, kNoOwner)),
        delay_(params.duration("delay", Duration::from_ps(40'000),
                               "time between two tries: __delay(1), two ordered TSC reads")),
        tries_(params.duration("lockup_after", Duration::from_ps(1'000'000'000'000),
                               "tries go on for this long before the raw lock's own path") /
               (delay_ == Duration{} ? Duration::from_ps(1) : delay_)) {}

  Task<> acquire(Thread& self) override {
    co_await self.load(magic_);
    co_await self.load(owner_);
    co_await self.load(owner_cpu_);
    bool taken = co_await raw_->lock()->try_acquire(self);
    for (std::uint64_t tries = 0; !taken && tries < tries_; ++tries) {
      co_await self.compute(delay_);
      taken = co_await raw_->lock()->try_acquire(self);
    }
    if (!taken) co_await raw_->lock()->acquire(self);
    co_await record(self);
  }

  Task<bool> try_acquire(Thread& self) override {
    const bool taken = co_await raw_->lock()->try_acquire(self);
    if (taken) co_await record(self);
    co_return taken;
  }

  Task<> release(Thread& self) override {
    co_await self.load(magic_);
    co_await self.load(word_);
    co_await self.load(owner_);
    co_await self.load(owner_cpu_);
    co_await self.store(owner_, kNoOwner);
    co_await self.store(owner_cpu_, kNoCpu);
    co_await raw_->lock()->release(self);
  }

 private:
  static std::unique_ptr<Model> make_raw(Site& site, ParamReader& params) {
    const bool drawn =
        params.choice("raw", 0, {"qspinlock", "ticket"}, "the lock whose word is tried") == 1;
    ParamReader defaults;
    return drawn ? ticket(site, defaults) : qspinlock(site, defaults);
  }

  Task<> record(Thread& self) {
    co_await self.store(owner_cpu_, self.cpu().value);
    co_await self.store(owner_, self.id().value);
  }

  Word word_;
  std::unique_ptr<Model> raw_;
  Word magic_;
  Word owner_cpu_;
  Word owner_;
  Duration delay_;
  std::uint64_t tries_;
};

}  // namespace

std::unique_ptr<Model> debug_spinlock(Site& site, ParamReader& params) {
  return make<DebugSpinlock>(site, params);
}

}  // namespace hotline::models
