#include "models/parts/wait_list.hpp"

namespace hotline::models {

namespace {

constexpr Value kHead = 0;

}  // namespace

WaitList::WaitList(Site& site, std::string_view record, std::string_view more)
    : first_(site.word("first")),
      last_(site.word("last")),
      nodes_(site.common_per_thread(record, {{"next", 64}, {"previous", 64}, {more, 64}})) {}

Task<> WaitList::push_back(Thread& self, Value me) {
  const Value last = co_await self.load(last_);
  co_await self.store(next(me), kHead);
  co_await self.store(previous(me), last);
  co_await self.store(next(last), me);
  co_await self.store(last_, me);
}

Task<> WaitList::remove(Thread& self, Value waiter) {
  const Value before = co_await self.load(previous(waiter));
  const Value behind = co_await self.load(next(waiter));
  co_await self.store(previous(behind), before);
  co_await self.store(next(before), behind);
}

Task<Value> WaitList::front(Thread& self) {
  const Value first = co_await self.load(first_);
  co_return first;
}

Task<Value> WaitList::after(Thread& self, Value waiter) {
  const Value behind = co_await self.load(next(waiter));
  co_return behind;
}

}  // namespace hotline::models
