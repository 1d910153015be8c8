#include "models/parts/futex.hpp"

#include <vector>

namespace hotline::models {

namespace {

constexpr Value kNobody = 0;
constexpr Value kOneLess = ~Value{0};

Site& own_line(Site& site) {
  site.new_line();
  return site;
}

}  // namespace

Futex::Futex(Site& site)
    : waiters_(own_line(site).word("bucket.waiters", 32)),
      lock_(site),
      list_(site, "futex_q", "queued"),
      tasks_(site) {
  site.new_line();
}

Task<> Futex::wait(Thread& self, Word word, Value expected) {
  const bool from_kernel = self.in_kernel();
  co_await self.cross(true);
  co_await self.spend(&os::Parameters::futex_wait);
  co_await self.fetch_add(waiters_, 1);
  co_await lock_.acquire(self);
  const Value seen = co_await self.load(word);
  if (seen == expected) {
    co_await sleep(self, tasks_.name(self));
  } else {
    co_await lock_.release(self);
    co_await self.fetch_add(waiters_, kOneLess);
  }
  co_await self.cross(from_kernel);
}

/// With the bucket's lock, which it gives back.
Task<> Futex::sleep(Thread& self, Value me) {
  co_await self.store(queued(me), 1);
  co_await list_.push_back(self, me);
  self.prepare_to_block();
  co_await lock_.release(self);
  co_await self.block();
  const Value still_queued = co_await self.load(queued(me));
  if (still_queued != 0) co_await unqueue(self, me);
}

/// A wake that was meant for something else.
Task<> Futex::unqueue(Thread& self, Value me) {
  co_await lock_.acquire(self);
  const Value still_queued = co_await self.load(queued(me));
  if (still_queued != 0) {
    co_await list_.remove(self, me);
    co_await self.fetch_add(waiters_, kOneLess);
  }
  co_await lock_.release(self);
}

Task<> Futex::wake(Thread& self, std::uint32_t count) {
  const bool from_kernel = self.in_kernel();
  co_await self.cross(true);
  co_await self.spend(&os::Parameters::futex_wake);
  co_await self.fence();
  const Value waiters = co_await self.load(waiters_);
  if (waiters != 0) co_await wake_queued(self, count);
  co_await self.cross(from_kernel);
}

Task<> Futex::wake_queued(Thread& self, std::uint32_t count) {
  std::vector<Value> woken;
  co_await lock_.acquire(self);
  Value first = co_await list_.front(self);
  while (first != kNobody && woken.size() < count) {
    co_await list_.remove(self, first);
    co_await self.store(queued(first), 0);
    co_await self.fetch_add(waiters_, kOneLess);
    woken.push_back(first);
    first = co_await list_.front(self);
  }
  co_await lock_.release(self);
  for (const Value each : woken) co_await self.wake(tasks_.thread(each));
}

}  // namespace hotline::models
