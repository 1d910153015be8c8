// source  models of `count++` in C on a shared variable.
// idea    Load, add, store. Two threads that load the same value lose one of the two updates.
// spins   Nobody waits. The load takes a copy of the line, the store ownership: two transactions,
//         the second of them hidden by the store buffer, so it looks fast and is wrong.
// differs from the C statement in nothing.

#include "models/counters/plain.hpp"

namespace hotline::models {

namespace {

class PlainCounter final : public CounterModel {
 public:
  PlainCounter(Site& site, ParamReader&) : site_(site), count_(site.word("count")) {}

  Task<> add(Thread& self, std::int64_t amount) override {
    const Value seen = co_await self.load(count_);
    co_await self.store(count_, seen + static_cast<Value>(amount));
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

std::unique_ptr<Model> plain(Site& site, ParamReader& params) {
  return make<PlainCounter>(site, params);
}

}  // namespace hotline::models
