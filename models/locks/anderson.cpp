// paper   T. E. Anderson, The Performance of Spin Lock Alternatives for Shared-Memory
//         Multiprocessors, IEEE TPDS 1(1), 1990.
// idea    An arrival takes the next slot of an array, and waits there for "go". The holder writes
//         "go" into the slot behind its own.
// spins   Every waiter on its own slot's line. A hand-over touches the tail (arrival), the next
//         slot (release, then the waiter's read) and that slot again (re-arming).
// differs from the paper in re-arming the slot on acquire, as Concurrency Kit does; a try, which
//         the paper has not, looks at the slot that is next before it takes it.

#include "models/locks/anderson.hpp"

#include <bit>

namespace hotline::models {

namespace {

constexpr Value kWait = 0;
constexpr Value kGo = 1;

class AndersonLock final : public LockModel {
 public:
  AndersonLock(Site& site, ParamReader& params)
      : tail_(site.word("tail")),
        slots_(site.array("slot", {{"must_wait", 32}}, slot_count(site, params))) {
    site.set(slot(0), kGo);
  }

  Task<> acquire(Thread& self) override {
    const Value ticket = co_await self.fetch_add(tail_, 1);
    co_await self.spin_until(slot(ticket), kGo);
    co_await self.store(slot(ticket), kWait);
    served_ = ticket;
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value ticket = co_await self.load(tail_);
    const Value may_go = co_await self.load(slot(ticket));
    if (may_go != kGo) co_return false;
    const Value tail = co_await self.compare_exchange(tail_, ticket, ticket + 1);
    if (tail != ticket) co_return false;
    co_await self.store(slot(ticket), kWait);
    served_ = ticket;
    co_return true;
  }

  Task<> release(Thread& self) override { co_await self.store(slot(served_ + 1), kGo); }

 private:
  /// A power of two, so that the slot of a ticket is the same before and after the tail wraps.
  static std::uint32_t slot_count(const Site& site, ParamReader& params) {
    const auto least = std::bit_ceil(site.threads());
    const auto given =
        params.integer("slots", least, least, 1 << 16,
                       "slots, a power of two; by default as many as threads, or more");
    return std::bit_ceil(static_cast<std::uint32_t>(given));
  }

  Word slot(Value ticket) const {
    return slots_.word(static_cast<std::uint32_t>(ticket & (slots_.count() - 1)), 0);
  }

  Word tail_;
  Records slots_;
  Value served_ = 0;  // the holder's own ticket, which it keeps in a register
};

}  // namespace

std::unique_ptr<Model> anderson(Site& site, ParamReader& params) {
  return make<AndersonLock>(site, params);
}

}  // namespace hotline::models
