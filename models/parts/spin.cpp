#include "models/parts/spin.hpp"

namespace hotline::models {

Task<> spin_until(Thread& self, Word word, Value wanted, SpinPace pace) {
  if (pace != SpinPace::kYield) {
    co_await self.spin_until(word, wanted, static_cast<Pace>(pace));
    co_return;
  }
  Value seen = co_await self.load(word);
  while (seen != wanted) {
    co_await self.yield();
    seen = co_await self.load(word);
  }
}

}  // namespace hotline::models
