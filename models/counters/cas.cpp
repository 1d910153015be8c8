// source  std::atomic's compare_exchange loop, as user programs write it for updates that no
//         single instruction does (a maximum, a packed pair, increment-unless-zero).
// idea    Load once, then compare-exchange until it succeeds; a failure gives the new expected
//         value. spins   Everybody on the word, with locked operations that take ownership even
//         when they fail (on x86; a failing load-linked compare only reads).
// differs from the library in nothing.

#include "models/counters/cas.hpp"

namespace hotline::models {

namespace {

class CasCounter final : public CounterModel {
 public:
  CasCounter(Site& site, ParamReader&) : site_(site), count_(site.word("count")) {}

  Task<> add(Thread& self, std::int64_t amount) override {
    Value expected = co_await self.load(count_);
    for (;;) {
      const Value desired = expected + static_cast<Value>(amount);
      const Value seen = co_await self.compare_exchange(count_, expected, desired);
      if (seen == expected) co_return;
      expected = seen;
    }
  }

  Task<std::int64_t> read(Thread& self) override {
    const Value seen = co_await self.load(count_);
    co_return signed_value(count_, seen);
  }

  std::int64_t total() const override { return signed_value(count_, site_.peek(count_)); }

 private:
  Site& site_;
  Word count_;
};

}  // namespace

std::unique_ptr<Model> cas(Site& site, ParamReader& params) {
  return make<CasCounter>(site, params);
}

}  // namespace hotline::models
