#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/engine/random.hpp"
#include "sim/engine/simulator.hpp"

/// Queues with a known answer, as processes of the engine. A service takes 1 us in the mean.
namespace hotline::tests {

enum class Service : std::uint8_t { kExponential, kConstant };

/// Customers that come at random, one server, first come, first served.
class Queue {
 public:
  Queue(std::uint64_t seed, double load, Service service)
      : simulator_(seed),
        between_(kMean.ns() / load),
        service_(service),
        arrivals_(simulator_.stream("arrivals")),
        services_(simulator_.stream("services")) {}

  /// How long each of the first customers has waited until its service began, in services. The
  /// first comes to an empty queue.
  std::vector<double> waits(std::size_t customers) {
    simulator_.spawn(arrive(customers));
    simulator_.run();
    return waits_;
  }

 private:
  static constexpr engine::Duration kMean = engine::Duration::from_ps(1'000'000);

  engine::Task<> arrive(std::size_t customers) {
    for (std::size_t i = 0; i < customers; ++i) {
      co_await simulator_.sleep(arrivals_.exponential(engine::Duration::from_ns(between_)));
      queue_.push_back(simulator_.now());
      if (!serving_) {
        serving_ = true;
        simulator_.spawn(serve());
      }
    }
  }

  engine::Task<> serve() {
    while (!queue_.empty()) {
      waits_.push_back((simulator_.now() - queue_.front()).ns() / kMean.ns());
      queue_.pop_front();
      const bool constant = service_ == Service::kConstant;
      co_await simulator_.sleep(constant ? kMean : services_.exponential(kMean));
    }
    serving_ = false;
  }

  engine::Simulator simulator_;
  double between_;  // ns
  Service service_;
  engine::Random arrivals_;
  engine::Random services_;
  std::deque<engine::SimTime> queue_;
  bool serving_ = false;
  std::vector<double> waits_;
};

}  // namespace hotline::tests
