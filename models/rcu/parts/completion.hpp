#pragma once

#include <memory>

#include "models/make.hpp"
#include "sim/model/rcu.hpp"

namespace hotline::models {

/// Lets a thread sleep until something is done, such as a callback. It must live until then.
class Completion {
 public:
  explicit Completion(Thread& waiter) : waiter_(waiter) {}

  std::unique_ptr<model::RcuCallback> callback() { return std::make_unique<Callback>(*this); }
  Task<> wait() {
    while (!done_) co_await waiter_.block();
  }
  Task<> complete(Thread& self) {
    done_ = true;
    return self.wake(waiter_);
  }

 private:
  class Callback final : public model::RcuCallback {
   public:
    explicit Callback(Completion& completion) : completion_(completion) {}
    Task<> invoke(Thread& self) override { return completion_.complete(self); }

   private:
    Completion& completion_;
  };

  Thread& waiter_;
  bool done_ = false;
};

}  // namespace hotline::models
