#include "models/rcu/parts/reclaimer.hpp"

#include <utility>

namespace hotline::models {

Reclaimer::Reclaimer(model::Rcu& domain, model::Scheduler& scheduler, const std::string& name)
    : domain_(domain), thread_(scheduler.add_kernel_thread(name, {0}, {})) {
  scheduler.simulator().spawn(run());
}

Task<> Reclaimer::queue(Thread& self, std::unique_ptr<model::RcuCallback> callback) {
  const bool sleeps = queued_.empty();
  queued_.push_back(std::move(callback));
  if (sleeps) co_await self.wake(thread_);
}

Task<> Reclaimer::run() {
  co_await thread_.started();
  while (true) {
    while (queued_.empty()) co_await thread_.block();
    taken_ = std::exchange(queued_, {});
    co_await domain_.synchronize(thread_);
    while (!taken_.empty()) {
      const std::unique_ptr<model::RcuCallback> callback = std::move(taken_.front());
      taken_.pop_front();
      co_await callback->invoke(thread_);
    }
  }
}

}  // namespace hotline::models
