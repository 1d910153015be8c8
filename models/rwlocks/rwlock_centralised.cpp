// source  Linux 2.4 to 3.15 on x86, include/asm/rwlock.h and arch/x86/lib/rwlock.S (LaHaise, 1999):
//         rwlock_t before qrwlock.
// idea    One 32-bit word that starts at a bias larger than any number of readers. A reader takes
//         one off it, a writer takes the whole bias off; what is left says whether it got in.
//         Whoever did not puts back what it took, waits until the word looks right, tries again.
// spins   All waiters on the one word, with reads. A reader gets in whenever the word is positive,
//         so readers that come without a gap keep writers out for ever.
// differs from Linux in nothing that touches memory.

#include "models/rwlocks/rwlock_centralised.hpp"

namespace hotline::models {

namespace {

constexpr Value kBias = 0x01000000;  // more readers than that there are not
constexpr Value kMinusBias = ~kBias + 1;
constexpr Value kMinusOne = ~Value{0};
constexpr Value kSign = 0x80000000;
constexpr ReadToken kNoToken{};

/// What the word held before a reader took one off is what is left plus one.
constexpr bool reader_is_in(Value before) { return before != 0 && (before & kSign) == 0; }

class CentralisedReadWriteLock final : public ReadWriteLockModel {
 public:
  CentralisedReadWriteLock(Site& site, ParamReader&) : word_(site.word("word", 32, kBias)) {}

  Task<ReadToken> acquire_read(Thread& self) override {
    for (;;) {
      const Value before = co_await self.fetch_add(word_, kMinusOne);
      if (reader_is_in(before)) co_return kNoToken;
      co_await self.add(word_, 1);
      co_await wait_until_positive(self);
    }
  }

  Task<std::optional<ReadToken>> try_acquire_read(Thread& self) override {
    const Value before = co_await self.fetch_add(word_, kMinusOne);
    if (reader_is_in(before)) co_return kNoToken;
    co_await self.add(word_, 1);
    co_return std::nullopt;
  }

  Task<> release_read(Thread& self, ReadToken) override { co_await self.add(word_, 1); }

  Task<> acquire_write(Thread& self) override {
    for (;;) {
      const bool taken = co_await try_acquire_write(self);
      if (taken) co_return;
      co_await self.spin_until(word_, kBias);
    }
  }

  Task<bool> try_acquire_write(Thread& self) override {
    const Value before = co_await self.fetch_add(word_, kMinusBias);
    if (before == kBias) co_return true;
    co_await self.add(word_, kBias);
    co_return false;
  }

  Task<> release_write(Thread& self) override { co_await self.add(word_, kBias); }

 private:
  /// No condition on a word says "more than 0", so the loop looks for each change.
  Task<> wait_until_positive(Thread& self) {
    Value seen = co_await self.load(word_);
    while (!reader_is_in(seen)) seen = co_await self.spin_while(word_, seen);
  }

  Word word_;
};

}  // namespace

std::unique_ptr<Model> rwlock_centralised(Site& site, ParamReader& params) {
  return make<CentralisedReadWriteLock>(site, params);
}

}  // namespace hotline::models
