#include "models/parts/condvar.hpp"

#include <limits>

namespace hotline::models {

Condvar::Condvar(Site& site)
    : sequence_(site.word("sequence", 32)), waiters_(site.word("waiters", 32)), futex_(site) {}

Task<> Condvar::wait(Thread& self, Lock& mutex) {
  co_await self.fetch_add(waiters_, 1);
  const Value seen = co_await self.load(sequence_);
  co_await mutex.release(self);
  co_await futex_.wait(self, sequence_, seen);
  co_await self.fetch_add(waiters_, ~Value{0});
  co_await mutex.acquire(self);
}

Task<> Condvar::signal(Thread& self) { return wake(self, 1); }

Task<> Condvar::broadcast(Thread& self) {
  return wake(self, std::numeric_limits<std::uint32_t>::max());
}

Task<> Condvar::wake(Thread& self, std::uint32_t count) {
  const Value waiters = co_await self.load(waiters_);
  if (waiters == 0) co_return;
  co_await self.fetch_add(sequence_, 1);
  co_await futex_.wake(self, count);
}

}  // namespace hotline::models
