#include "models/parts/rwsem_waiters.hpp"

namespace hotline::models {

using namespace rwsem;

namespace {

constexpr std::size_t kMostReadersWoken = 256;
constexpr Value kOneReaderLess = ~kReader + 1;

}  // namespace

RwsemWaiters::RwsemWaiters(Site& site, Word count, Word owner, Duration patience)
    : count_(count),
      owner_(owner),
      patience_(patience),
      list_(site, "rwsem_waiter"),
      waiters_(site.threads()) {}

Task<> RwsemWaiters::note_reader(Thread& self, Value reader) {
  const Value seen = co_await self.load(owner_);
  co_await self.store(owner_, reader | kReaderOwned | (seen & kNotSpinnable));
}

Task<> RwsemWaiters::clear_not_spinnable(Thread& self) {
  const Value seen = co_await self.load(owner_);
  if ((seen & kNotSpinnable) != 0) {
    co_await self.compare_exchange(owner_, seen, seen & ~kNotSpinnable);
  }
}

Task<> RwsemWaiters::enqueue(Thread& self, Value me, bool writes) {
  (*this)[me] = {writes, false, self.now() + patience_};
  co_await self.store(list_.more(me), me);
  co_await list_.push_back(self, me);
}

Task<RwsemWaiters::Woken> RwsemWaiters::mark_wake_if_free(Thread& self, Value count) {
  if ((count & kWriter) != 0) co_return Woken{};
  const bool readers_inside = (count & kReaders) != 0;
  if (!readers_inside) co_await clear_not_spinnable(self);
  Woken woken = co_await mark_wake(self, readers_inside ? Wake::kReadersOnly : Wake::kAny);
  co_return woken;
}

Task<RwsemWaiters::Woken> RwsemWaiters::mark_wake(Thread& self, Wake wake) {
  Woken woken;
  const Value first = co_await list_.front(self);
  if (first == kNobody) co_return woken;
  if ((*this)[first].writes) {
    if (wake == Wake::kAny) woken.push_back(first);
    co_return woken;
  }
  Value counted = 0;
  if (wake != Wake::kReadersOfOwner) {
    const bool in = co_await enter_for(self, first);
    if (!in) co_return woken;
    counted = kReader;
  }
  woken = co_await take_readers_off(self, first);
  co_await count_readers(self, woken.size() * kReader - counted);
  for (const Value each : woken) co_await self.store(list_.more(each), kNobody);
  co_return woken;
}

/// Counts the list's first reader in, unless a writer has stolen the word.
Task<bool> RwsemWaiters::enter_for(Thread& self, Value first) {
  const Value before = co_await self.fetch_add(count_, kReader);
  if ((before & kWriter) == 0) {
    co_await note_reader(self, first);
    co_return true;
  }
  Value back = kOneReaderLess;
  if (self.now() >= (*this)[first].patient_until) {
    if ((before & kHandOver) == 0) back += kHandOver;
    (*this)[first].hands_over = true;
  }
  co_await self.fetch_add(count_, back);
  co_return false;
}

Task<RwsemWaiters::Woken> RwsemWaiters::take_readers_off(Thread& self, Value first) {
  Woken readers;
  Value each = first;
  while (each != kNobody && readers.size() < kMostReadersWoken) {
    const Value behind = co_await list_.after(self, each);
    if (!(*this)[each].writes) {
      co_await list_.remove(self, each);
      readers.push_back(each);
    }
    each = behind;
  }
  co_return readers;
}

/// Adds those who have been let in, and takes away what was said for waiters that are gone.
Task<> RwsemWaiters::count_readers(Thread& self, Value amount) {
  const Value count = co_await self.load(count_);
  const Value first = co_await list_.front(self);
  if (first == kNobody) amount -= kWaiters;
  amount -= count & kHandOver;
  if (amount != 0) co_await self.fetch_add(count_, amount);
}

}  // namespace hotline::models
