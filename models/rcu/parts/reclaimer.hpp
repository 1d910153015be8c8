#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "models/make.hpp"
#include "sim/model/rcu.hpp"

namespace hotline::models {

/// A thread of the kernel that waits for a grace period of its domain and then invokes the
/// callbacks that were queued before: what a domain without callbacks of its own defers them to.
class Reclaimer {
 public:
  /// Makes the thread; `domain` must not use the reclaimer for its grace periods.
  Reclaimer(model::Rcu& domain, model::Scheduler& scheduler, const std::string& name);

  Task<> queue(Thread& self, std::unique_ptr<model::RcuCallback> callback);
  std::uint64_t pending() const { return queued_.size() + taken_.size(); }

 private:
  Task<> run();

  model::Rcu& domain_;
  Thread& thread_;
  std::deque<std::unique_ptr<model::RcuCallback>> queued_;
  std::deque<std::unique_ptr<model::RcuCallback>> taken_;
};

}  // namespace hotline::models
