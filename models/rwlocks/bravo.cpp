// paper   Dice, Kogan, BRAVO: Biased Locking for Reader-Writer Locks, USENIX ATC 2019.
// idea    Two words beside any reader-writer lock. While `biased` is set, a reader does not touch
//         the lock: it writes the lock's name into a slot of a table that all locks share, picked
//         by a hash of lock and thread. A writer takes the lock, clears `biased`, and waits until
//         the whole table is free of that name; readers may set `biased` again only after
//         `inhibit` times as long as that took.
// spins   As the lock beneath; a writer that revokes also on the slots of readers that are inside.
// differs from the paper in that reading the clock costs nothing, and in the writer's try: it gives
//         the lock back at the first slot that names it. How far a revocation's loads overlap
//         stands for the core's prefetching.

#include "models/rwlocks/bravo.hpp"

#include <algorithm>

#include "models/rwlocks/qrwlock.hpp"
#include "models/rwlocks/rwlock_centralised.hpp"

namespace hotline::models {

namespace {

constexpr Value kNobody = 0;
constexpr std::uint64_t kFast = 1;  // lowest bit of a token; the rest is the slot
constexpr Value kOddA = 0x9E3779B97F4A7C15;
constexpr Value kOddB = 0xD6E8FEB86659FD93;

constexpr Value mixed(Value value) {
  value = (value ^ value >> 32U) * kOddB;
  return value ^ value >> 32U;
}

class Bravo final : public ReadWriteLockModel {
 public:
  Bravo(Site& site, ParamReader& params)
      : biased_(site.word("biased")),
        inhibit_until_(site.word("inhibit_until")),
        name_((Value{biased_.line.value} << 8U | biased_.offset) + 1),
        beneath_(make_lock(site, params.choice("lock", 0, {"qrwlock", "rwlock-centralised"},
                                               "the reader-writer lock beneath"))),
        table_(site.common_table("readers", {{"lock", 64}},
                                 static_cast<std::uint32_t>(params.integer(
                                     "table", 4096, 1, 1 << 16,
                                     "slots for readers; the run's first such lock decides")))),
        inhibit_(static_cast<std::uint64_t>(
            params.integer("inhibit", 9, 0, 1000,
                           "times a revocation's length until readers may set the bias again"))),
        overlap_(static_cast<std::uint32_t>(
            params.integer("overlap", 10, 1, 64, "lines of the table under way at once"))),
        slots_a_line_(static_cast<std::uint32_t>(site.memory().line_bytes() / 8)) {}

  Task<ReadToken> acquire_read(Thread& self) override {
    const std::optional<ReadToken> fast = co_await try_fast(self);
    if (fast) co_return *fast;
    const ReadToken slow = co_await beneath().acquire_read(self);
    co_await consider_bias(self);
    const ReadToken token{slow.value << 1U};
    co_return token;
  }

  Task<std::optional<ReadToken>> try_acquire_read(Thread& self) override {
    const std::optional<ReadToken> fast = co_await try_fast(self);
    if (fast) co_return fast;
    const std::optional<ReadToken> slow = co_await beneath().try_acquire_read(self);
    if (!slow) co_return std::nullopt;
    co_await consider_bias(self);
    const ReadToken token{slow->value << 1U};
    co_return token;
  }

  Task<> release_read(Thread& self, ReadToken token) override {
    const std::uint64_t rest = token.value >> 1U;
    if ((token.value & kFast) != 0) {
      co_await self.store(slot(rest), kNobody);
    } else {
      const ReadToken slow{rest};
      co_await beneath().release_read(self, slow);
    }
  }

  Task<> acquire_write(Thread& self) override {
    co_await beneath().acquire_write(self);
    co_await revoke(self, true);
  }

  Task<bool> try_acquire_write(Thread& self) override {
    const bool taken = co_await beneath().try_acquire_write(self);
    if (!taken) co_return false;
    const bool alone = co_await revoke(self, false);
    if (alone) co_return true;
    co_await self.store(biased_, 1);  // for the next writer: a reader's slot is still taken
    co_await beneath().release_write(self);
    co_return false;
  }

  Task<> release_write(Thread& self) override { return beneath().release_write(self); }

 private:
  static std::unique_ptr<Model> make_lock(Site& site, std::size_t which) {
    ParamReader defaults;
    return which == 0 ? qrwlock(site, defaults) : rwlock_centralised(site, defaults);
  }

  ReadWriteLock& beneath() { return *beneath_->read_write_lock(); }
  Word slot(std::uint64_t index) const { return table_->word(index, 0); }

  Task<std::optional<ReadToken>> try_fast(Thread& self) {
    const Value biased = co_await self.load(biased_);
    if (biased == 0) co_return std::nullopt;
    const std::uint64_t index = mixed(name_ * kOddA + self.id().value) % table_->count();
    const Value before = co_await self.compare_exchange(slot(index), kNobody, name_);
    if (before != kNobody) co_return std::nullopt;
    const Value still = co_await self.load(biased_);
    if (still == 0) {
      co_await self.store(slot(index), kNobody);
      co_return std::nullopt;
    }
    const ReadToken token{index << 1U | kFast};
    co_return token;
  }

  /// By a reader that has the lock beneath, so that no writer is inside.
  Task<> consider_bias(Thread& self) {
    const Value biased = co_await self.load(biased_);
    if (biased != 0) co_return;
    const Value until = co_await self.load(inhibit_until_);
    if (self.now().ps() >= until) co_await self.store(biased_, 1);
  }

  /// By a writer that has the lock beneath. False if a reader is inside and it may not wait.
  Task<bool> revoke(Thread& self, bool waits) {
    const Value biased = co_await self.load(biased_);
    if (biased == 0) co_return true;
    co_await self.store(biased_, 0);
    co_await self.fence();
    const auto began = self.now();
    const bool alone = co_await scan(self, waits);
    const Duration took = self.now() - began;
    co_await self.store(inhibit_until_, (self.now() + took * inhibit_).ps());
    co_return alone;
  }

  Task<bool> scan(Thread& self, bool waits) {
    const std::uint32_t ahead = (overlap_ - 1) * slots_a_line_;
    for (std::uint32_t k = slots_a_line_; k < std::min(ahead, table_->count());
         k += slots_a_line_) {
      co_await self.prefetch(slot(k));
    }
    for (std::uint32_t k = 0; k < table_->count(); ++k) {
      const bool new_line = k % slots_a_line_ == 0;
      if (new_line && ahead > 0 && k + ahead < table_->count()) {
        co_await self.prefetch(slot(k + ahead));
      }
      const Value seen = co_await self.load(slot(k));
      if (seen != name_) continue;
      if (!waits) co_return false;
      co_await self.spin_while(slot(k), name_);
    }
    co_return true;
  }

  Word biased_, inhibit_until_;
  Value name_;  // in the table: its address, in the paper
  std::unique_ptr<Model> beneath_;
  std::shared_ptr<const Records> table_;
  std::uint64_t inhibit_;
  std::uint32_t overlap_;
  std::uint32_t slots_a_line_;
};

}  // namespace

std::unique_ptr<Model> bravo(Site& site, ParamReader& params) { return make<Bravo>(site, params); }

}  // namespace hotline::models
