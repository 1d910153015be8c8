// source  the striped counters of Java's LongAdder and folly's ThreadCachedInt, with fixed
//         stripes.
// idea    S words on lines of their own; a thread adds atomically to the one that its CPU or a
//         hash of its number picks; a reader sums S words.
// spins   Nobody. Threads that share a stripe share its line; with hashing they do so by accident,
//         as often as the birthday problem says.
// differs from LongAdder in that a collision never makes a thread move to another stripe.

#include "models/counters/striped.hpp"

namespace hotline::models {

namespace {

constexpr Value kGoldenRatio = 0x9E3779B97F4A7C15;  // Knuth's multiplicative hashing

class StripedCounter final : public CounterModel {
 public:
  StripedCounter(Site& site, ParamReader& params)
      : site_(site),
        by_hash_(params.choice("by", 0, {"cpu", "hash"},
                               "what picks a thread's stripe: its CPU's "
                               "number or a hash of its own, modulo the stripes") == 1),
        stripes_(site.array("stripe", {{"count", 64}},
                            static_cast<std::uint32_t>(params.integer(
                                "stripes", 16, 1, 1 << 16, "words, each on its own line")))) {}

  Task<> add(Thread& self, std::int64_t amount) override {
    co_await self.add(stripe_of(self), static_cast<Value>(amount));
  }

  Task<std::int64_t> read(Thread& self) override {
    Value all = 0;
    for (std::uint32_t k = 0; k < stripes_.count(); ++k) {
      all += co_await self.load(stripes_.word(k, 0));
    }
    co_return static_cast<std::int64_t>(all);
  }

  std::int64_t total() const override {
    Value all = 0;
    for (std::uint32_t k = 0; k < stripes_.count(); ++k) all += site_.peek(stripes_.word(k, 0));
    return static_cast<std::int64_t>(all);
  }

 private:
  Word stripe_of(const Thread& self) const {
    const Value key = by_hash_ ? self.id().value * kGoldenRatio >> 32 : self.cpu().value;
    return stripes_.word(key % stripes_.count(), 0);
  }

  Site& site_;
  bool by_hash_;
  Records stripes_;
};

}  // namespace

std::unique_ptr<Model> striped(Site& site, ParamReader& params) {
  return make<StripedCounter>(site, params);
}

}  // namespace hotline::models
