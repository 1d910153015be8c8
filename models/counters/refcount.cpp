// source  Linux 6.12 include/linux/refcount.h and lib/refcount.c: refcount_t.
// idea    A reference count on one shared word, changed by locked adds whose result is checked: a
//         get from zero, a put below zero or an overflow saturates the count for ever, so that a
//         bug leaks memory instead of freeing what is in use.
// spins   Nobody; every get and put takes the word's line. Only try_get reads first and may have to
//         try its compare-exchange again.
// differs from Linux in that saturation prints no warning.

#include "models/counters/refcount.hpp"

#include <limits>

namespace hotline::models {

namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kSaturated = std::numeric_limits<std::int32_t>::min() / 2;

class RefCount final : public ReferenceModel {
 public:
  RefCount(Site& site, ParamReader& params)
      : site_(site),
        refs_(site.word("refs", 32,
                        static_cast<Value>(params.integer(
                            "initial", 1, 0, kMost, "users in the beginning: the creator")))) {}

  Task<> get(Thread& self) override {
    const std::int64_t before = co_await add(self, 1);
    if (before <= 0 || before == kMost) co_await saturate(self);
  }

  Task<bool> try_get(Thread& self) override {
    Value expected = co_await self.load(refs_);
    for (;;) {
      if (expected == 0) co_return false;
      const Value seen = co_await self.compare_exchange(refs_, expected, expected + 1);
      if (seen == expected) break;
      expected = seen;
    }
    const std::int64_t before = signed_value(refs_, expected);
    if (before < 0 || before == kMost) co_await saturate(self);
    co_return true;
  }

  Task<bool> put(Thread& self) override {
    const std::int64_t before = co_await add(self, -1);
    if (before <= 0) co_await saturate(self);
    co_return before == 1;
  }

  Task<bool> query(Thread& self) override {
    const Value seen = co_await self.load(refs_);
    co_return seen != 0;
  }

  std::int64_t users() const override { return signed_value(refs_, site_.peek(refs_)); }

 private:
  Task<std::int64_t> add(Thread& self, std::int64_t amount) {
    const Value before = co_await self.fetch_add(refs_, static_cast<Value>(amount));
    co_return signed_value(refs_, before);
  }

  Task<> saturate(Thread& self) { co_await self.store(refs_, static_cast<Value>(kSaturated)); }

  Site& site_;
  Word refs_;
};

}  // namespace

std::unique_ptr<Model> refcount(Site& site, ParamReader& params) {
  return make<RefCount>(site, params);
}

}  // namespace hotline::models
