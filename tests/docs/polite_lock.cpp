#include <iterator>

#include "sim/model/plugin.hpp"

namespace {

using namespace hotline::model;

class PoliteLock final : public LockModel {
 public:
  PoliteLock(Site& site, ParamReader& params)
      : held_(site.word("held", 32)),
        pauses_(static_cast<std::uint64_t>(
            params.integer("pauses", 10, 1, 1000, "pause instructions after a look in vain"))) {}

  Task<> acquire(Thread& self) override {
    bool taken = co_await try_acquire(self);
    while (!taken) {
      co_await self.pause(pauses_);
      taken = co_await try_acquire(self);
    }
  }

  Task<bool> try_acquire(Thread& self) override {
    const Value seen = co_await self.load(held_);
    if (seen != 0) co_return false;
    const Value before = co_await self.exchange(held_, 1);
    co_return before == 0;
  }

  Task<> release(Thread& self) override { co_await self.store(held_, 0); }

 private:
  Word held_;
  std::uint64_t pauses_;
};

constexpr Entry kRows[] = {
    {"polite", Kind::kLock, "Look, try if it was free, pause, look again.", {}, make<PoliteLock>}};

}  // namespace

extern "C" PluginRows hotline_models() { return {kPluginInterface, kRows, std::size(kRows)}; }
