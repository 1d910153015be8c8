// source  Linux atomic_long_t, and any std::atomic fetch_add.
// idea    One locked add on one word. Exact; every add needs ownership of the line, so all cores
//         together add no faster than the line moves.
// spins   Nobody: requests for the line queue at its agent. Where the machine has far atomics, the
//         form without a result is executed there and the line does not move at all.
// differs from Linux in nothing; whether the add returns a value is a parameter.

#include "models/counters/atomic.hpp"

namespace hotline::models {

namespace {

class AtomicCounter final : public CounterModel {
 public:
  AtomicCounter(Site& site, ParamReader& params)
      : site_(site),
        count_(site.word("count")),
        returns_(params.boolean("returns", false,
                                "use the form that gives the old value back (x86 LOCK XADD, Arm "
                                "LDADD), which is not executed far where only STADD is")) {}

  Task<> add(Thread& self, std::int64_t amount) override {
    const auto operand = static_cast<Value>(amount);
    if (returns_) {
      co_await self.fetch_add(count_, operand);
    } else {
      co_await self.add(count_, operand);
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
  bool returns_;
};

}  // namespace

std::unique_ptr<Model> atomic(Site& site, ParamReader& params) {
  return make<AtomicCounter>(site, params);
}

}  // namespace hotline::models
