// paper   Mellor-Crummey, Scott, Algorithms for Scalable Synchronization on Shared-Memory
//         Multiprocessors, ACM TOCS 9(1), 1991, section 2.2; the one-word form is the x86 spinlock
//         of Linux 2.6.25 to 4.1.
// idea    Draw a ticket, wait until it is served; the holder serves the next number on release.
// spins   Every waiter on `owner`, with reads. A release invalidates them all and they read again
//         one after the other; in one word, so does every arrival that draws a ticket.
// differs from the paper in the layout parameter. The release is a load and a store, as an add
//         without lock prefix is: the load misses if an arrival has taken the word's line away. A
//         waiter can also give up its CPU between two looks, as locks in user space do.

#include "models/locks/ticket.hpp"

#include "models/parts/spin.hpp"

namespace hotline::models {

namespace {

constexpr unsigned kHalf = 16;  // bits of either number in the one-word layout

enum class Layout : std::uint8_t { kOneWord, kSplitLines, kOneLine };

class TicketLock final : public LockModel {
 public:
  TicketLock(Site& site, ParamReader& params)
      : layout_(static_cast<Layout>(
            params.choice("layout", 0, {"one-word", "split-lines", "one-line"},
                          "both numbers in a 32-bit word, each on its own line, or two words"))),
        one_word_(layout_ == Layout::kOneWord),
        pace_(static_cast<SpinPace>(
            params.choice("pace", 1, {"tight", "pause", "yield"},
                          "between two looks: nothing, a pause instruction, or sched_yield()"))),
        pauses_ahead_(static_cast<Value>(params.integer(
            "backoff", 0, 0, 1 << 20,
            "pauses for each waiter ahead between two looks; 0: no proportional back-off"))) {
    if (one_word_) {
      tickets_ = site.overlay("ticket", 2 * kHalf);
      owner_ = site.word("owner", kHalf);
      site.word("next", kHalf);
    } else {
      tickets_ = site.word("next");
      if (layout_ == Layout::kSplitLines) site.new_line();
      owner_ = site.word("owner");
    }
  }

  Task<> acquire(Thread& self) override {
    const Value before = co_await self.fetch_add(tickets_, one_ticket());
    const Value ticket = next_of(before);
    const bool served_at_once = one_word_ && owner_of(before) == ticket;
    if (!served_at_once) co_await wait_until_served(self, ticket);
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value seen = co_await self.load(one_word_ ? tickets_ : owner_);
    if (owner_of(seen) != next_of(seen)) co_return false;
    const Value before = co_await self.compare_exchange(tickets_, seen, seen + one_ticket());
    co_return before == seen;
  }

  Task<> release(Thread& self) override {
    const Value served = co_await self.load(owner_);
    co_await self.store(owner_, owner_of(served + 1));
  }

 private:
  Task<> wait_until_served(Thread& self, Value ticket) {
    if (pauses_ahead_ == 0) return spin_until(self, owner_, ticket, pace_);
    return back_off_until_served(self, ticket);
  }

  Task<> back_off_until_served(Thread& self, Value ticket) {
    Value owner = co_await self.load(owner_);
    while (owner != ticket) {
      co_await self.pause(owner_of(ticket - owner) * pauses_ahead_);
      owner = co_await self.load(owner_);
    }
  }

  Value one_ticket() const { return one_word_ ? Value{1} << kHalf : 1; }
  Value next_of(Value seen) const { return one_word_ ? seen >> kHalf : seen; }
  Value owner_of(Value seen) const { return one_word_ ? seen & (one_ticket() - 1) : seen; }

  Layout layout_;
  bool one_word_;
  SpinPace pace_;
  Value pauses_ahead_;
  Word tickets_;  // one word: both numbers; split lines: the next ticket
  Word owner_;
};

}  // namespace

std::unique_ptr<Model> ticket(Site& site, ParamReader& params) {
  return make<TicketLock>(site, params);
}

}  // namespace hotline::models
