// source  Linux 2.6.36 to 4.8 kernel/locking/lglock.c and include/linux/lglock.h (Piggin, 2010):
//         vfsmount_lock was one; after the big-reader lock of Linux 2.4.
// idea    A spinlock for each CPU. A reader takes its own CPU's, a writer takes all of them in
//         order.
// spins   A reader only on its own CPU's lock, and only while a writer has it; a writer on the lock
//         of the first CPU whose reader is inside. Afterwards every reader misses once.
// differs from Linux in that a writer can try: it takes what is free and gives it back at the first
//         that is not. Linux's lglock has no such form.

#include "models/rwlocks/brlock.hpp"

#include <string>
#include <vector>

#include "models/locks/qspinlock.hpp"
#include "models/locks/ticket.hpp"

namespace hotline::models {

namespace {

class BigReaderLock final : public ReadWriteLockModel {
 public:
  BigReaderLock(Site& site, ParamReader& params) {
    const std::size_t which = params.choice("lock", 0, {"ticket", "qspinlock"},
                                            "each CPU's spinlock; ticket on x86 at that time");
    for (std::uint32_t cpu = 0; cpu < site.cpus(); ++cpu) {
      Site& own = site.part("cpu[" + std::to_string(cpu) + "]", site.node_of({cpu}));
      locks_.push_back(make_lock(own, which));
    }
  }

  Task<ReadToken> acquire_read(Thread& self) override {
    const ReadToken token{self.cpu().value};
    co_await of(token).acquire(self);
    co_return token;
  }

  Task<std::optional<ReadToken>> try_acquire_read(Thread& self) override {
    const ReadToken token{self.cpu().value};
    const bool taken = co_await of(token).try_acquire(self);
    if (!taken) co_return std::nullopt;
    co_return token;
  }

  Task<> release_read(Thread& self, ReadToken token) override { return of(token).release(self); }

  Task<> acquire_write(Thread& self) override {
    for (const auto& each : locks_) co_await each->lock()->acquire(self);
  }

  Task<bool> try_acquire_write(Thread& self) override {
    for (std::size_t taken = 0; taken < locks_.size(); ++taken) {
      const bool mine = co_await locks_[taken]->lock()->try_acquire(self);
      if (!mine) {
        co_await release_first(self, taken);
        co_return false;
      }
    }
    co_return true;
  }

  Task<> release_write(Thread& self) override { return release_first(self, locks_.size()); }

 private:
  static std::unique_ptr<Model> make_lock(Site& site, std::size_t which) {
    ParamReader defaults;
    return which == 0 ? ticket(site, defaults) : qspinlock(site, defaults);
  }

  /// The lock of the CPU that a reader was on when it came in.
  Lock& of(ReadToken token) { return *locks_[token.value]->lock(); }

  Task<> release_first(Thread& self, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) co_await locks_[k]->lock()->release(self);
  }

  std::vector<std::unique_ptr<Model>> locks_;  // by CPU
};

}  // namespace

std::unique_ptr<Model> brlock(Site& site, ParamReader& params) {
  return make<BigReaderLock>(site, params);
}

}  // namespace hotline::models
